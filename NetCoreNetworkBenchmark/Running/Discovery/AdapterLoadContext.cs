using System.Reflection;
using System.Runtime.Loader;

namespace NetCoreNetworkBenchmark.Running.Discovery;

/// <summary>The contracts are those of the program, so that the types of both are the same.</summary>
internal sealed class AdapterLoadContext : AssemblyLoadContext
{
    private static readonly AssemblyName s_contracts = typeof(INetworkBenchmark).Assembly.GetName();

    private readonly AssemblyDependencyResolver _resolver;

    private AdapterLoadContext(string path)
        : base(Path.GetFileNameWithoutExtension(path))
    {
        _resolver = new AssemblyDependencyResolver(path);
        Resolving += static (_, name) => AspNetCoreRuntime.Problem is null ? Default.LoadFromAssemblyName(name) : null;
    }

    /// <exception cref="BenchmarkException">It has none, or cannot be loaded.</exception>
    public static IReadOnlyList<Type> Load(string path)
    {
        try
        {
            Assembly assembly = new AdapterLoadContext(path).LoadFromAssemblyPath(path);
            if (assembly.GetReferencedAssemblies().FirstOrDefault(reference => reference.Name == s_contracts.Name)?.Version is { } version
                && version > s_contracts.Version)
            {
                throw Rejected(path, $"was built with {s_contracts.Name} {version}, and this program has {s_contracts.Version}. Update the program");
            }

            Type[] types = [.. Catalog.PlugIns(assembly)];
            return types.Length > 0
                ? types
                : throw Rejected(
                    path,
                    "has no library, workload or part of the benchmark: no public class of it implements " +
                        $"{nameof(INetworkBenchmark)}, {nameof(IWorkload)} or {nameof(IBenchmarkPart)}");
        }
        catch (Exception exception) when (exception is BadImageFormatException or IOException or TypeLoadException or ReflectionTypeLoadException)
        {
            Exception cause = (exception as ReflectionTypeLoadException)?.LoaderExceptions.FirstOrDefault() ?? exception;
            string remedy = RemedyOf(cause) ?? "Set EnableDynamicLoading in its project, so that its packages are copied beside it";
            throw Rejected(path, $"cannot be loaded: {cause.Message.TrimEnd('.')}. {remedy}", exception);
        }
    }

    /// <returns>The remedy for an assembly that was built for another version of the contracts or of .NET; null for other faults.</returns>
    public static string? RemedyOf(Exception exception)
    {
        // The last is the text of the runtime for a member that an interface has had since.
        string[] texts = [s_contracts.Name!, typeof(INetworkBenchmark).Namespace!, "does not have an implementation"];
        bool isOfContracts = exception is TypeLoadException or MissingMemberException
            && texts.Any(text => exception.Message.Contains(text, StringComparison.Ordinal));
        return isOfContracts
            ? $"It was built with another version of {s_contracts.Name}. Build it with that of this program, {s_contracts.Version!.ToString(3)}"
            : exception is FileNotFoundException { FileName: { } name } && name.Split(',')[0] == "System.Runtime"
                ? $"It was built for a newer .NET than that of this program. Build it for .NET {Environment.Version.ToString(2)}"
            : null;
    }

    protected override Assembly? Load(AssemblyName assemblyName) =>
        assemblyName.Name != s_contracts.Name && _resolver.ResolveAssemblyToPath(assemblyName) is { } file ? LoadFromAssemblyPath(file) : null;

    protected override nint LoadUnmanagedDll(string unmanagedDllName) =>
        _resolver.ResolveUnmanagedDllToPath(unmanagedDllName) is { } file ? LoadUnmanagedDllFromPath(file) : nint.Zero;

    private static BenchmarkException Rejected(string path, string reason, Exception? cause = null) =>
        BenchmarkException.BadInput($"{LibraryOptions.LoadName}: '{path}' {reason}.", cause);
}
