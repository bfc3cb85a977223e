using NetCoreNetworkBenchmark.Reports.Documents;
using static System.FormattableString;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>
/// The cases of a benchmark as a table and a plot: in relation to the best library if they were interleaved, with the baselines apart; otherwise their rates.
/// </summary>
internal static class Ranking
{
    public const string TitleOfBaselines = "Raw sockets to compare with, not ranked";
    public const string MeaningOfIntervals = "two bars whose intervals do not overlap differ.";

    public static bool Fits(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.ToBaseline is not null);

    /// <summary>Returns whether a benchmark has figures in relation to the best library, which results of earlier versions have not.</summary>
    public static bool HasBest(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.ToBest is not null);

    public static string MethodOf(SuiteResult suite)
    {
        InterleavingMethod method = suite.Interleaving!;
        string sets = method.LimitSeconds is null ? Figure(suite.LaunchCount) : Invariant($"{suite.LaunchCount} or more");
        string baseline = suite.Benchmarks.Select(benchmark => benchmark.Baseline).FirstOrDefault(baseline => baseline is not null) ?? "the baseline";
        return Invariant($"All libraries of a benchmark were measured in alternating slices of {1000 * method.SliceSeconds:0} ms, ") +
            Invariant($"in {sets} fresh sets of processes. ") +
            "A ratio is compared within the rounds, with half the width of its 95 % interval. Libraries that are undecided share a range of places. " +
            $"Messages per second and CPU time are the ratios on the scale on which {baseline} has its median, so that they agree with the ratios. " +
            "Latencies are percentiles of all sets together.";
    }

    /// <summary>Returns the tables of the libraries and of the baselines. The bars of both have one scale.</summary>
    public static IEnumerable<Table> TablesOf(BenchmarkResult benchmark, Plot plot) =>
        from row in Ordered(benchmark).Zip(plot.Rows)
        group row by Fits(benchmark) && row.First.IsBaseline into rows
        let table = Table.Of(
            rows.Key ? TitleOfBaselines : benchmark.Title,
            ColumnsOf(benchmark),
            rows.Select(row => row.First),
            CaseBlocks.ToneOf)
        select table with
        {
            HasTitle = rows.Key,
            Bars = plot with { Rows = [.. rows.Select(row => row.Second)] },
            BarTitle = Fits(benchmark) ? "× best, ▒ 95 %" : "median, ▒ 95 %",
            ColumnsBeforeBars = table.Columns.TakeWhile(column => column.IsText).Count(),
        };

    /// <summary>Returns the figures of the ranking as bars; baselines are pale.</summary>
    public static Plot PlotOf(BenchmarkResult benchmark, string load, Palette palette)
    {
        bool isRanked = Fits(benchmark);
        CaseResult[] cases = [.. Ordered(benchmark)];
        IEnumerable<double> ends = cases.Select(result => BarOf(benchmark, result)).OfType<RatioFigure>().Select(bar => bar.Upper ?? bar.Ratio);
        return new Plot($"{benchmark.Title}{load}", Axis.Linear(ends, isRanked ? Number : Short))
        {
            XTitle = !isRanked ? "messages per second"
                : benchmark.RankedBy == RankedFigure.ServerCpu ? "server CPU per message, × of the best (lower is better)"
                : "messages per second, × of the best",
            Media = Media.File,
            Rows =
            [
                .. from result in cases
                   let bar = BarOf(benchmark, result)
                   let value = bar is null || !isRanked ? CaseBlocks.RateOf(result) : Figure(bar.Ratio, "0.00")
                   select new PlotRow(
                       result.Library,
                       palette.Of(result.Library),
                       value + (bar is null || result.Valid ? string.Empty : " (!)"),
                       $"{result.Library}: {(bar is null ? value : WordsOf(benchmark, result))}")
                   {
                       Bars = bar is null ? [] : [new PlotBar(StyleOf(result, isRanked), bar.Ratio)],
                       Interval = bar is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
                   },
            ],
        };
    }

    /// <summary>
    /// Returns the bar of a case: its rate, or the ratio of its ranked figure to that of the best library, with an interval of its own. If two cases have the
    /// same noise, the interval of their ratio is √2 times as wide as that of each, so each has 1/√2 of the interval of its ratio to the baseline.
    /// </summary>
    public static RatioFigure? BarOf(BenchmarkResult benchmark, CaseResult result)
    {
        if (!Fits(benchmark))
        {
            return result.Summary?.MessagesPerSecond is { } rate ? new RatioFigure(rate.Median, rate.Lower, rate.Upper) : null;
        }

        if (FigureOf(benchmark, Ordered(benchmark).First(), benchmark.RankedBy) is not { } best
            || FigureOf(benchmark, result, benchmark.RankedBy) is not { } figure)
        {
            return null;
        }

        // Results of earlier versions have no ratio to the best library, which is then the first one by the ratios to the baseline.
        double ratio = HasBest(benchmark) ? figure.Ratio : figure.Ratio / best.Ratio;
        RatioFigure? toBaseline = benchmark.RankedBy == RankedFigure.ServerCpu ? result.ToBaseline?.ServerCpu : result.ToBaseline?.Rate;
        return toBaseline?.HalfWidth / Math.Sqrt(2) is { } half
            ? new RatioFigure(ratio, ratio * Math.Exp(-half), ratio * Math.Exp(half))
            : new RatioFigure(ratio, null, null);
    }

