using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Running.Searches;

/// <summary>Without a limit of lost messages, none may be lost but by an impairment.</summary>
internal sealed class LimitSearch(SuiteCase template, SweptVariable variable) : Search(template)
{
    private readonly RunPlan _plan = template.Plan;
    private readonly LibraryInfo _library = template.Library;

    private static readonly TimeSpan s_startAndEnd = TimeSpan.FromSeconds(1.5);

    public required string Command { get; init; }

    protected override TimeSpan MaxRunTime => _plan.WarmUp + _plan.Duration + s_startAndEnd;

    public SweepResult ResultOf(bool isAborted)
    {
        SearchOutcome outcome = OutcomeOf(isAborted);
        return variable.WithHighest(outcome.Highest, new SweepResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Plan = _plan,
            LibraryVersion = outcome.LibraryVersion ?? _library.Version,
            Limits = [.. (_plan.Limits ?? []).Select(limit => limit.Text)],
            StartedAt = StartedAt ?? DateTimeOffset.UtcNow,
            Steps = outcome.Steps,
            Conclusion = outcome.Conclude(variable.Describe, variable.ConcludeAllHeld(outcome.Highest)),
            Aborted = outcome.Aborted,
            Environment = MachineInspector.Inspect(),
            Command = Command,
        });
    }

    protected override RunPlan PlanOf(double value) => variable.PlanOf(value);

    protected override string Describe(double value) => variable.Describe(value);

    protected override double? ValueAfter(double highest, double? lowestFailing) => lowestFailing is not { } failing
        ? highest >= variable.Largest ? null : highest == 0 ? variable.First : Math.Min(highest * 2, variable.Largest)
        : failing <= variable.Lowest || variable.IsNarrow(highest, failing) ? null
        : Math.Max(variable.Lowest, variable.Between(highest, failing));

    // Clients that cannot even send a small load are kept from it by something else, and would be by a smaller one too.
    protected override bool IsTooSmall(double highest, SearchStep lowestFailing) =>
        highest == 0 && lowestFailing.Value <= variable.SmallLoad && lowestFailing.HarnessLimit is not null;

    protected override string? FindFault(RunResult result) =>
        result.Verdict.Disturbances is [var disturbance, ..] ? disturbance
        : !result.Valid ? SearchStep.HarnessLimitOf(result) ?? result.InvalidReasons[0]
        : !_plan.HasLimit(LimitKind.Loss) && LossOf(result) is { } loss ? loss
        : result.Limits?.FirstOrDefault(limit => !limit.Holds)?.Found;

    // The relay counts datagrams over the whole load. A library that packs several messages into one loses them together.
    private static string? LossOf(RunResult result) => result.Relay is { Counts: { DroppedOnPurpose: > 0 and var dropped } }
        ? result.Totals.Lost <= dropped ? null
            : $"{Plural.Format(result.Totals.Lost, "message was", "messages were")} lost, more than the {Plural.Format(dropped, "datagram")} " +
                "that the relay dropped; --limit loss=SHARE allows a share"
        : result.Lost > 0 ? $"{Plural.Format(result.Lost, "message was", "messages were")} lost" : null;
}
