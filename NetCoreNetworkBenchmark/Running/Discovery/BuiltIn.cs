using System.Reflection;

namespace NetCoreNetworkBenchmark.Running.Discovery;

/// <summary>The libraries, tests and parts of the benchmark of this program. They are loaded by name: the runner is compiled without their types.</summary>
internal static class BuiltIn
{
    public static Assembly Libraries { get; } = Assembly.Load("NetCoreNetworkBenchmark.Libraries");

    public static Assembly Workloads { get; } = Assembly.Load("NetCoreNetworkBenchmark.Workloads");

    public static Assembly Benchmarks => Assembly.Load("NetCoreNetworkBenchmark.Benchmarks");

    /// <param name="isAgent">Whether this process measures for another one, which has chosen what.</param>
    public static Catalog CreateCatalog(bool isAgent = false) => isAgent ? new(Libraries, Workloads) : new(Libraries, Workloads, Benchmarks);
}
