namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>
/// The difference between the messages that the server counted and those that the clients counted, over and above the messages in flight. The intervals of
/// the sides begin and end a little apart, so the clients' messages are taken at their rate over the server's interval. The load is full in both.
/// </summary>
internal static class CountGap
{
    /// <summary>The gap from which on it is a remark.</summary>
    public const double Remarkable = 0.02;

    /// <summary>The gap from which on the figures of the sides do not belong together.</summary>
    public const double Most = 0.10;

    /// <summary>
    /// Returns the gap in relation to the clients' messages: negative if the server counted fewer; null if the counts need not be equal, or if the server
    /// counted none. In an open loop, the clients count messages when they are due, and the server when they arrive.
    /// </summary>
    /// <param name="workload">The test of the plan.</param>
    /// <param name="result">The result.</param>
    public static double? Of(IWorkload workload, RunResult result)
    {
        RunPlan plan = result.Plan;
        bool isComparable = plan.Rate is null && !result.IsOneWay && !workload.EndsWhenDone(plan)
            && result is { Clients: { Aborted: false, Reconnections: null }, Lost: 0, Duplicated: 0, Relay: null, Hosts: null or { Missing: null } };
        if (!isComparable || result is not { DurationSeconds: > 0, Messages: { ClientReceived: > 0, ServerReceived: { } served and > 0 } messages }
            || result.Server is not { Idle: null, Cost.Seconds: var seconds and > 0 })
        {
            return null;
        }

        double expected = messages.ClientReceived / result.DurationSeconds * seconds;
        double difference = served - expected;
        return Math.Sign(difference) * Math.Max(0, Math.Abs(difference) - ((double)plan.Clients * plan.ParallelMessages)) / expected;
    }

    /// <summary>
    /// Returns the sentence about a gap that voids the run; null if there is none. Both sides lose the same messages, so a large gap comes from a rate that was
    /// not the same from one moment to the next, and <c>--any-machine</c> makes it a remark.
    /// </summary>
    public static string? FaultOf(double? gap, RunResult result) =>
        !result.Plan.AnyMachine && gap is { } found && Math.Abs(found) > Most ? Sentence(found, result, Most) : null;

    /// <summary>Returns the sentence about a gap that is worth a remark; null if there is none.</summary>
    public static string? RemarkOf(double? gap, RunResult result) =>
        gap is { } found && Math.Abs(found) > Remarkable && FaultOf(gap, result) is null ? Sentence(found, result, Remarkable) : null;

    private static string Sentence(double gap, RunResult result, double bound) => FormattableString.Invariant(
        $"The server counted {Math.Abs(gap):P1} {(gap < 0 ? "fewer" : "more")} messages than the clients in the same time (limit: {bound:P0}): ") +
        FormattableString.Invariant($"{result.Messages.ServerReceived:N0} in {result.Server?.Cost.Seconds:0.000} s, ") +
        FormattableString.Invariant($"the clients {result.Messages.ClientReceived:N0} in {result.DurationSeconds:0.000} s.");
}
