using System.Reflection;

namespace NetCoreNetworkBenchmark.Running.Discovery;

/// <summary>Found by reflection, so that a new library, workload or part of the predefined benchmark only needs its files.</summary>
internal sealed class Catalog
{
    // They separate names in the values of options: -l A,B and --set A.NAME=VALUE.
    private const string ReservedInNames = ",.=";
    private const string PackageKey = "OptionalPackage:";
    private const string MissingPackageKey = "OptionalPackageMissing:";
    private readonly SortedList<string, Type> _libraries = new(StringComparer.OrdinalIgnoreCase);
    private readonly SortedList<string, IWorkload> _workloads = new(StringComparer.OrdinalIgnoreCase);
    private readonly SortedList<string, IBenchmarkPart> _parts = new(StringComparer.OrdinalIgnoreCase);
    private readonly IReadOnlyList<Assembly> _assemblies = [];
    private readonly List<AdapterAssembly> _loaded = [];

    public Catalog(params IReadOnlyList<Assembly> assemblies)
        : this(assemblies.SelectMany(PlugIns))
    {
        _assemblies = assemblies;
    }

    /// <param name="plugIns">Classes that implement one of the contracts (<see cref="PlugIns"/>).</param>
    public Catalog(IEnumerable<Type> plugIns)
    {
        Add(plugIns);
    }

    public static IEnumerable<Type> PlugIns(Assembly assembly) =>
        [.. Implementations<INetworkBenchmark>(assembly), .. Implementations<IWorkload>(assembly), .. Implementations<IBenchmarkPart>(assembly)];

    public static IEnumerable<Type> Implementations<T>(Assembly assembly) => assembly.GetExportedTypes()
        .Where(type => type is { IsClass: true, IsAbstract: false } && type.IsAssignableTo(typeof(T)));

    public IReadOnlyCollection<string> Libraries => [.. _libraries.Keys];

    public IReadOnlyList<MissingLibrary> NotInBuild =>
        [.. _assemblies.SelectMany(assembly => Named(assembly, MissingPackageKey)).Select(named => new MissingLibrary(named.Name, named.Value))];

    public IReadOnlyList<AdapterAssembly>? Loaded => _loaded.Count == 0 ? null : _loaded;

    public IReadOnlyList<string> OfPackages => [.. VersionsOfPackages.Keys];

    public IReadOnlyDictionary<string, string> VersionsOfPackages =>
        _assemblies.SelectMany(assembly => Named(assembly, PackageKey)).ToDictionary(named => named.Name, named => named.Value);

    public IReadOnlyList<string> KnownPackages =>
        [.. OfPackages.Concat(NotInBuild.Select(missing => missing.Library)).Order(StringComparer.OrdinalIgnoreCase)];

    public IReadOnlyList<string> KnownLibraries =>
        [.. Libraries.Concat(NotInBuild.Select(missing => missing.Library)).Order(StringComparer.OrdinalIgnoreCase)];

    public IReadOnlyCollection<IWorkload> Workloads => [.. _workloads.Values];

    public IReadOnlyCollection<IBenchmarkPart> Parts => [.. _parts.Values];

    /// <exception cref="BenchmarkException">It has none, cannot be loaded, or has a name that there is already.</exception>
    public void Load(AdapterAssembly assembly)
    {
        if (_loaded.Contains(assembly))
        {
            return;
        }

        try
        {
            IReadOnlyList<Type> types = AdapterLoadContext.Load(assembly.Path);
            if (assembly.Replaces)
            {
                Remove(types);
            }

            Add(types);
            _loaded.Add(assembly);
        }
        catch (Exception exception) when (exception is not BenchmarkException)
        {
            // It runs the code of others.
            Exception cause = exception.GetBaseException();
            string remedy = AdapterLoadContext.RemedyOf(cause) is { } sentence ? $" {sentence}." : string.Empty;
            throw BenchmarkException.BadInput(
                $"{LibraryOptions.LoadName}: '{assembly.Path}' cannot be added: {cause.Message.TrimEnd('.')}.{remedy}", exception);
        }
    }

    /// <exception cref="BenchmarkException">The library cannot be described. It runs the code of others.</exception>
    public INetworkBenchmark? CreateLibrary(string name)
    {
        if (!_libraries.TryGetValue(name, out Type? type))
        {
            return null;
        }

        try
        {
            INetworkBenchmark library = Create<INetworkBenchmark>(type);
            _ = library.Info;
            return library;
        }
        catch (Exception exception)
        {
            Exception cause = exception.GetBaseException();
            throw new BenchmarkException($"{name} cannot be used, because its Info throws {cause.GetType().Name}: {cause.Message.TrimEnd('.')}.", exception);
        }
    }

    public IEnumerable<LibraryInfo> Infos => Libraries.Select(name => CreateLibrary(name)!.Info);

