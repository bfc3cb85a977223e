using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>In relation to the best library if the cases were interleaved, with separate baselines; otherwise by rate.</summary>
internal static class Ranking
{
    public const string TitleOfBaselines = "Raw sockets to compare with, not ranked";
    public const string MeaningOfIntervals = "the interval of the table: a case whose interval is without 1.00 differs from the best.";

    // Slices of one length differ by less.
    private const double FactorOfLonger = 1.2;

    // A larger difference matters to most users.
    private const double MaxBound = 0.1;

    public static bool AppliesTo(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.ToBaseline is not null);

    public static bool HasBest(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.ToBest is not null);

    public static bool HasLatency(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.ToBest?.P99 is not null);

    public static string MethodOf(SuiteResult suite)
    {
        InterleavingMethod method = suite.Interleaving!;
        string sets = method.LimitSeconds is null ? Plural.Format(suite.LaunchCount, "fresh set") : Invariant($"{suite.LaunchCount} or more fresh sets");
        string baseline = suite.Benchmarks.Select(benchmark => benchmark.Baseline).FirstOrDefault(baseline => baseline is not null) ?? "the baseline";
        double longest = CaseBlocks.MediansOf(suite.Benchmarks).Where(run => run.Clients.Idle is not null)
            .Select(run => run.DurationSeconds / Math.Max(1, run.Clients.Iterations.Count)).Append(0).Max();
        string longer = longest > FactorOfLonger * method.SliceSeconds
            ? Invariant($" (up to {1000 * longest:0} ms of loads that begin again after each pause)")
            : string.Empty;
        return Invariant($"All libraries of a benchmark were measured in alternating slices of {1000 * method.SliceSeconds:0} ms{longer}, ") +
            Invariant($"in {sets} of processes. ") +
            $"A ratio is compared within the rounds, ± half of the {IntervalOf(suite)}. Libraries that are undecided share a range of places. " +
            $"Messages per second and CPU time are the ratios on the scale on which {baseline} has its median, so that they agree with the ratios. " +
            (suite.Benchmarks.Any(HasLatency)
                ? $"p50 and p99 at a fixed rate are those of a slice, on the scale on which {baseline} has its geometric mean."
                : "Latencies are percentiles of all sets together.");
    }

    public static string IntervalOf(SuiteResult suite) => suite.Benchmarks.Any(benchmark => benchmark.Decision?.Confidence is not null)
        ? "interval that decides (95 % for the whole ranking)"
        : "95 % interval";

    public static IEnumerable<Table> TablesOf(BenchmarkResult benchmark, Plot plot) =>
        from row in Ordered(benchmark).Zip(plot.Rows)
        group row by AppliesTo(benchmark) && row.First.IsBaseline into rows
        let table = Table.Create(
            rows.Key ? TitleOfBaselines : benchmark.Title, ColumnsOf(benchmark), rows.Select(row => row.First), CaseBlocks.ToneOf) with
        { HasTitle = rows.Key }
        select table.WithBars(
            plot with { Rows = [.. rows.Select(row => row.Second)] },
            AppliesTo(benchmark) ? $"{RelationOf(benchmark)}, ▒ ±" : "median, ▒ 95 %",
            table.Columns.TakeWhile(column => column.IsText).Count());

    public static Plot PlotOf(BenchmarkResult benchmark, string load, Palette palette)
    {
        bool isRanked = AppliesTo(benchmark);
        CaseResult[] cases = [.. Ordered(benchmark)];
        IEnumerable<double> ends = cases.Select(result => BarOf(benchmark, result)).OfType<RatioFigure>()

            // An interval that shows nothing would leave no room for the bars.
            .Select(bar => bar.IsOpen ? bar.Ratio : bar.Upper ?? bar.Ratio);
        return new Plot($"{benchmark.Title}{load}", Axis.Linear(ends, isRanked ? Number : Short))
        {
            XTitle = !isRanked ? "messages per second"
                : benchmark.RankedBy == RankedFigure.ServerCpu ? $"server CPU per message, {RelationOf(benchmark)} (lower is better)"
                : $"messages per second, {RelationOf(benchmark)}",
            Media = Media.File,
            Rows =
            [
                .. from result in cases
                   let bar = BarOf(benchmark, result)
                   let value = !isRanked || result.Summary is null ? CaseBlocks.RateOf(benchmark, result)
                       : bar is null ? (result.Valid ? "-" : "invalid")
                       : Figure(bar.Ratio, "0.00")
                   select new PlotRow(
                       result.Library,
                       palette.Of(result.Library),
                       value + (bar is null || result.Valid ? string.Empty : " (!)"),
                       $"{result.Library}: {(bar is null ? value : Describe(benchmark, result))}")
                   {
                       Bars = bar is null ? [] : [(StyleOf(result, isRanked), bar.Ratio)],
                       Interval = bar is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
                   },
            ],
        };
    }

