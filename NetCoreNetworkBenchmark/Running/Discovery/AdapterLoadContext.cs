using System.Reflection;
using System.Runtime.Loader;

namespace NetCoreNetworkBenchmark.Running.Discovery;

/// <summary>
/// Loads an assembly from outside the program with its own dependencies, as its .deps.json names them. The contracts are those of the program, so that the
/// types of both are the same.
/// </summary>
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

    /// <summary>Returns the libraries and workloads of an assembly.</summary>
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

            Type[] types = [.. Catalog.Implementations<INetworkBenchmark>(assembly), .. Catalog.Implementations<IWorkload>(assembly)];
            return types.Length > 0
                ? types
                : throw Rejected(path, $"has no library and no workload: no public class of it implements {nameof(INetworkBenchmark)} or {nameof(IWorkload)}");
        }
        catch (Exception exception) when (exception is BadImageFormatException or IOException or TypeLoadException or ReflectionTypeLoadException)
        {
            string remedy = "Set EnableDynamicLoading in its project, so that its packages are copied beside it";
            throw Rejected(path, $"cannot be loaded: {exception.Message.TrimEnd('.')}. {remedy}", exception);
        }
    }

    protected override Assembly? Load(AssemblyName assemblyName) =>
        assemblyName.Name != s_contracts.Name && _resolver.ResolveAssemblyToPath(assemblyName) is { } file ? LoadFromAssemblyPath(file) : null;

    protected override nint LoadUnmanagedDll(string unmanagedDllName) =>
        _resolver.ResolveUnmanagedDllToPath(unmanagedDllName) is { } file ? LoadUnmanagedDllFromPath(file) : nint.Zero;

    private static BenchmarkException Rejected(string path, string reason, Exception? cause = null) =>
        BenchmarkException.BadInput($"{LibraryOptions.LoadName}: '{path}' {reason}.", cause);
}
