using System.Reflection;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// What is in this build: libraries and workloads are found by reflection, so that adding one is adding its files. Sorted by name;
/// two of one name are refused.
/// </summary>
internal sealed class Catalog
{
    private const string OptionalPackageKey = "OptionalPackageMissing:";
    private readonly SortedDictionary<string, Type> _libraries;
    private readonly SortedDictionary<string, IWorkload> _workloads = new(StringComparer.OrdinalIgnoreCase);

    public Catalog(Assembly assembly)
        : this(Implementations<INetworkBenchmark>(assembly), Implementations<IWorkload>(assembly)) =>
        NotInBuild = [.. assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Where(attribute => attribute.Key.StartsWith(OptionalPackageKey, StringComparison.Ordinal))
            .Select(attribute => new MissingLibrary(attribute.Key[OptionalPackageKey.Length..], attribute.Value ?? string.Empty))
            .OrderBy(missing => missing.Library, StringComparer.OrdinalIgnoreCase)];

    /// <summary>Makes a catalog of some types.</summary>
    /// <param name="libraries">Adapters with a parameterless constructor.</param>
    /// <param name="workloads">Workloads with a parameterless constructor.</param>
    public Catalog(IEnumerable<Type> libraries, IEnumerable<Type> workloads)
    {
        _libraries = new SortedDictionary<string, Type>(StringComparer.OrdinalIgnoreCase);
        foreach (Type type in libraries)
        {
            Add(_libraries, Create<INetworkBenchmark>(type).Name, type);
        }

        foreach (Type type in workloads)
        {
            IWorkload workload = Create<IWorkload>(type);
            Add(_workloads, workload.Name, workload);
        }
    }

    /// <summary>
    /// The classes that can be made for an interface. The public ones only: loading the others as well would load BenchmarkDotNet and every
    /// library's assembly, long before it is known what is asked for.
    /// </summary>
    public static IEnumerable<Type> Implementations<T>(Assembly assembly) => assembly.GetExportedTypes()
        .Where(type => type is { IsClass: true, IsAbstract: false } && type.IsAssignableTo(typeof(T)));

    /// <summary>Names of the libraries in this build.</summary>
    public IReadOnlyCollection<string> Libraries => _libraries.Keys;

    /// <summary>Libraries whose package could not be had when this was built.</summary>
    public IReadOnlyList<MissingLibrary> NotInBuild { get; } = [];

    /// <summary>Names of all libraries, in this build or not, sorted.</summary>
    public IReadOnlyList<string> KnownLibraries =>
        [.. Libraries.Concat(NotInBuild.Select(missing => missing.Library)).Order(StringComparer.OrdinalIgnoreCase)];

    public IReadOnlyCollection<IWorkload> Workloads => _workloads.Values;

    /// <summary>A new adapter; null where no library in this build has that name.</summary>
    public INetworkBenchmark? CreateLibrary(string name) =>
        _libraries.TryGetValue(name, out Type? type) ? Create<INetworkBenchmark>(type) : null;

    /// <summary>What the libraries in this build are and can do; each of them is loaded for it.</summary>
    public IEnumerable<LibraryInfo> Infos => Libraries.Select(name => CreateLibrary(name)!.Info);

    public IWorkload? FindWorkload(string name) => _workloads.GetValueOrDefault(name);

    private static T Create<T>(Type type) => (T)(Activator.CreateInstance(type)
        ?? throw new InvalidOperationException($"{type} has no parameterless constructor."));

    private static void Add<T>(SortedDictionary<string, T> entries, string name, T entry)
    {
        if (!entries.TryAdd(name, entry))
        {
            throw new InvalidOperationException($"'{name}' is the name of both {entries[name]} and {entry}.");
        }
    }
}
