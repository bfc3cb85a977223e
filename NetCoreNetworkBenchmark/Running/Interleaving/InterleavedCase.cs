using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>One of several cases that take turns.</summary>
/// <param name="Name">The name of the case in messages.</param>
/// <param name="Plan">The load.</param>
/// <param name="Library">The server's library, as driven by the clients' library.</param>
/// <param name="Workload">The test of the plan.</param>
/// <param name="Place">Creates the participants for one set of processes. Its argument is the plan as it runs in a set.</param>
internal sealed record InterleavedCase(string Name, RunPlan Plan, LibraryInfo Library, IWorkload Workload, Func<RunPlan, ParticipantGroup> Place);

/// <summary>The figures of one case in one set of processes.</summary>
/// <param name="Case">The case.</param>
/// <param name="Slices">The measured slices, in the order of the rounds.</param>
/// <param name="Result">The result over all slices; null if the case has failed.</param>
/// <param name="Failure">The reason of the failure; null if there was none.</param>
internal sealed record InterleavedOutcome(InterleavedCase Case, IReadOnlyList<SliceReport> Slices, RunResult? Result, string? Failure)
{
    /// <summary>Messages per second over all slices.</summary>
    public double MessagesPerSecond => Slices.Sum(slice => slice.Messages) / Slices.Sum(slice => slice.Seconds);
}