    public static RatioFigure? BarOf(BenchmarkResult benchmark, CaseResult result) => AppliesTo(benchmark) ? FigureOf(benchmark, result, benchmark.RankedBy)
        : CaseFigures.From(benchmark, result).MessagesPerSecond is { } rate ? new RatioFigure(rate.Value, rate.Lower, rate.Upper)
        : null;

    public static IEnumerable<CaseResult> Ordered(BenchmarkResult benchmark) => !AppliesTo(benchmark)
        ? benchmark.Cases.OrderByDescending(result => CaseFigures.From(benchmark, result).MessagesPerSecond?.Value ?? -1)
        : benchmark.Cases
            .OrderBy(result => result.IsBaseline)
            .ThenBy(result => !HasPlace(result))
            .ThenBy(result => FigureOf(benchmark, result, benchmark.RankedBy) is null)
            .ThenBy(result => (benchmark.RankedBy == RankedFigure.ServerCpu ? 1 : -1) * FigureOf(benchmark, result, benchmark.RankedBy)?.Ratio);

    /// <summary>One valid set of several does not show how much sets differ.</summary>
    public static bool HasPlace(CaseResult result) =>
        result.ToBaseline?.Rank is not null && result.Launches.Count(launch => launch.IsValid) >= Math.Min(2, result.Launches.Count);

    public static string PlaceOf(CaseResult? result) => result is null || !HasPlace(result) ? "-" : result.ToBaseline switch
    {
        { Rank: { } first, LastRank: { } last } when last != first => Invariant($"{first} – {last}"),
        var only => Figure(only!.Rank),
    };

    public static string RatioOf(RatioFigure? figure) =>
        Figure(figure?.Ratio, "0.00") + (figure is { IsOpen: true } ? " ±>100 %"
            : figure?.HalfWidth is { } half ? Invariant($" ±{100 * half:0.#} %")
            : string.Empty);

    /// <summary>The least difference in whole per cent that all intervals exclude; null if it is above 10, or if a ratio differs from 1.</summary>
    public static double? BoundOf(params IEnumerable<RatioFigure?> ratios)
    {
        double?[] bounds = [.. ratios.Select(ratio => ratio?.Bound)];
        return bounds.Length > 0 && bounds.All(bound => bound <= MaxBound) ? Math.Max(1, Math.Ceiling((100 * bounds.Max()!.Value) - 1e-6)) : null;
    }

    public static string? NoDifferenceOf(params IEnumerable<RatioFigure?> ratios) =>
        BoundOf(ratios) is { } bound ? Invariant($"no difference above {bound:0} %") : null;

    public static string ShortRatioOf(RatioFigure? figure) =>
        Figure(figure?.Ratio, "0.00") + (figure is { IsOpen: true } ? " ±>100"
            : figure?.HalfWidth is { } half ? Invariant($" ±{Math.Max(0, Math.Ceiling((100 * half) - 1e-6)):0}")
            : string.Empty);

