using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>A plan and the adapters that carry it out.</summary>
/// <param name="Plan">The plan, with the libraries' names and settings.</param>
/// <param name="Library">The server's library.</param>
/// <param name="ClientLibrary">The library whose clients drive the server; null for the server's own.</param>
/// <param name="Workload">The test of the plan.</param>
internal sealed record ChosenLibraries(RunPlan Plan, INetworkBenchmark Library, INetworkBenchmark? ClientLibrary, IWorkload Workload)
{
    /// <summary>The conditions that could disturb the run, as found before it; null if they were not inspected.</summary>
    public Fitness? Fitness { get; init; }

    /// <summary>The capabilities of both libraries together.</summary>
    public LibraryInfo Info => Library.Info.DrivenBy(ClientLibrary?.Info, Plan.Protocol);
}
