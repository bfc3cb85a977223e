using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The cases of a benchmark: their plots, and the details of each.</summary>
internal static class CaseBlocks
{
    /// <summary>Returns the rate of a case, or why there is none.</summary>
    public static string RateOf(CaseResult result) =>
        result.Summary is { } summary ? Figure(summary.MessagesPerSecond.Median) : result.Launches.Count == 0 ? "not run" : "failed";

    public static string MarkedRateOf(CaseResult result) => RateOf(result) + (result.Valid || result.Summary is null ? string.Empty : " (invalid)");

    public static string ValidOf(CaseResult result) => Invariant($"{result.Launches.Count(launch => launch.IsValid)} of {result.Launches.Count}");

    public static RunResult[] MediansOf(params IEnumerable<BenchmarkResult> benchmarks) =>
        [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Select(result => result.MedianLaunch()).OfType<RunResult>()];

    /// <summary>Returns the table of the launches of a single case; none if there are several.</summary>
    public static IEnumerable<Block> LaunchTableOf(BenchmarkResult benchmark) => benchmark.Cases is not [{ Launches: { Count: > 1 } launches }] ? [] :
    [
        Table.Of<LaunchResult>(
            "Launches",
            [
                new("launch", launch => launch.Number),
                new("msg/s", launch => launch.MessagesPerSecond),
                new("p99", launch => Time(launch.P99Microseconds)),
                new("server CPU per message", launch => Time(launch.ServerCpuMicroseconds)) { Priority = 1 },
            ],
            launches,
            launch => launch.IsValid ? Tone.Plain : Tone.Bad) with { HasTitle = true },
    ];

    /// <summary>Returns the plots of a benchmark, each with all its cases.</summary>
    public static IEnumerable<Block> PlotsOf(BenchmarkResult benchmark, Palette palette)
    {
        string launch = benchmark.Baseline is null ? "launch" : "set";
        (CaseResult Case, RunResult Run)[] medians =
            [.. from result in benchmark.Cases let median = result.MedianLaunch() where median is not null select (result, median)];
        IEnumerable<Cost> costs =
            from median in medians
            let cost = median.Run.Costs.Server ?? median.Run.Costs.Together
            where cost is not null
            select new Cost(median.Case.Library, palette.Of(median.Case.Library), cost);
        return
        [
            LatencyCurve.PlotOf(
                "Latency over percentiles",
                $"Of the {launch} with the median rate alone; the table has the percentiles of all {launch}s together.",
                medians.Select(median => new NamedLatency(median.Case.Library, median.Run.Clients.Latency)),
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
                    $"{(result.ToBaseline is null ? "Launches" : "Sets")}: {string.Join(", ", result.Launches.Select(RateOf))} msg/s{BaselinesOf(result)}. " +
                        $"Below is the median one, with its own latencies{QueueingOf(result, median)}."),
                new Paragraph(CommonBlocks.TransportOf(median)),
                .. CommonBlocks.Invalid(median.InvalidReasons),

                // Notes are those of all launches, and follow the tables.
                .. RunBuilder.FiguresOf(median, remarks: []),
            ]
            : [],
    ])
    {
        IsFolded = true,
        Note = $": {RateOf(result)}{(result.Summary is null ? string.Empty : " msg/s")}{(result.Valid ? string.Empty : ", invalid")}",
        Media = media,
    };

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
        result.Launches.Any(launch => launch.Baseline is not null)
            ? $"; the baseline in the same sets: {string.Join(", ", result.Launches.Select(launch => Figure(launch.Baseline?.MessagesPerSecond)))}"
            : result.Launches.Any(launch => launch.Control is not null)
            ? $"; raw sockets just before each: {string.Join(", ", result.Launches.Select(launch => Figure(launch.Control)))}"
            : string.Empty;

    private static string RateOf(LaunchResult launch) =>
        launch.MessagesPerSecond is { } rate ? Figure(rate) + (launch.IsValid ? string.Empty : " (invalid)") : "failed";
}