    // A column without a value is left out: the rows that have none return null.
    private static Column<CaseResult>[] ColumnsOf(BenchmarkResult benchmark)
    {
        (bool isRanked, bool hasBest) = (AppliesTo(benchmark), HasBest(benchmark));
        bool hasRate = isRanked && Loads.HaveRate(benchmark);
        bool hasLatency = hasRate && HasLatency(benchmark);
        Column<CaseResult> If(
            bool condition, string title, Func<CaseResult, object?> value, int priority = 0, string? shortTitle = null,
            Func<CaseResult, string>? text = null) =>
            new(title, result => condition ? value(result) : null) { IsOptional = true, Priority = priority, ShortTitle = shortTitle, Text = text };
        CaseFigures Of(CaseResult result) => CaseFigures.From(benchmark, result);
        object? CoresOf(CaseResult result) => Of(result).ServerCpuMicroseconds?.Value * Of(result).MessagesPerSecond?.Value / MicrosecondsPerSecond;
        Column<CaseResult> IfRatio(bool condition, string name, string shortName, int priority, Func<CaseResult, RatioFigure?> figure) => If(
            condition && isRanked, $"{name} {RelationOf(benchmark)}", result => figure(result)?.Ratio, priority, $"{shortName} {RelationOf(benchmark)}",
            result => RatioOf(figure(result)));
        Column<CaseResult> IfRanked(bool condition, RankedFigure figure, string name, string shortName) =>
            IfRatio(condition, name, shortName, figure == benchmark.RankedBy ? 0 : 1, result => FigureOf(benchmark, result, figure));
        Column<CaseResult> IfTime(bool condition, string title, Func<CaseResult, double?> time, int priority = 0, string? shortTitle = null) =>
            If(condition, title, result => time(result), priority, shortTitle, result => Time(time(result)));

        // All libraries have the rate of a load whose rate is fixed.
        Column<CaseResult>[] ratios =
        [
            IfRanked(true, RankedFigure.ServerCpu, "server CPU", "CPU"),
            IfRanked(!hasRate || benchmark.RankedBy == RankedFigure.MessagesPerSecond, RankedFigure.MessagesPerSecond, "msg/s", "msg/s"),
        ];
        return
        [
            If(isRanked, "place", result => result.IsBaseline ? null : PlaceOf(result)) with { IsText = true },
            new("Library", CaseBlocks.NameOf) { IsText = true, IsRowHeader = true },
            new("Version", result => result.MedianLaunch()?.LibraryVersion) { IsText = true, Priority = 6 },
            .. ratios.OrderBy(column => column.Priority),
            IfRatio(hasLatency, "p99", "p99", 0, result => result.ToBest?.P99),
            IfRatio(hasLatency, "p50", "p50", 4, result => result.ToBest?.P50),
            If(!hasRate, "msg/s", result => Of(result).MessagesPerSecond?.Value, text: result => CaseBlocks.RateOf(benchmark, result)) with
            {
                IsOptional = hasRate,
            },
            If(
                !isRanked, "95 % interval", result => Of(result).MessagesPerSecond?.Lower, 2,
                text: result => Interval(Of(result).MessagesPerSecond?.Lower, Of(result).MessagesPerSecond?.Upper, "N0")),
            IfTime(hasBest, "server CPU per message", result => Of(result).ServerCpuMicroseconds?.Value, 2, "CPU"),
            If(hasRate, "of a core", CoresOf, 1) with { Format = "P0" },
            IfTime(hasRate, "p50", result => Of(result).P50Microseconds?.Value, 4),
            IfTime(hasRate, "p99", result => Of(result).P99Microseconds?.Value, hasLatency ? 2 : 0),
            IfTime(hasRate && !hasLatency, "p99.9", result => result.Summary?.P999Microseconds?.Median, 2),
            IfTime(!hasBest && !hasRate, "p50 of all", result => Of(result).P50Microseconds?.Value, 4),
            IfTime(!hasBest && !hasRate, "p99 of all", result => Of(result).P99Microseconds?.Value, 1),
            If(true, "wire B/msg", result => Of(result).WireBytes, 3) with { Format = "N1" },
            If(true, "wire overhead", result => Of(result).WireOverhead, 3) with { Format = "P0" },
            If(true, "packets/msg", result => Of(result).WirePackets, 3) with { Format = "N3" },
            If(hasRate, "kbit/s per client", result => Of(result).WireKilobitsPerClient, 3, "kbit/s") with { Format = "N1" },
            If(!hasBest, "msg per server CPU second", result => result.Summary?.MessagesPerServerCpuSecond?.Median, 5, "msg/CPU s"),
            new(isRanked ? "sets" : "launches", result => result.Launches.Count == 0 ? "not run" : CaseBlocks.ValidOf(result)) { Priority = isRanked ? 5 : 0 },
        ];
    }

    private static string RelationOf(BenchmarkResult benchmark) => HasBest(benchmark) ? "× best" : $"to {benchmark.Baseline}";

    private static string StyleOf(CaseResult result, bool isRanked) => !result.Valid ? PlotStyle.InvalidBar
        : isRanked && result.IsBaseline ? PlotStyle.PaleBar
        : PlotStyle.Bar;

    private static string Describe(BenchmarkResult benchmark, CaseResult result)
    {
        string validity = result.Valid || result.Summary is null ? string.Empty : ", invalid";
        if (!AppliesTo(benchmark))
        {
            CaseFigure rate = CaseFigures.From(benchmark, result).MessagesPerSecond!;
            return $"{Figure(rate.Value)} msg/s{(rate.Lower is null ? string.Empty : $" ({Interval(rate.Lower, rate.Upper, "N0")})")}{validity}";
        }

        CaseFigures absolute = CaseFigures.From(benchmark, result);
        string Figures(RankedFigure figure, string name, string value) => FigureOf(benchmark, result, figure) is not { } ratio ? string.Empty
            : $", {(result.ToBest is null ? string.Empty : $"{RatioOf(ratio)} × ")}{name} ({value})";
        string ofCpu = Figures(RankedFigure.ServerCpu, "the server CPU", $"{Time(absolute.ServerCpuMicroseconds?.Value)} per message");
        string ofRate = Figures(RankedFigure.MessagesPerSecond, "the messages", $"{Figure(absolute.MessagesPerSecond?.Value)} msg/s");
        string figures = benchmark.RankedBy == RankedFigure.ServerCpu ? ofCpu + ofRate : ofRate + ofCpu;
        return $"{(result.IsBaseline ? "not ranked" : $"place {PlaceOf(result)}")}{figures}{validity}";
    }

    public static RatioFigure? FigureOf(BenchmarkResult benchmark, CaseResult? result, RankedFigure figure) => (HasBest(benchmark), figure) switch
    {
        (true, RankedFigure.ServerCpu) => result?.ToBest?.ServerCpu,
        (true, _) => result?.ToBest?.Rate,
        (false, RankedFigure.ServerCpu) => result?.ToBaseline?.ServerCpu,
        _ => result?.ToBaseline?.Rate,
    };
}
