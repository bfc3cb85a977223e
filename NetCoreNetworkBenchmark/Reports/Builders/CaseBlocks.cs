using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The cases of a benchmark: their table if they did not take turns, their plots, and the details of each.</summary>
internal static class CaseBlocks
{
    public static IReadOnlyList<Column<CaseResult>> Names { get; } =
    [
        new("Library", result => result.Library) { IsText = true },
        new("Version", result => result.MedianLaunch()?.LibraryVersion) { IsText = true, Priority = 6 },
    ];

    /// <summary>The figures of a case that are in relation to nothing else.</summary>
    public static IReadOnlyList<Column<CaseResult>> Figures { get; } =
    [
        new("msg/s", result => result.InvalidReasons.Count > 0 && result.Summary is not null ? $"{RateOf(result)} (invalid)" : RateOf(result)),
        new("p50 of all", result => result.Summary?.P50Microseconds?.Median) { Unit = " µs", Priority = 4 },
        new("p99 of all", result => result.Summary?.P99Microseconds?.Median) { Unit = " µs", Priority = 1 },
        new("msg per server CPU second", result => result.Summary?.MessagesPerServerCpuSecond?.Median) { ShortTitle = "msg/CPU s", Priority = 5 },
    ];

    /// <summary>Returns the rate of a case, or why there is none.</summary>
    public static string RateOf(CaseResult result) =>
        result.Summary is { } summary ? Figure(summary.MessagesPerSecond.Median) : result.Launches.Count == 0 ? "not run" : "failed";

    public static string ValidOf(CaseResult result) => Invariant($"{result.Launches.Count(launch => launch.IsValid)} of {result.Launches.Count}");

    public static RunResult[] MediansOf(params IEnumerable<BenchmarkResult> benchmarks) =>
        [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Select(result => result.MedianLaunch()).OfType<RunResult>()];

    /// <summary>Returns the rates as bars, the highest first.</summary>
    public static Plot RatesOf(BenchmarkResult benchmark, Palette palette)
    {
        CaseResult[] cases = [.. ByRate(benchmark)];
        IEnumerable<double> ends = cases.Select(result => result.Summary?.MessagesPerSecond).OfType<Spread>().Select(rate => rate.Upper ?? rate.Median);
        return new Plot(benchmark.Title, Axis.Linear(ends, Short))
        {
            XTitle = "messages per second",
            Media = Media.Html,
            Rows =
            [
                .. from result in cases
                   let rate = result.Summary?.MessagesPerSecond
                   let interval = rate?.Lower is null ? string.Empty : $" ({Interval(rate.Lower, rate.Upper, "N0")})"
                   let words = rate is null ? RateOf(result) : $"{Figure(rate.Median)} msg/s{interval}{(result.Valid ? string.Empty : ", invalid")}"
                   select new PlotRow(
                       result.Library, palette.Of(result.Library), RateOf(result) + (result.Valid ? string.Empty : " (!)"), $"{result.Library}: {words}")
                   {
                       Bars = rate is null ? [] : [new PlotBar(result.Valid ? "b" : "b0", rate.Median)],
                       Interval = rate is { Lower: { } lower, Upper: { } upper } ? (lower, upper) : null,
                   },
            ],
        };
    }

    /// <summary>Returns the table of cases that did not take turns, and that of the launches of a single case.</summary>
    public static IEnumerable<Block> TablesOf(BenchmarkResult benchmark, Plot plot)
    {
        Column<CaseResult> interval = new(
            "95 % interval", result => Interval(result.Summary?.MessagesPerSecond.Lower, result.Summary?.MessagesPerSecond.Upper, "N0")) { Priority = 2 };
        yield return Table.Of(
            benchmark.Title,
            [.. Names, Figures[0], interval, .. Figures.Skip(1), new("launches", ValidOf)],
            ByRate(benchmark),
            result => result.Valid ? Tone.Plain : Tone.Bad) with
        {
            Bars = plot,
            BarTitle = "median, ▒ 95 %",
            ColumnsBeforeBars = 2,
        };
        if (benchmark.Cases is [{ Launches: { Count: > 1 } launches }])
        {
            yield return Table.Of(
                "Launches",
                [
                    new("launch", launch => launch.Number),
                    new("msg/s", launch => launch.MessagesPerSecond),
                    new("p99", launch => Time(launch.P99Microseconds)),
                    new("server CPU per message", launch => Time(launch.ServerCpuMicroseconds)) { Priority = 1 },
                ],
                launches,
                launch => launch.IsValid ? Tone.Plain : Tone.Bad) with
            {
                HasTitle = true,
            };
        }
    }

