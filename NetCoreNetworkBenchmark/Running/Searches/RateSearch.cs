using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Searches;

/// <summary>
/// Finds the highest rate at which limits hold and no message is lost. It doubles the rate until they do not hold. Then it halves the interval
/// between the best and the worst rate, until it is narrower than 5 %.
/// </summary>
internal sealed class RateSearch(RunPlan template, LibraryInfo library, IReadOnlyList<LatencyLimit> limits) : Search
{
    private const double FirstRate = 1_000;

    public async Task<SweepResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        SearchOutcome outcome = await SearchAsync(cancellationToken).ConfigureAwait(false);
        return new SweepResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Plan = template,
            LibraryVersion = outcome.LibraryVersion ?? library.Version,
            Limits = [.. limits.Select(limit => limit.Text)],
            StartedAt = startedAt,
            Steps = outcome.Steps,
            HighestRate = outcome.Highest,
            Conclusion = outcome.Conclude(
                rate => string.Create(CultureInfo.InvariantCulture, $"{rate:N0} msg/s"), "Every limit held at each rate that was tried."),
            Aborted = outcome.Aborted,
            Environment = MachineInspector.Inspect(),
            Command = PlanArguments.CommandOf(template, library, workload: null, ["--sweep", .. limits.SelectMany(limit => (string[])["--limit", limit.Text])]),
        };
    }

    protected override RunPlan PlanOf(double value) => template with { Rate = value };

    protected override double? Next(double best, double? worst) => worst is not { } upper
        ? best >= PlanLimits.MostRate ? null : best == 0 ? template.Rate ?? FirstRate : Math.Min(best * 2, PlanLimits.MostRate)
        : IsNarrow(best, upper) ? null : (best + upper) / 2;

    // If no rate is found that holds, the search goes down to one message a second.
    private static bool IsNarrow(double best, double upper) => upper - best < Precision * upper || upper <= 1;

    protected override string? FindFault(RunResult result)
    {
        if (!result.Valid)
        {
            return result.InvalidReasons[0];
        }

        if (result.Lost > 0)
        {
            return string.Create(CultureInfo.InvariantCulture, $"{result.Lost:N0} messages were lost");
        }

        LatencyHistogram latency = HistogramCodec.Decode(result.Clients.Latency.Histogram!);
        return (from limit in limits
                let measured = TimeSpan.FromMicroseconds(latency.ValueAtPercentile(limit.Percentile) / 1000.0)
                where measured > limit.Bound
                select string.Create(CultureInfo.InvariantCulture, $"{limit.Name} was {measured.TotalMilliseconds:0.###} ms")).FirstOrDefault();
    }
}
