using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>A plan and the adapters that carry it out.</summary>
/// <param name="Plan">The plan, with the libraries' names and settings.</param>
/// <param name="Library">The server's library.</param>
/// <param name="ClientLibrary">The library whose clients drive the server; null for the server's own.</param>
internal sealed record ChosenLibraries(RunPlan Plan, INetworkBenchmark Library, INetworkBenchmark? ClientLibrary)
{
    /// <summary>What could disturb the run, as it was found before it; null where nobody has looked.</summary>
    public Fitness? Fitness { get; init; }

    /// <summary>What both together can do.</summary>
    public LibraryInfo Info => Library.Info.DrivenBy(ClientLibrary?.Info, Plan.Protocol);
}
