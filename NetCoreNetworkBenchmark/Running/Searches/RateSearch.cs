using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Searches;

/// <summary>
/// Finds the highest rate at which limits hold and no message is lost. It doubles the rate until they do not hold. Then it halves the interval between the
/// highest rate that held and the lowest that did not, until it is narrower than 5 %.
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
                rate => Invariant($"{rate:N0} msg/s"), "Every limit held at each rate that was tried."),
            Aborted = outcome.Aborted,
            Environment = MachineInspector.Inspect(),
            Command = PlanArguments.CommandOf(template, library, workload: null, ["--sweep", .. limits.SelectMany(limit => (string[])["--limit", limit.Text])]),
        };
    }

    protected override RunPlan PlanOf(double value) => template with { Rate = value };

    protected override double? Next(double highest, double? lowestFailing) => lowestFailing is not { } failing
        ? highest >= PlanLimits.MostRate ? null : highest == 0 ? template.Rate ?? FirstRate : Math.Min(highest * 2, PlanLimits.MostRate)
        : IsNarrow(highest, failing) ? null : (highest + failing) / 2;

    // If no rate is found that holds, the search goes down to one message per second.
    private static bool IsNarrow(double highest, double failing) => failing - highest < Precision * failing || failing <= 1;

    protected override string? FindFault(RunResult result)
    {
        if (!result.Valid)
        {
            return result.InvalidReasons[0];
        }

        if (result.Lost > 0)
        {
            return Invariant($"{result.Lost:N0} messages were lost");
        }

        if (result.Clients.Latency.Histogram is not { } histogram)
        {
            throw BenchmarkException.BadInput("--limit requires latencies, and the time of one way is known only if the clients run on the server's machine.");
        }

        LatencyHistogram latency = HistogramCodec.Decode(histogram);
        return (from limit in limits
                let measured = TimeSpan.FromMicroseconds(latency.ValueAtPercentile(limit.Percentile) / 1000.0)
                where measured > limit.Bound
                select Invariant($"{limit.Name} was {measured.TotalMilliseconds:0.###} ms")).FirstOrDefault();
    }
}
