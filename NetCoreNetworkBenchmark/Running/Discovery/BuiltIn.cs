using System.Reflection;

namespace NetCoreNetworkBenchmark.Running.Discovery;

/// <summary>The libraries and tests that the program is built with. They are loaded by name: the runner is compiled without their types.</summary>
internal static class BuiltIn
{
    public static Assembly Libraries { get; } = Assembly.Load("NetCoreNetworkBenchmark.Libraries");

    public static Assembly Workloads { get; } = Assembly.Load("NetCoreNetworkBenchmark.Workloads");

    public static Catalog CreateCatalog() => new(Libraries, Workloads);
}
