using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>The loads of one library alternate in slices and are compared within rounds. Those of several libraries are independent.</summary>
internal static class LoadRatios
{
    /// <param name="benchmarks">In their order. Their cases have figures in relation to the best one.</param>
    public static IReadOnlyList<BenchmarkResult> With(IReadOnlyList<BenchmarkResult> benchmarks, IReadOnlyList<PlanOption> varied)
    {
        Point[] points =
        [
            .. from benchmark in benchmarks
               let contrasts = benchmark.Baseline is null ? null : CaseContrasts.From(benchmark)
               from result in benchmark.Cases.Index()
               let plan = result.Item.MedianLaunch()?.Plan
               where plan is not null && contrasts is not null
               select new Point(benchmark, contrasts, result.Index, result.Item, plan),
        ];
        ILookup<object?, LoadRatio> ratios =
        (
            from option in varied
            from loads in points.GroupBy(point => (
                benchmarks.Count == 1 ? point.Plan.Library : point.Result.Library,
                string.Join(", ", varied.Where(other => other != option).Select(other => other.DescribeValue(point.Plan)))))
            let first = loads.First()
            from point in loads.Skip(1)
            select (point.Result, Ratio: RatioOf(option, point, first)))
            .ToLookup(ratio => ratio.Result, ratio => ratio.Ratio, ReferenceEqualityComparer.Instance);
        return
        [
            .. benchmarks.Select(benchmark => benchmark with
            {
                Cases = [.. benchmark.Cases.Select(result => ratios.Contains(result) ? result with { ToFirstLoad = [.. ratios[result]] } : result)],
            }),
        ];
    }

    private static LoadRatio RatioOf(PlanOption option, Point point, Point first)
    {
        bool isInRounds = point.Benchmark == first.Benchmark;
        bool hasLatency = point.Contrasts.P99 is not null && first.Contrasts.P99 is not null;
        return new LoadRatio(
            option.Name,
            option.FormatValues([first.Plan]),
            isInRounds,
            Of(figures => figures.MessagesPerSecond, contrasts => contrasts.Rates, launch => launch.MessagesPerSecond),
            Of(figures => figures.ServerCpuMicroseconds, contrasts => contrasts.ServerCpu, launch => launch.ServerCpuMicroseconds),
            hasLatency ? Of(figures => figures.P99Microseconds, contrasts => contrasts.P99!, launch => launch.P99Microseconds) : null);

        // The figures are those that all reports show. How sure their ratio is comes from the rounds, or from the sets of both.
        RatioFigure? Of(Func<CaseFigures, CaseFigure?> figure, Func<CaseContrasts, RoundContrasts> rounds, Func<LaunchResult, double?> ofSet)
        {
            SetRatio? known = isInRounds ? rounds(point.Contrasts).RatioOf(point.Index, first.Index) : BetweenSets(point.Result, first.Result, ofSet);
            return known is not null && figure(point.Figures)?.Value / figure(first.Figures)?.Value is { } ratio && double.IsFinite(ratio)
                ? new RatioFigure(ratio, ratio / known.Ratio * known.Lower, ratio / known.Ratio * known.Upper)
                : null;
        }
    }

    private static SetRatio? BetweenSets(CaseResult one, CaseResult other, Func<LaunchResult, double?> figure)
    {
        double[][] sets =
        [
            .. ((CaseResult[])[one, other]).Select(result =>
                result.Launches.Where(launch => launch.IsValid).Select(figure).OfType<double>().Where(value => value > 0).ToArray()),
        ];
        return sets.Any(set => set.Length == 0) ? null : SetRatio.Quotient(SetRatio.MeanOf(sets[0]), SetRatio.MeanOf(sets[1]));
    }

    private sealed record Point(BenchmarkResult Benchmark, CaseContrasts Contrasts, int Index, CaseResult Result, RunPlan Plan)
    {
        public CaseFigures Figures { get; } = CaseFigures.From(Benchmark, Result);
    }
}
