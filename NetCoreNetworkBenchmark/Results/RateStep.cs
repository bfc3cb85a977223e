namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of a part of the measurement at its own rate. A message belongs to the part in which it was due.</summary>
/// <param name="Rate">The requested messages per second, over all clients.</param>
/// <param name="Sent">Messages that were sent, or were due and could not be.</param>
/// <param name="Answered">Answers that arrived within the part, also those to messages of the part before.</param>
/// <param name="Lost">Messages that were never answered.</param>
/// <param name="SentLate">Messages that were sent later than the bound of <see cref="ScheduleResult"/> after they were due.</param>
/// <param name="Latency">The latencies.</param>
public sealed record RateStep(double Rate, long Sent, long Answered, long Lost, long SentLate, LatencyReport Latency)
{
    /// <summary>The share (0 to 1) of the messages that were sent late.</summary>
    public double LateShare => Sent == 0 ? 0 : (double)SentLate / Sent;

    internal double SentPerSecond(IterationResult part) => part.Seconds <= 0 ? 0 : Sent / part.Seconds;

    internal double AnsweredPerSecond(IterationResult part) => part.Seconds <= 0 ? 0 : Answered / part.Seconds;

    /// <summary>Adds up the steps of several load generators at the same time; null if there are none.</summary>
    public static RateStep? Sum(IReadOnlyList<RateStep> steps) => steps.Count == 0 ? null : new RateStep(
        steps.Sum(step => step.Rate),
        steps.Sum(step => step.Sent),
        steps.Sum(step => step.Answered),
        steps.Sum(step => step.Lost),
        steps.Sum(step => step.SentLate),
        LatencyReport.Merge([.. steps.Select(step => step.Latency)]));
}

/// <summary>Determines from which step of a rising rate on the server or the clients no longer kept pace.</summary>
internal static class RateKnee
{
    /// <summary>The largest share of messages that may be sent late, or by which the answers may fall behind.</summary>
    public const double MaxShare = 0.01;

    /// <summary>Returns the reason why a step did not keep pace, in a few words; null if it did.</summary>
    public static string? ReasonOf(IReadOnlyList<IterationResult> parts, int index)
    {
        RateStep step = parts[index].Step!;
        double before = index == 0 ? step.Rate : parts[index - 1].Step!.Rate;

        // More messages are in flight at a higher rate even if the latency is the same (Little's law). That is not yet a queue.
        double inFlight = (step.Rate - before) * (step.Latency.Microseconds?.P50 ?? 0) / 1e6;
        double behind = step.Sent - step.Answered - inFlight;
        return step.LateShare > MaxShare ? Invariant($"{step.LateShare:P1} of the messages were sent late, so the clients were the limit")
            : step.Lost > 0 ? Invariant($"{step.Lost:N0} of {step.Sent:N0} messages were lost")
            : behind > MaxShare * step.Sent ? Invariant($"the answers fell behind by {behind / step.Sent:P1} of the messages")
            : null;
    }

    /// <summary>Returns the conclusion of a run in a sentence; null if its rate did not rise.</summary>
    public static string? ConclusionOf(IReadOnlyList<IterationResult> parts)
    {
        if (parts is not [{ Step: not null }, ..])
        {
            return null;
        }

        double RateOf(int index) => parts[index].Step!.Rate;
        int knee = Enumerable.Range(0, parts.Count).FirstOrDefault(index => ReasonOf(parts, index) is not null, -1);
        return knee < 0 ? Invariant($"All {parts.Count} steps kept pace, up to {RateOf(parts.Count - 1):N0} msg/s.")
            : (knee == 0 ? "The sides did not keep pace " : Invariant($"The sides kept pace up to {RateOf(knee - 1):N0} msg/s, and no longer ")) +
                Invariant($"from {RateOf(knee):N0} msg/s on (step {knee + 1} of {parts.Count}): {ReasonOf(parts, knee)}.");
    }
}