    /// <summary>Returns the cases, the best first; baselines are after the libraries, and cases without figures last.</summary>
    public static IEnumerable<CaseResult> Ordered(BenchmarkResult benchmark) => !Fits(benchmark)
        ? benchmark.Cases.OrderByDescending(result => result.Summary?.MessagesPerSecond.Median ?? -1)
        : benchmark.Cases
            .OrderBy(result => result.IsBaseline)
            .ThenBy(result => FigureOf(benchmark, result, benchmark.RankedBy) is null)
            .ThenBy(result => (benchmark.RankedBy == RankedFigure.ServerCpu ? 1 : -1) * FigureOf(benchmark, result, benchmark.RankedBy)?.Ratio);

    /// <summary>Returns the range of places of a case, such as "2 – 3".</summary>
    public static string PlaceOf(CaseResult? result) => result?.ToBaseline switch
    {
        { Rank: { } first, LastRank: { } last } when last != first => Invariant($"{first} – {last}"),
        { Rank: { } only } => Figure(only),
        _ => "-",
    };

    /// <summary>Returns the messages per second of a case at the median speed of the baseline: in agreement with the ratios.</summary>
    public static double? RateOf(BenchmarkResult benchmark, CaseResult result) => AtBaseline(benchmark, result, RankedFigure.MessagesPerSecond);

    /// <summary>Returns the server's CPU time per message, in microseconds, at the median speed of the baseline.</summary>
    public static double? CostOf(BenchmarkResult benchmark, CaseResult result) => AtBaseline(benchmark, result, RankedFigure.ServerCpu);

    public static string RatioOf(RatioFigure? figure) =>
        Figure(figure?.Ratio, "0.00") + (figure?.HalfWidth is { } half ? Invariant($" ±{100 * half:0.#} %") : string.Empty);

    /// <summary>Returns a ratio with half the width of its interval in whole per cent, rounded up.</summary>
    public static string ShortRatioOf(RatioFigure? figure) =>
        Figure(figure?.Ratio, "0.00") + (figure?.HalfWidth is { } half ? Invariant($" ±{Math.Ceiling((100 * half) - 1e-6):0}") : string.Empty);

