namespace NetCoreNetworkBenchmark.Running.Searches;

internal abstract class SweptVariable
{
    public abstract double First { get; }

    public abstract double Lowest { get; }

    public abstract double Largest { get; }

    /// <summary>The value at or below which something else than the load keeps clients from sending, so that a lower value would not help them.</summary>
    public abstract double SmallLoad { get; }

    public abstract RunPlan PlanOf(double value);

    public abstract string Describe(double value);

    public abstract string ConcludeAllHeld(double? highest);

    public abstract SweepResult WithHighest(double? highest, SweepResult result);

    public virtual double Between(double highest, double failing) => (highest + failing) / 2;

    public virtual bool IsNarrow(double highest, double failing) => failing - highest < Search.Precision * failing;
}

/// <summary>Not below the rate at which a run has too few messages for the percentiles of the limits.</summary>
internal sealed class SweptRate(RunPlan template) : SweptVariable
{
    private const double UsualFirstRate = 1_000;

    private readonly double _lowest = LowestOf(template);

    public override double First => template.Rate ?? Math.Max(UsualFirstRate, _lowest);

    public override double Lowest => _lowest;

    public override double Largest => PlanLimits.MaxRate;

    public override double SmallLoad => UsualFirstRate;

    public override RunPlan PlanOf(double value) => template with { Rate = value };

    public override string Describe(double value) => Invariant($"{value:N0} msg/s");

    public override string ConcludeAllHeld(double? highest) => "Every limit held at each rate that was tried.";

    public override SweepResult WithHighest(double? highest, SweepResult result) => result with { HighestRate = highest };

    private static double LowestOf(RunPlan plan) => Math.Clamp(
        (plan.Limits ?? []).Select(limit => limit.Percentile is < 100 and var percentile ? LatencyReport.MinCount(percentile / 100) : 0).Append(0).Max()
            / plan.Duration.TotalSeconds,
        1,
        PlanLimits.MaxRate);
}

/// <summary>The rate of each client stays the same.</summary>
/// <param name="ratePerClient">The messages per second of each client; null if the plan has the rate of all, or none, or the test determines it.</param>
internal sealed class SweptClients(RunPlan template, IWorkload workload, CapacityBound bound, double? ratePerClient) : SweptVariable
{
    private const int UsualFirstClients = 100;
    private const int SmallLoadClients = 10;

    public override double First => Math.Min(template.Clients, Largest);

    public override double Lowest => workload.MinClients(template);

    public override double Largest => Math.Max(Lowest, bound.Clients);

    public override double SmallLoad => SmallLoadClients;

    /// <returns>A plan that the test has not yet completed.</returns>
    public static RunPlan FirstOf(RunPlan plan, IWorkload workload, double? ratePerClient) =>
        With(plan, Math.Max(UsualFirstClients, workload.MinClients(plan)), ratePerClient);

    public override RunPlan PlanOf(double value) => workload.Complete(With(template, (int)value, ratePerClient));

    public override string Describe(double value) => Plural.Format((long)value, "client");

    public override string ConcludeAllHeld(double? highest) =>
        highest == Largest ? bound.Sentence : "Every limit held at each number of clients that was tried.";

    public override SweepResult WithHighest(double? highest, SweepResult result) =>
        result with { Variable = SweepVariable.Clients, HighestClients = (int?)highest };

    public override double Between(double highest, double failing) => Math.Floor(base.Between(highest, failing));

    public override bool IsNarrow(double highest, double failing) => failing - highest <= Math.Max(1, Search.Precision * failing);

    private static RunPlan With(RunPlan plan, int clients, double? ratePerClient) => plan with
    {
        Clients = clients,
        Rate = ratePerClient is { } rate ? (double)((decimal)rate * clients) : plan.Rate,
    };
}