    /// <summary>Computed with each enumeration.</summary>
    public IEnumerable<string> SettingValues =>
        from info in Infos
        from setting in info.Settings
        from value in setting.Values
        select new RequestedSetting(info.Name, setting.Name, value).ToString();

    public IWorkload DefaultWorkload => Workloads.Single(workload => workload.IsDefault);

    public IWorkload? FindWorkload(string name) => name.Length == 0 ? DefaultWorkload : _workloads.GetValueOrDefault(name);

    // Written by build/OptionalPackages.targets.
    private static IEnumerable<(string Name, string Value)> Named(Assembly assembly, string key) =>
        assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Where(attribute => attribute.Key.StartsWith(key, StringComparison.Ordinal))
            .Select(attribute => (attribute.Key[key.Length..], attribute.Value ?? string.Empty))
            .OrderBy(named => named.Item1, StringComparer.OrdinalIgnoreCase);

    private static T Create<T>(Type type) => (T)Activator.CreateInstance(type)!;

    private void Add(IEnumerable<Type> types)
    {
        foreach (Type type in types)
        {
            if (type.IsAssignableTo(typeof(INetworkBenchmark)))
            {
                Add(_libraries, Create<INetworkBenchmark>(type).Name, type);
            }
            else if (type.IsAssignableTo(typeof(IBenchmarkPart)))
            {
                IBenchmarkPart part = Create<IBenchmarkPart>(type);
                Add(_parts, part.Name, part);
            }
            else
            {
                IWorkload workload = Create<IWorkload>(type);
                if (workload.IsDefault && _workloads.Values.FirstOrDefault(other => other.IsDefault) is { } other)
                {
                    throw new InvalidOperationException(
                        $"the tests '{other.Name}' and '{workload.Name}' are both the default. Return false as {nameof(IWorkload.IsDefault)} of one of them");
                }

                Add(_workloads, workload.Name, workload);
            }
        }
    }

    private void Remove(IEnumerable<Type> plugIns)
    {
        foreach (Type type in plugIns)
        {
            _ = type.IsAssignableTo(typeof(INetworkBenchmark)) ? _libraries.Remove(Create<INetworkBenchmark>(type).Name)
                : type.IsAssignableTo(typeof(IBenchmarkPart)) ? _parts.Remove(Create<IBenchmarkPart>(type).Name)
                : _workloads.Remove(Create<IWorkload>(type).Name);
        }
    }

    private static void Add<T>(SortedList<string, T> entries, string name, T entry)
    {
        if (name.Length == 0 || name.StartsWith('-') || name.Any(letter => ReservedInNames.Contains(letter) || char.IsControl(letter)))
        {
            throw new InvalidOperationException(
                $"The name of {entry} cannot be used in options. Use one without comma, dot and equals sign, not empty, " +
                    "and not beginning with a hyphen");
        }

        if (!entries.TryAdd(name, entry))
        {
            throw new InvalidOperationException($"'{name}' is the name of both {entries[name]} and {entry}. Give one of them another name");
        }
    }
}

/// <summary>The libraries whose clients can drive the server of another one (<see cref="LibraryInfo.HasFormatOf"/>).</summary>
internal static class ClientLibraries
{
    public static IReadOnlyList<LibraryInfo> Over(Protocol protocol, LibraryInfo server, IEnumerable<LibraryInfo> libraries) =>
        [.. ByRank(protocol, libraries).Where(library => server.HasFormatOf(library, protocol))];

    public static LibraryInfo? FastestOver(Protocol protocol, LibraryInfo server, IEnumerable<LibraryInfo> libraries) =>
        Over(protocol, server, libraries).FirstOrDefault(library => library.ClientRank > 0);

    public static LibraryInfo? FastestFor(IWorkload workload, Protocol protocol, LibraryInfo server, IEnumerable<LibraryInfo> libraries) =>
        Over(protocol, server, libraries).FirstOrDefault(library => IsFastIn(workload, library, protocol));

    /// <summary>The fastest clients without a format of their own drive all servers alike.</summary>
    public static LibraryInfo? FastestOfAll(IWorkload workload, Protocol protocol, IEnumerable<LibraryInfo> libraries) =>
        ByRank(protocol, libraries).FirstOrDefault(library =>
            (protocol.IsStream() ? library.WireFormat is null : library.HasPlainDatagrams) && IsFastIn(workload, library, protocol));

    public static bool HasClients(LibraryInfo library, Protocol protocol) =>
        library is { HasClients: true, Unavailable: null } && library.Protocols.Contains(protocol);

    private static bool IsFastIn(IWorkload workload, LibraryInfo library, Protocol protocol) =>
        workload is IConnectionWorkload ? library.ConnectionTransports.Contains(protocol) : library.ClientRank > 0;

    private static IEnumerable<LibraryInfo> ByRank(Protocol protocol, IEnumerable<LibraryInfo> libraries) =>
        libraries.Where(library => HasClients(library, protocol)).OrderByDescending(library => library.ClientRank);
}