    // A column without a value is left out: the rows that have none return null.
    private static Column<CaseResult>[] ColumnsOf(BenchmarkResult benchmark)
    {
        (bool isRanked, bool hasBest, bool isCost) = (Fits(benchmark), HasBest(benchmark), benchmark.RankedBy == RankedFigure.ServerCpu);
        Column<CaseResult> If(
            bool condition, string title, Func<CaseResult, object?> value, int priority = 0, string? shortTitle = null,
            Func<CaseResult, string>? text = null) =>
            new(title, result => condition ? value(result) : null) { IsOptional = true, Priority = priority, ShortTitle = shortTitle, Text = text };
        double? Rate(CaseResult result) => (hasBest ? RateOf(benchmark, result) : null) ?? result.Summary?.MessagesPerSecond.Median;
        Column<CaseResult> IfRatio(bool condition, string title, Func<CaseResult, RatioFigure?> ratio, Func<RatioFigure?, string> text, int priority = 0) =>
            If(condition, title, result => ratio(result)?.Ratio, priority, text: result => text(ratio(result)));
        Column<CaseResult> IfTime(bool condition, string title, Func<CaseResult, double?> time, int priority = 0, string? shortTitle = null) =>
            If(condition, title, result => time(result), priority, shortTitle, result => Time(time(result)));
        return
        [
            If(isRanked, "place", result => result.IsBaseline ? null : PlaceOf(result)) with { IsText = true },
            new("Library", CaseBlocks.NameOf) { IsText = true, IsRowHeader = true },
            new("Version", result => result.MedianLaunch()?.LibraryVersion) { IsText = true, Priority = 6 },
            IfRatio(hasBest && !isCost, "msg/s × best", result => result.ToBest?.Rate, RatioOf),
            IfRatio(hasBest, "server CPU × best", result => result.ToBest?.ServerCpu, RatioOf, isCost ? 0 : 1) with
            {
                ShortTitle = isCost ? "CPU × best" : "server CPU ×",
            },
            IfRatio(isRanked && !hasBest, $"msg/s to {benchmark.Baseline}", result => result.ToBaseline?.Rate, IntervalOf),
            If(!hasBest || !isCost, "msg/s", result => Rate(result), text: result => Rate(result) is { } rate ? Figure(rate) : CaseBlocks.RateOf(result)) with
            {
                IsOptional = hasBest && isCost,
            },
            If(
                !isRanked, "95 % interval", result => result.Summary?.MessagesPerSecond.Lower, 2,
                text: result => Interval(result.Summary?.MessagesPerSecond.Lower, result.Summary?.MessagesPerSecond.Upper, "N0")),
            IfTime(hasBest && !isCost, "server CPU per message", result => CostOf(benchmark, result), 2, "CPU"),
            If(isCost, "of a core", result => CostOf(benchmark, result) * result.Summary?.MessagesPerSecond.Median / 1e6, 1) with { Format = "P0" },
            If(isCost, "bytes per message", result => result.MedianLaunch()?.Costs.Server?.AllocatedBytesPerMessage, 3, "bytes") with { Format = "N1" },
            IfTime(isCost, "p50", result => result.Summary?.P50Microseconds?.Median, 4),
            IfTime(isCost, "p99", result => result.Summary?.P99Microseconds?.Median),
            IfTime(isCost, "p99.9", result => result.Summary?.P999Microseconds?.Median, 2),
            If(!hasBest, "p50 of all", result => result.Summary?.P50Microseconds?.Median, 4) with { Unit = " µs" },
            If(!hasBest, "p99 of all", result => result.Summary?.P99Microseconds?.Median, 1) with { Unit = " µs" },
            If(!hasBest, "msg per server CPU second", result => result.Summary?.MessagesPerServerCpuSecond?.Median, 5, "msg/CPU s"),
            IfRatio(isRanked && !hasBest, $"server CPU to {benchmark.Baseline}", result => result.ToBaseline?.ServerCpu, IntervalOf, 1),
            new(isRanked ? "sets" : "launches", result => result.Launches.Count == 0 ? "not run" : CaseBlocks.ValidOf(result)) { Priority = isRanked ? 5 : 0 },
        ];
    }

    private static string StyleOf(CaseResult result, bool isRanked) => !result.Valid ? PlotStyle.InvalidBar
        : isRanked && result.IsBaseline ? PlotStyle.PaleBar
        : PlotStyle.Bar;

    private static string IntervalOf(RatioFigure? figure) => figure?.Lower is null
        ? Figure(figure?.Ratio, ThreeDecimals)
        : $"{Figure(figure.Ratio, ThreeDecimals)} ({Interval(figure.Lower, figure.Upper, ThreeDecimals)})";

    private static string WordsOf(BenchmarkResult benchmark, CaseResult result)
    {
        string validity = result.Valid || result.Summary is null ? string.Empty : ", invalid";
        if (!Fits(benchmark))
        {
            Spread rate = result.Summary!.MessagesPerSecond;
            return $"{Figure(rate.Median)} msg/s{(rate.Lower is null ? string.Empty : $" ({Interval(rate.Lower, rate.Upper, "N0")})")}{validity}";
        }

        string Best(RatioFigure? ratio) => result.ToBest is null ? string.Empty : $"{RatioOf(ratio)} × ";
        return $"{(result.IsBaseline ? "not ranked" : $"place {PlaceOf(result)}")}, " +
            $"{Best(result.ToBest?.Rate)}the messages ({Figure(RateOf(benchmark, result))} msg/s), " +
            $"{Best(result.ToBest?.ServerCpu)}the server CPU ({Time(CostOf(benchmark, result))} per message){validity}";
    }

    // In relation to the best library; in results of earlier versions, to the baseline.
    private static RatioFigure? FigureOf(BenchmarkResult benchmark, CaseResult? result, RankedFigure figure) => (HasBest(benchmark), figure) switch
    {
        (true, RankedFigure.ServerCpu) => result?.ToBest?.ServerCpu,
        (true, _) => result?.ToBest?.Rate,
        (false, RankedFigure.ServerCpu) => result?.ToBaseline?.ServerCpu,
        _ => result?.ToBaseline?.Rate,
    };

    private static double? AtBaseline(BenchmarkResult benchmark, CaseResult result, RankedFigure figure)
    {
        CaseResult? baseline = benchmark.Cases.FirstOrDefault(candidate => candidate.Library == benchmark.Baseline);
        Spread? speed = figure == RankedFigure.ServerCpu ? baseline?.Summary?.ServerCpuMicroseconds : baseline?.Summary?.MessagesPerSecond;
        return FigureOf(benchmark, result, figure)?.Ratio / FigureOf(benchmark, baseline, figure)?.Ratio * speed?.Median;
    }
}
