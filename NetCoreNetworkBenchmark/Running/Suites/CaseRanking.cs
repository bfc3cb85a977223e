using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Suites;

internal static class CaseRanking
{
    private const double MaxForecastSeconds = 7_200;

    /// <param name="benchmark">Its <see cref="BenchmarkResult.Decision"/> has the target half width and the time, if they are known.</param>
    /// <returns>The benchmark with its ratios, if it has a baseline, and the cases in their former order.</returns>
    public static BenchmarkResult Rank(BenchmarkResult benchmark)
    {
        if (benchmark.Baseline is null)
        {
            return benchmark;
        }

        var contrasts = CaseContrasts.From(benchmark);
        int baseline = benchmark.Cases.Index().FirstOrDefault(entry => entry.Item.Library == benchmark.Baseline).Index;
        int[] ranked = [.. benchmark.Cases.Index().Where(entry => !entry.Item.IsBaseline).Select(entry => entry.Index)];
        var rates = RankRanges.From(contrasts.Rates, ranked, baseline, highestFirst: true);
        var costs = RankRanges.From(contrasts.ServerCpu, ranked, baseline, highestFirst: false);
        RankRanges? medians = contrasts.P50 is { } p50 ? RankRanges.From(p50, ranked, baseline, highestFirst: false) : null;
        RankRanges? tails = contrasts.P99 is { } p99 ? RankRanges.From(p99, ranked, baseline, highestFirst: false) : null;
        RankedFigure rankedBy = RankedFigureOf(contrasts, ranked);
        RankRanges ranks = rankedBy == RankedFigure.ServerCpu ? costs : rates;
        return benchmark with
        {
            RankedBy = rankedBy,
            Cases = [.. benchmark.Cases.Select(Related)],
            Decision = benchmark.Decision is { } decision ? Decide(benchmark, decision, ranks) : null,
        };

        CaseResult Related(CaseResult caseResult, int index)
        {
            if (contrasts.Rates.RatioOf(index, baseline) is not { } ratio)
            {
                return caseResult;
            }

            (int First, int Last)? places = ranks.Of(index);
            return caseResult with
            {
                ToBaseline = new BaselineRatio(FigureOf(ratio), places?.First)
                {
                    LastRank = places is { } range && range.Last != range.First ? range.Last : null,
                    StandardError = ratio.StandardError,
                    DegreesOfFreedom = ratio.Degrees,
                    ServerCpu = contrasts.ServerCpu.RatioOf(index, baseline) is { } ofServer ? FigureOf(ofServer) : null,
                },
                ToBest = ToBest(rates, index) is not { } rate
                    ? null
                    : new BestRatio(rate, ToBest(costs, index), ToBest(medians, index), ToBest(tails, index)),
            };
        }
    }

    private static RatioFigure? ToBest(RankRanges? ranks, int index) => ranks?.ToBest(index) is { } ratio ? FigureOf(ratio, ranks) : null;

    // The server's CPU time is what users pay for, and scatters half as much as the rate. If one server does not report it, the rate ranks all of them.
    private static RankedFigure RankedFigureOf(CaseContrasts contrasts, int[] ranked)
    {
        int[] cases = [.. ranked.Where(contrasts.Rates.Has)];
        return cases.Length > 0 && cases.All(contrasts.ServerCpu.Has) ? RankedFigure.ServerCpu : RankedFigure.MessagesPerSecond;
    }

    private static Decision Decide(BenchmarkResult benchmark, Decision known, RankRanges ranks)
    {
        int sets = benchmark.Cases.Max(caseResult => caseResult.Launches.Count);
        UndecidedPair[] undecided =
        [
            .. from pair in ranks.Undecided()
               where pair.Ratio is not null
               select new UndecidedPair(
                   benchmark.Cases[pair.Better].Library,
                   benchmark.Cases[pair.Worse].Library,
                   FigureOf(pair.Ratio, ranks),
                   MoreSeconds(pair.Ratio, known.Seconds, sets, ranks.LargestConfidence)),
        ];

        // A set that failed makes its case invalid for good, so no further set is for its intervals.
        return known with
        {
            HalfWidth = ranks.WidestHalfWidth(index => benchmark.Cases[index].Valid),
            Undecided = undecided,
            Confidence = ranks.Confidence,
        };
    }

    // The time until the interval at the level of the first step of Holm's procedure excludes 1, if further sets are like those so far.
    private static double? MoreSeconds(SetRatio ratio, double seconds, int sets, double confidence)
    {
        if (ratio is not { StandardError: { } error, Degrees: { } degrees } || sets == 0 || seconds <= 0)
        {
            return null;
        }

        // Each further set narrows the interval, so the number of sets is found by bisection. Sets can be short, and two hours have many of them.
        double ofSet = seconds / sets;
        int min = 1;
        int max = (int)Math.Min(MaxForecastSeconds / ofSet, int.MaxValue);
        if (max < min || !IsDecidedAfter(max))
        {
            return null;
        }

        while (min < max)
        {
            int middle = min + ((max - min) / 2);
            (min, max) = IsDecidedAfter(middle) ? (min, middle) : (middle + 1, max);
        }

        return min * ofSet;

        bool IsDecidedAfter(int more)
        {
            double factor = ((double)sets + more) / sets;
            double half = StudentInterval.HalfWidth(error / Math.Sqrt(factor), degrees * factor, confidence);
            return half < Math.Abs(Math.Log(ratio.Ratio));
        }
    }

    private static RatioFigure FigureOf(SetRatio ratio) => new(ratio.Ratio, ratio.Lower, ratio.Upper);

    // The interval that a reader sees is the one that decides.
    private static RatioFigure FigureOf(SetRatio ratio, RankRanges ranks)
    {
        RatioInterval? interval = ratio.IntervalAt(ranks.Confidence);
        return new RatioFigure(ratio.Ratio, interval?.Lower, interval?.Upper);
    }
}
