using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Suites;

internal static class CaseSummarizer
{
    /// <param name="library">The name with the profile.</param>
    /// <param name="isInterleaved">Sets are then compared by their ratios to the baseline, since each has the speed of the machine at its time.</param>
    public static CaseResult Summarize(string library, IReadOnlyList<LaunchResult> launches, bool isInterleaved = false)
    {
        RunResult[] answered = [.. launches.Select(launch => launch.Result).OfType<RunResult>().Where(HasFigures)];

        // If no launch may be used, the measured figures are still reported, and marked.
        RunResult[] quoted = answered.Any(result => result.Valid) ? [.. answered.Where(result => result.Valid)] : answered;
        bool isOpenLoop = quoted.All(result => result.Schedule is not null);
        CaseSummary? summary = quoted.Length == 0 ? null : new CaseSummary(SpreadOf(quoted.Select(result => result.MessagesPerSecond)))
        {
            P50Microseconds = LatencyOf(quoted, latency => latency.P50),
            P99Microseconds = LatencyOf(quoted, latency => latency.P99),
            P999Microseconds = isInterleaved && isOpenLoop ? LatencyOf(quoted, latency => latency.P999, 0.999) : null,
            MaxMicroseconds = isInterleaved && isOpenLoop ? quoted.Max(result => result.LatencyMicroseconds?.Max) : null,
            MessagesPerServerCpuSecond = SpreadOfServer(quoted, cost => cost.MessagesPerCpuSecond!.Value),
            ServerCpuMicroseconds = SpreadOfServer(quoted, cost => cost.CpuMicrosecondsPerMessage!.Value),
            Delivery = DeliveryOf(quoted),
            OwnFigures = !isInterleaved && OwnFiguresOf(quoted).ToArray() is { Length: > 0 } own ? own : null,
        };
        return new CaseResult(library, launches, summary, [.. FindInvalidity(launches, isInterleaved)]);
    }

    // A run that was aborted at the start of its measurement has no figures.
    private static bool HasFigures(RunResult result) =>
        result.MessagesPerSecond > 0 && double.IsFinite(result.MessagesPerSecond);

    private static IEnumerable<string> FindInvalidity(IReadOnlyList<LaunchResult> launches, bool isInterleaved)
    {
        if (launches.Count == 0)
        {
            yield return "It was not run.";
        }

        bool mayLeaveOut = 2 * launches.Count(launch => IsDisturbed(launch) || LoadFellShort(launch)) < launches.Count;
        foreach (LaunchResult launch in launches.Where(
            launch => launch.Failure is not null && !IsDisturbed(launch) && !(mayLeaveOut && LoadFellShort(launch))))
        {
            string what = launch.Result is null ? "failed" : "is invalid";
            yield return isInterleaved
                ? Invariant($"In set {launch.Number} it {what}: {launch.Failure}")
                : Invariant($"Launch {launch.Number} {what}: {launch.Failure}");
        }

        int disturbed = launches.Count(IsDisturbed);
        if (2 * disturbed >= launches.Count && disturbed > 0)
        {
            string? failure = launches.Last(IsDisturbed).Failure;
            string all = isInterleaved ? Plural.Format(launches.Count, "set") : Plural.Format(launches.Count, "launch", "launches");
            yield return $"The machine was disturbed in {disturbed} of {all} (limit: fewer than half). The last time: {failure}";
        }
    }

    private static bool IsDisturbed(LaunchResult launch) => launch.Result is { Verdict.Disturbed: true };

    private static bool LoadFellShort(LaunchResult launch) => launch.Result is { } result && Validity.IsOnlyLateOrLossy(result);

    // Of all launches together: one may have too few messages for it. The interval of the launches' median belongs to another estimate, and may not contain it.
    private static Spread? LatencyOf(RunResult[] results, Func<LatencySummary, double> figure, double share = 0)
    {
        LatencyReport[] latencies = [.. results.Select(result => result.Clients.Latency).Where(latency => latency.Microseconds is not null)];
        if (latencies.Length == 0)
        {
            return null;
        }

        Spread spread = SpreadOf(latencies.Select(latency => figure(latency.Microseconds!)));
        if (latencies.Any(latency => latency.Histogram is null))
        {
            return spread;
        }

        LatencyReport all = LatencyReport.Merge(latencies);
        return all.Count < LatencyReport.MinCount(share) ? null : new Spread(figure(all.Microseconds!), null, null, spread.Modes);
    }

    // A single launch has too few messages for a high percentile.
    private static DeliverySummary? DeliveryOf(RunResult[] results) =>
        results.All(result => result is { Schedule: not null, Relay: not null, Clients.Latency.Histogram: not null, IsOneWay: false })
        && LatencyReport.Merge([.. results.Select(result => result.Clients.Latency)]).Microseconds is { } latency
            ? new DeliverySummary(latency, results.Sum(result => result.Totals.Sent), results.Sum(result => result.Totals.Lost))
            {
                P99OfLaunches = results.All(result => result.LatencyMicroseconds is not null)
                    ? SpreadOf(results.Select(result => result.LatencyMicroseconds!.P99))
                    : null,
            }
            : null;

    private static IEnumerable<OwnFigure> OwnFiguresOf(RunResult[] results) =>
        from figure in results.SelectMany(result => result.OwnFigures)
        group figure.Value by (figure.Name, figure.Unit) into figures
        where figures.Count() == results.Length
        select new OwnFigure(figures.Key.Name, figures.Key.Unit, SpreadOfAny([.. figures.Order()]));

    // A count may be 0, of which ranks make an interval, and logarithms do not.
    private static Spread SpreadOfAny(double[] sorted)
    {
        Interval? interval = sorted[0] > 0 || sorted.Length >= MedianInterval.FewestForRanks ? MedianInterval.From(sorted) : null;
        return new Spread(Figures.MedianOf(sorted), interval?.Lower, interval?.Upper, []);
    }

    private static Spread? SpreadOfServer(RunResult[] results, Func<ProcessCost, double> figure)
    {
        ProcessCost[] costs =
        [
            .. results.Select(result => result.Costs.Server)
                .OfType<ProcessCost>()
                .Where(cost => cost is { Messages: > 0, CpuSeconds: > 0 }),
        ];
        return costs.Length == 0 ? null : SpreadOf(costs.Select(figure));
    }

    private static Spread SpreadOf(IEnumerable<double> figures)
    {
        // A coarse clock may report round trips of zero length. Statistics of ratios cannot use a zero.
        double[] positive = [.. figures.Where(figure => figure > 0)];
        if (positive.Length == 0)
        {
            return new Spread(0, null, null, []);
        }

        LaunchStatistics statistics = LaunchStatistics.From(positive);
        return new Spread(
            statistics.Median,
            statistics.Lower,
            statistics.Upper,
            statistics.Modes.Count < 2 ? [] : statistics.Modes);
    }
}
