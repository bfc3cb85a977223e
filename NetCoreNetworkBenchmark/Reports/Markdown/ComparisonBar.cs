using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>
/// The bar of a case in a ranking: the ratio of its ranked figure to that of the best library, with an interval of its own. If two cases have the same noise,
/// the interval of their ratio is √2 times as wide as that of each. So each has 1/√2 of the interval of its ratio to the floor.
/// </summary>
internal static class ComparisonBar
{
    /// <summary>What the interval means, in a sentence.</summary>
    public const string Meaning = "two bars whose intervals do not overlap differ.";

    /// <summary>Returns the bar; null if the case has no ratio.</summary>
    public static RatioFigure? Of(BenchmarkResult benchmark, CaseResult found)
    {
        RatioFigure? best = FigureOf(benchmark, RankingTable.Ordered(benchmark).First());
        if (best is null || FigureOf(benchmark, found) is not { } figure)
        {
            return null;
        }

        double ratio = figure.Ratio / best.Ratio;
        return figure.HalfWidth / Math.Sqrt(2) is { } half
            ? new RatioFigure(ratio, ratio * Math.Exp(-half), ratio * Math.Exp(half))
            : new RatioFigure(ratio, null, null);
    }

    private static RatioFigure? FigureOf(BenchmarkResult benchmark, CaseResult found) =>
        benchmark.RankedBy == RankedFigure.ServerCpu ? found.ToFloor?.ServerCpu : found.ToFloor?.Rate;
}
