namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <param name="ClientLibrary">The library whose clients drive the server; null for the server's own.</param>
internal sealed record ChosenLibraries(RunPlan Plan, INetworkBenchmark Library, INetworkBenchmark? ClientLibrary, IWorkload Workload)
{
    /// <summary>The conditions that could disturb the run, as found before it; null if they were not inspected.</summary>
    public Fitness? Fitness { get; init; }

    public LibraryInfo Info => Library.Info.DrivenBy(ClientLibrary?.Info, Plan.Protocol);
}
