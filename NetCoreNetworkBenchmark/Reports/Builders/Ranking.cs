using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The ranking of a benchmark whose cases took turns: its tables and its plot, the best library first, and the baselines apart.</summary>
internal static class Ranking
{
    public const string TitleOfBaselines = "Raw sockets to compare with, not ranked";
    public const string MeaningOfIntervals = "two bars whose intervals do not overlap differ.";

    private static readonly Column<CaseResult> s_place = new("place", PlaceOf) { IsText = true };
    private static readonly Column<CaseResult> s_sets = new(
        "sets", result => result.Launches.Count == 0 ? "not run" : CaseBlocks.ValidOf(result)) { Priority = 5 };

    /// <summary>Returns whether a benchmark has figures in relation to a baseline.</summary>
    public static bool Fits(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.ToFloor is not null);

    /// <summary>Returns whether a benchmark has figures in relation to the best library, which results of earlier versions have not.</summary>
    public static bool HasBest(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.ToBest is not null);

    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult suite)
    {
        InterleavingMethod method = suite.Interleaving!;
        string sets = method.LimitSeconds is null ? Figure(suite.LaunchCount) : Invariant($"{suite.LaunchCount} or more");
        string baseline = suite.Benchmarks.Select(benchmark => benchmark.Floor).FirstOrDefault(baseline => baseline is not null) ?? "the baseline";
        return Invariant($"All libraries of a benchmark took turns in slices of {1000 * method.SliceSeconds:0} ms, in {sets} fresh sets of processes. ") +
            "A ratio is compared within the rounds, with half the width of its 95 % interval. Libraries that are undecided share a range of places. " +
            $"Messages per second and CPU time are the ratios to {baseline} times the median of {baseline}, so that they agree with the ratios. " +
            "Latencies are percentiles of all sets together.";
    }

    /// <summary>Returns the tables of the libraries and of the baselines. The bars of both have one scale.</summary>
    public static IEnumerable<Table> TablesOf(BenchmarkResult benchmark, Plot plot)
    {
        CaseResult[] all = [.. Ordered(benchmark)];
        foreach (bool isBaseline in (bool[])[false, true])
        {
            (CaseResult Case, PlotRow Row)[] rows = [.. all.Zip(plot.Rows).Where(row => row.First.IsBaseline == isBaseline)];
            if (rows.Length > 0)
            {
                Column<CaseResult>[] names = isBaseline ? [.. CaseBlocks.Names] : [s_place, .. CaseBlocks.Names];
                Column<CaseResult>[] figures = !HasBest(benchmark) ? ToBaseline(benchmark)
                    : benchmark.RankedBy == RankedFigure.ServerCpu ? AtRate(benchmark)
                    : AtFullRate(benchmark);
                string caption = isBaseline ? TitleOfBaselines : benchmark.Title;
                yield return Table.Of(caption, [.. names, .. figures, s_sets], rows.Select(row => row.Case), ToneOf) with
                {
                    HasTitle = isBaseline,
                    Bars = plot with { Rows = [.. rows.Select(row => row.Row)] },
                    BarTitle = "× best, ▒ 95 %",
                    ColumnsBeforeBars = names.Length,
                };
            }
        }
    }

    /// <summary>Returns the ratios to the best library as bars; baselines are pale.</summary>
    public static Plot PlotOf(BenchmarkResult benchmark, string load, Palette palette)
    {
        CaseResult[] cases = [.. Ordered(benchmark)];
        IEnumerable<double> ends = cases.Select(result => BarOf(benchmark, result)).OfType<RatioFigure>().Select(bar => bar.Upper ?? bar.Ratio);
        return new Plot($"{benchmark.Title}{load}", Axis.Linear(ends, Number))
        {
            XTitle = benchmark.RankedBy == RankedFigure.ServerCpu
                ? "server CPU per message, × of the best (lower is better)"
                : "messages per second, × of the best",
            Rows = [.. cases.Select(result => RowOf(benchmark, result, palette))],
            Media = Media.File,
        };
    }

    /// <summary>
    /// Returns the bar of a case: the ratio of its ranked figure to that of the best library, with an interval of its own. If two cases have the same noise,
    /// the interval of their ratio is √2 times as wide as that of each, so each has 1/√2 of the interval of its ratio to the baseline.
    /// </summary>
    public static RatioFigure? BarOf(BenchmarkResult benchmark, CaseResult result)
    {
        RatioFigure? FigureOf(CaseResult of) => benchmark.RankedBy == RankedFigure.ServerCpu ? of.ToFloor?.ServerCpu : of.ToFloor?.Rate;
        if (FigureOf(Ordered(benchmark).First()) is not { } best || FigureOf(result) is not { } figure)
        {
            return null;
        }

        double ratio = figure.Ratio / best.Ratio;
        return figure.HalfWidth / Math.Sqrt(2) is { } half
            ? new RatioFigure(ratio, ratio * Math.Exp(-half), ratio * Math.Exp(half))
            : new RatioFigure(ratio, null, null);
    }

    /// <summary>Returns the cases in the order of the ranking; baselines are after the libraries, and cases without a ratio last.</summary>
    public static IEnumerable<CaseResult> Ordered(BenchmarkResult benchmark) => benchmark.Cases
        .OrderBy(result => result.IsBaseline)
        .ThenBy(result => result.ToFloor is null)
        .ThenBy(result => benchmark.RankedBy == RankedFigure.ServerCpu ? result.ToFloor?.ServerCpu?.Ratio : -result.ToFloor?.Rate.Ratio);

    /// <summary>Returns the range of places of a case, such as "2 – 3".</summary>
    public static string PlaceOf(CaseResult? result) => result?.ToFloor switch
    {
        { Rank: { } first, LastRank: { } last } when last != first => Invariant($"{first} – {last}"),
        { Rank: { } only } => Figure(only),
        _ => "-",
    };

    /// <summary>Returns the messages per second of a case at the median speed of the baseline: in agreement with the ratios.</summary>
    public static double? RateOf(BenchmarkResult benchmark, CaseResult result) =>
        result.ToFloor?.Rate.Ratio * BaselineOf(benchmark)?.MessagesPerSecond.Median;

    /// <summary>Returns the server's CPU time per message, in microseconds, at the median speed of the baseline.</summary>
    public static double? CostOf(BenchmarkResult benchmark, CaseResult result) =>
        result.ToFloor?.ServerCpu?.Ratio * BaselineOf(benchmark)?.ServerCpuMicroseconds?.Median;

    /// <summary>Returns a ratio with half the width of its interval.</summary>
    public static string RatioOf(RatioFigure? figure) =>
        Figure(figure?.Ratio, "0.00") + (figure?.HalfWidth is { } half ? Invariant($" ±{100 * half:0.#} %") : string.Empty);

    /// <summary>Returns a ratio with half the width of its interval in whole per cent, rounded up.</summary>
    public static string ShortRatioOf(RatioFigure? figure) =>
        Figure(figure?.Ratio, "0.00") + (figure?.HalfWidth is { } half ? Invariant($" ±{Math.Ceiling((100 * half) - 1e-6):0}") : string.Empty);

    private static Column<CaseResult>[] AtFullRate(BenchmarkResult benchmark) =>
    [
        new("msg/s × best", result => RatioOf(result.ToBest?.Rate)),
        new("server CPU × best", result => RatioOf(result.ToBest?.ServerCpu)) { ShortTitle = "server CPU ×", Priority = 1 },
        new("msg/s", result => RateOf(benchmark, result) is { } rate ? rate : CaseBlocks.RateOf(result)),
        new("server CPU per message", result => Time(CostOf(benchmark, result))) { ShortTitle = "CPU", Priority = 2 },
    ];

    private static Column<CaseResult>[] AtRate(BenchmarkResult benchmark) =>
    [
        new("server CPU × best", result => RatioOf(result.ToBest?.ServerCpu)) { ShortTitle = "CPU × best" },
        new("of a core", result => CostOf(benchmark, result) * result.Summary?.MessagesPerSecond.Median / 1e6) { Format = "P0", Priority = 1 },
        new("bytes per message", result => result.MedianLaunch()?.Costs.Server?.AllocatedBytesPerMessage) { Format = "N1", ShortTitle = "bytes", Priority = 3 },
        new("p50", result => Time(result.Summary?.P50Microseconds?.Median)) { Priority = 4 },
        new("p99", result => Time(result.Summary?.P99Microseconds?.Median)),
        new("p99.9", result => Time(result.Summary?.P999Microseconds?.Median)) { Priority = 2 },
    ];

    private static Column<CaseResult>[] ToBaseline(BenchmarkResult benchmark) =>
    [
        new($"msg/s to {benchmark.Floor}", result => IntervalOf(result.ToFloor?.Rate)),
        .. CaseBlocks.Figures,
        new($"server CPU to {benchmark.Floor}", result => IntervalOf(result.ToFloor?.ServerCpu)) { Priority = 1 },
    ];

    private static string IntervalOf(RatioFigure? figure) => figure?.Lower is null
        ? Figure(figure?.Ratio, ThreeDecimals)
        : $"{Figure(figure.Ratio, ThreeDecimals)} ({Interval(figure.Lower, figure.Upper, ThreeDecimals)})";

    private static PlotRow RowOf(BenchmarkResult benchmark, CaseResult result, Palette palette)
    {
        RatioFigure? bar = BarOf(benchmark, result);
        string value = bar is null ? CaseBlocks.RateOf(result) : Figure(bar.Ratio, "0.00") + (result.Valid ? string.Empty : " (!)");
        return new PlotRow(result.Library, palette.Of(result.Library), value, WordsOf(benchmark, result))
        {
            Bars = bar is null ? [] : [new PlotBar(!result.Valid ? "b0" : result.IsBaseline ? "b2" : "b", bar.Ratio)],
            Interval = bar is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
        };
    }

    private static string WordsOf(BenchmarkResult benchmark, CaseResult result)
    {
        if (result.ToFloor is null)
        {
            return $"{result.Library}: {CaseBlocks.RateOf(result)}";
        }

        string place = result.IsBaseline ? "not ranked" : $"place {PlaceOf(result)}";
        string Best(RatioFigure? ratio) => result.ToBest is null ? string.Empty : $"{RatioOf(ratio)} × ";
        string rate = $"{Best(result.ToBest?.Rate)}the messages ({Figure(RateOf(benchmark, result))} msg/s)";
        string cost = $"{Best(result.ToBest?.ServerCpu)}the server CPU ({Time(CostOf(benchmark, result))} per message)";
        return $"{result.Library}: {place}, {rate}, {cost}{(result.Valid || result.Summary is null ? string.Empty : ", invalid")}";
    }

    private static Tone ToneOf(CaseResult result) => result.Valid ? Tone.Plain : Tone.Bad;

    private static CaseSummary? BaselineOf(BenchmarkResult benchmark) => benchmark.Cases.FirstOrDefault(result => result.Library == benchmark.Floor)?.Summary;
}
