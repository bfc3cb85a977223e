using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>One of several interleaved cases.</summary>
/// <param name="Place">Creates the participants for one set of processes. Its argument is the plan as it runs in a set.</param>
internal sealed record InterleavedCase(string Name, RunPlan Plan, LibraryInfo Library, IWorkload Workload, Func<RunPlan, ParticipantGroup> Place);

/// <summary>The figures of one case in one set of processes.</summary>
/// <param name="Slices">The measured slices, in the order of the rounds.</param>
/// <param name="ServerSlices">The resources of the server in them; none if the server did not report them.</param>
/// <param name="IsSilent">Whether the JIT compilers were silent when the first slice began.</param>
internal sealed record InterleavedOutcome(
    InterleavedCase Case,
    IReadOnlyList<SliceReport> Slices,
    IReadOnlyList<ServerSlice> ServerSlices,
    bool IsSilent,
    RunResult? Result,
    string? Failure)
{
    public double MessagesPerSecond => Slices.Sum(slice => slice.Messages) / Slices.Sum(slice => slice.Seconds);

    public SliceSeries Series()
    {
        double[] compilation = [.. Slices.Select((slice, round) => Math.Max(ShareOf(slice.CompilationSeconds, slice.Seconds), ServerShareOf(round)))];
        return new SliceSeries(
            [.. Slices.Select((slice, round) => Kept(round, slice.Messages / slice.Seconds))],
            [.. Slices.Select((_, round) => ServerOf(round) is { Messages: > 0 } server ? Kept(round, 1e6 * server.CpuSeconds / server.Messages) : null)])
        {
            CompilationShares = compilation,
            OverheadSeconds = Slices.Count == 0 ? 0 : Slices.Average(slice => slice.SettleSeconds + slice.DrainSeconds),
            StillCompiled = !IsSilent,
        };

        // If most slices would be left out, the processes compile all the time, and a few slices by chance would show no more.
        double? Kept(int round, double figure) =>
            (compilation[round] <= SliceSeries.MostCompilation || 2 * compilation.Count(share => share <= SliceSeries.MostCompilation) < compilation.Length)
            && double.IsFinite(figure) && figure > 0 ? figure : null;
    }

    private static double ShareOf(double compilation, double seconds) => seconds > 0 ? compilation / seconds : 0;

    private ServerSlice? ServerOf(int round) => ServerSlices.ElementAtOrDefault(round);

    private double ServerShareOf(int round) => ServerOf(round) is { } server ? ShareOf(server.CompilationSeconds, server.Seconds) : 0;
}
