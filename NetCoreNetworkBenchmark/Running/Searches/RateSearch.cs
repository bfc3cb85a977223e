using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Searches;

/// <summary>
/// Finds the highest rate at which the limits of the plan hold. Without a limit of lost messages, none may be lost but by an impairment. It doubles the rate
/// until they do not hold. Then it halves the interval between the highest rate that held and the lowest that did not, until it is narrower than 5 %. It does
/// not go below the rate at which a run has too few messages for the percentiles of the limits.
/// </summary>
internal sealed class RateSearch(RunPlan template, LibraryInfo library) : Search
{
    private const double UsualFirstRate = 1_000;

    private readonly double _lowest = LowestOf(template);

    private double FirstRate => template.Rate ?? Math.Max(UsualFirstRate, _lowest);

    public static string CommandOf(RunPlan template, LibraryInfo library) => PlanArguments.CommandOf(template, library, workload: null, "--sweep");

    public async Task<SweepResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = StartedAt ?? DateTimeOffset.UtcNow;
        SearchOutcome outcome = await SearchAsync(cancellationToken).ConfigureAwait(false);
        return new SweepResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Plan = template,
            LibraryVersion = outcome.LibraryVersion ?? library.Version,
            Limits = [.. (template.Limits ?? []).Select(limit => limit.Text)],
            StartedAt = startedAt,
            Steps = outcome.Steps,
            HighestRate = outcome.Highest,
            Conclusion = outcome.Conclude(
                rate => Invariant($"{rate:N0} msg/s"), "Every limit held at each rate that was tried."),
            Aborted = outcome.Aborted,
            Environment = MachineInspector.Inspect(),
            Command = CommandOf(template, library),
        };
    }

    protected override RunPlan PlanOf(double value) => template with { Rate = value };

    protected override double? Next(double highest, double? lowestFailing) => lowestFailing is not { } failing
        ? highest >= PlanLimits.MostRate ? null : highest == 0 ? FirstRate : Math.Min(highest * 2, PlanLimits.MostRate)
        : IsNarrow(highest, failing) || IsTooSlow(highest, failing) ? null : Math.Max(_lowest, (highest + failing) / 2);

    private static double LowestOf(RunPlan plan) => Math.Clamp(
        (plan.Limits ?? []).Select(limit => limit.Percentile is < 100 and var percentile ? LatencyReport.LeastCount(percentile / 100) : 0).Append(0).Max()
            / plan.Duration.TotalSeconds,
        1,
        PlanLimits.MostRate);

    private bool IsNarrow(double highest, double failing) => failing - highest < Precision * failing || failing <= _lowest;

    // Clients that cannot even send at a low rate are kept from it by something else, and would be at a lower one too.
    private bool IsTooSlow(double highest, double failing) => highest == 0 && failing <= UsualFirstRate && Steps is [.., { HarnessLimit: not null }];

    protected override string? FindFault(RunResult result) =>
        result.Verdict.Disturbances is [var disturbance, ..] ? disturbance
        : !result.Valid ? SearchStep.HarnessLimitOf(result) ?? result.InvalidReasons[0]
        : !template.HasLimit(LimitKind.Loss) && LossOf(result) is { } loss ? loss
        : result.Limits?.FirstOrDefault(limit => !limit.Holds)?.Found;

    // The relay counts datagrams over the whole load. A library that packs several messages into one loses them together.
    private static string? LossOf(RunResult result) => result.Relay is { Counts: { DroppedOnPurpose: > 0 and var dropped } }
        ? result.Totals.Lost <= dropped ? null
            : $"{Plural.Of(result.Totals.Lost, "message was", "messages were")} lost, more than the {Plural.Of(dropped, "datagram")} " +
                "that the relay dropped; --limit loss=SHARE allows a share"
        : result.Lost > 0 ? $"{Plural.Of(result.Lost, "message was", "messages were")} lost" : null;
}