    /// <summary>Returns the plots of a benchmark, each with all its cases.</summary>
    public static IEnumerable<Block> PlotsOf(BenchmarkResult benchmark, Palette palette)
    {
        string launch = benchmark.Floor is null ? "launch" : "set";
        (CaseResult Case, RunResult Run)[] medians =
            [.. from result in benchmark.Cases let median = result.MedianLaunch() where median is not null select (result, median)];
        IEnumerable<Cost> costs =
            from median in medians
            let cost = median.Run.Costs.Server ?? median.Run.Costs.Together
            where cost is not null
            select new Cost(median.Case.Library, palette.Of(median.Case.Library), cost);
        return
        [
            .. LatencyCurve.PlotOf(
                "Latency over percentiles",
                $"Of the {launch} with the median rate alone; the table has the percentiles of all {launch}s together.",
                medians.Select(median => new Latencies(
                    median.Case.Library, median.Run.LatencyMicroseconds, median.Run.Histogram, median.Run.Messages.ClientReceived)),
                palette),
            .. LaunchesOf(benchmark, launch, palette),
            .. CostBlocks.PlotsOf(medians.Any(median => median.Run.Costs.Server is not null) ? "Server: " : "Server and clients: ", costs),
        ];
    }

    /// <summary>Returns the details of a case.</summary>
    public static Section DetailsOf(CaseResult result, Media media) => new(result.Library,
    [
        .. CommonBlocks.Invalid(result.InvalidReasons),
        .. result.MedianLaunch() is { } median
            ? (Block[])
            [
                new Paragraph(
                    $"{(result.ToFloor is null ? "Launches" : "Sets")}: {string.Join(", ", result.Launches.Select(RateOf))} msg/s{BaselinesOf(result)}. " +
                        $"Below is the median one, with its own latencies{QueueingOf(result, median)}."),
                new Paragraph(CommonBlocks.TransportOf(median)),
                .. CommonBlocks.Invalid(median.InvalidReasons),

                // Notes are those of all launches, and follow the tables.
                .. RunBuilder.FiguresOf(median with { Remarks = [] }),
            ]
            : [],
    ])
    {
        IsFolded = true,
        Note = $": {RateOf(result)}{(result.Summary is null ? string.Empty : " msg/s")}{(result.Valid ? string.Empty : ", invalid")}",
        Media = media,
    };

    private static IEnumerable<CaseResult> ByRate(BenchmarkResult benchmark) =>
        benchmark.Cases.OrderByDescending(result => result.Summary?.MessagesPerSecond.Median ?? -1);

    private static IEnumerable<Block> LaunchesOf(BenchmarkResult benchmark, string launch, Palette palette)
    {
        Series[] lines =
        [
            .. from result in benchmark.Cases
               let points = (PlotPoint[])
               [
                   .. from run in result.Launches.Index()
                      let rate = run.Item.MessagesPerSecond
                      where rate is not null
                      select new PlotPoint(
                          run.Index + 1,
                          rate.Value,
                          Invariant($"{result.Library}, {launch} {run.Index + 1}: {rate.Value:N0} msg/s{(run.Item.IsValid ? string.Empty : ", invalid")}"),
                          !run.Item.IsValid),
               ]
               where points.Length > 0
               select new Series(result.Library, palette.Of(result.Library), points)
               {
                   Words = $"{result.Library}: {string.Join(", ", result.Launches.Select(run => Figure(run.MessagesPerSecond)))} msg/s",
               },
        ];
        return lines.Length == 0 ? [] :
        [
            new Plot($"Rate over {launch}s", Axis.Numbers(benchmark.Cases.Max(result => result.Launches.Count)))
            {
                Note = lines.Any(line => line.Points.Any(point => point.IsHollow)) ? "Circles: invalid." : null,
                YTitle = "msg/s",
                XTitle = launch,
                Y = Axis.Logarithmic(lines.SelectMany(line => line.Points).Select(point => point.Y), Short),
                Series = lines,
                Media = Media.Html,
            },
        ];
    }

    // Little 1961: the number in flight is the rate times the round trip, so with a full window the latency is the inverse of the rate.
    private static string QueueingOf(CaseResult result, RunResult run) => result.ToBest is not null && run.Schedule is null
        ? ", which are queueing, because each client keeps its window full"
        : string.Empty;

    private static string BaselinesOf(CaseResult result) =>
        result.Launches.Any(launch => launch.Floor is not null)
            ? $"; the baseline in the same sets: {string.Join(", ", result.Launches.Select(launch => Figure(launch.Floor?.MessagesPerSecond)))}"
            : result.Launches.Any(launch => launch.Control is not null)
            ? $"; raw sockets just before each: {string.Join(", ", result.Launches.Select(launch => Figure(launch.Control)))}"
            : string.Empty;

    private static string RateOf(LaunchResult launch) =>
        launch.MessagesPerSecond is { } rate ? Figure(rate) + (launch.IsValid ? string.Empty : " (invalid)") : "failed";
}
