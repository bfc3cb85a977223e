using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>
/// Loads over bad networks. Of open loops: messages that came back, high percentiles of their round trips, and messages that were lost; of closed loops: how
/// much of a stream arrives.
/// </summary>
internal static class Deliveries
{
    public const string MeaningOfPackets = "\"packets lost\" is the share of packets that the path really lost, to the server and to the clients.";

    private const double BitsPerByte = 8;

    private static readonly Percentile[] s_described = [Percentile.P50, Percentile.P99, Percentile.P999];

    private static readonly Column<CaseResult> s_delivery =
        new("Delivery", result => result.MedianLaunch() is { } run ? run.Plan.Variant ?? run.Transmission.ToLowerInvariant() : null) { IsText = true };

    // The median over the launches with its interval, which the percentile of all messages together does not have.
    private static readonly Column<CaseResult> s_p99OfLaunches =
        new("p99 of launches", result => result.Summary?.Delivery?.P99OfLaunches?.Median / MicrosecondsPerMillisecond)
        {
            Text = result => result.Summary?.Delivery?.P99OfLaunches is { } launches
                ? Invariant($"{launches.Median / MicrosecondsPerMillisecond:N1} ") +
                    $"({Interval(launches.Lower / MicrosecondsPerMillisecond, launches.Upper / MicrosecondsPerMillisecond, "N1")}) ms"
                : "-",
        };

    // The bytes of both directions, with all headers, that the relay saw for each message that a client received.
    private static readonly Column<CaseResult> s_wireBytes = new(
        "wire B/msg",
        result => result.MedianLaunch() is { Relay: { Neighbour: null, Counts: { ToServer.Wire: { } toServer, ToClients.Wire: { } toClients } } } run
            && run.Totals.Received > 0
            ? (double)(toServer.Bytes + toClients.Bytes) / run.Totals.Received
            : null)
    {
        Format = "N0",
        Priority = 7,
        IsOptional = true,
    };

    public static bool AppliesTo(BenchmarkResult benchmark) => benchmark.Cases.Any(result => result.Summary?.Delivery is not null);

    public static bool IsGoodput(BenchmarkResult benchmark) => benchmark is { Baseline: null, Part: not null }
        && CaseBlocks.MediansOf(benchmark) is { Length: > 0 } runs && runs.All(run => run is { Schedule: null, Relay: not null });

    public static string MethodOf(SuiteResult suite, string launches)
    {
        RunResult[] streams = [.. CaseBlocks.MediansOf(suite.Benchmarks).Where(run => run.ClientLibrary is not null)];
        string clients = Loads.DriverOf(streams) is { } driver ? $" The clients over TCP are those of {driver}." : string.Empty;
        string rate = suite.Benchmarks.FirstOrDefault(Ranking.HasBest)?.Baseline is { } baseline
            ? $"in proportion to those of {baseline}, whose figure is the median of its sets"
            : $"as the median of {launches}";
        string tails = suite.Benchmarks.Any(HasLaunches) ? "\"p99 of launches\" is their median with its 95 % interval, and " : string.Empty;
        return "Each client sends on schedule, whether or not answers arrive (open loop). \"msg/s\" counts the messages that came back, " +
            $"{rate}; {tails}the other figures are of all launches together. A round trip counts from the time at " +
            $"which the message was due. \"lost\" is the share of messages without an answer.{clients}";
    }

    public static Table? TableOf(BenchmarkResult benchmark) => AppliesTo(benchmark) || IsGoodput(benchmark)
        ? Table.Create(benchmark.Title, ColumnsOf(benchmark), benchmark.Cases, CaseBlocks.ToneOf)
        : null;

    public static bool HavePlots(IEnumerable<BenchmarkResult> benchmarks) => benchmarks.All(IsGoodput)
        || (MeasuredOf(benchmarks) is { Length: > 0 } measured && measured.All(benchmark => AppliesTo(benchmark) && benchmark.Baseline is null));

    public static IEnumerable<Plot> PlotsOf(IEnumerable<BenchmarkResult> benchmarks, Palette palette)
    {
        bool areGoodputs = benchmarks.All(IsGoodput);
        var bars = new GroupedBars(areGoodputs ? [.. benchmarks] : MeasuredOf(benchmarks), palette, areGoodputs ? DescribeGoodput : DescribeDelivery);
        return areGoodputs ?
        [
            bars.Plot("Goodput", Number, (benchmark, result) => MegabitsOf(benchmark, result) is { } goodput
                ? (goodput.Lower ?? goodput.Value, goodput.Upper ?? goodput.Value, goodput.Value)
                : null) with { YTitle = "Mbit/s, 95 % interval between launches (line: median)" },
        ] :
        [
            bars.Plot("Round trips", ShortTime, (_, result) => result.Summary?.Delivery is { } delivery
                ? (delivery.Microseconds.P50, HighestOf(delivery), Percentile.P99.In(delivery.Microseconds, delivery.Returned))
                : null) with { YTitle = "round trip, p50 to p99.9 (line: p99)" },
            bars.Plot("99th percentile between launches", ShortTime, (_, result) => result.Summary?.Delivery?.P99OfLaunches is { } launches
                ? (launches.Lower ?? launches.Median, launches.Upper ?? launches.Median, launches.Median)
                : null) with { YTitle = "p99, 95 % interval between launches (line: median)" },
        ];
    }

    private static Column<CaseResult>[] ColumnsOf(BenchmarkResult benchmark)
    {
        bool isDelivery = AppliesTo(benchmark);
        return
        [
            new(
                "Library", result => (isDelivery ? result.MedianLaunch()?.Library ?? result.Library : result.Library) + CaseBlocks.MarkOf(result),
                IsText: true, IsRowHeader: true),
            .. isDelivery ? [s_delivery] : (Column<CaseResult>[])[],
            new("Version", result => result.MedianLaunch()?.LibraryVersion) { IsText = true, Priority = 9 },
            .. isDelivery ? DeliveriesOf(benchmark) : [GoodputOf(benchmark)],
            .. OwnFiguresOf(benchmark),
            s_wireBytes,
            new("launches", CaseBlocks.ValidOf) { Priority = 8 },
        ];
    }

    // Where the latencies of slices are compared, those of all launches are named separately.
    private static Column<CaseResult>[] DeliveriesOf(BenchmarkResult benchmark) =>
    [
        new("msg/s", result => CaseFigures.From(benchmark, result).MessagesPerSecond?.Value) { Text = result => CaseBlocks.RateOf(benchmark, result) },
        Latency(benchmark, Percentile.P50, 2),
        Latency(benchmark, Percentile.P90, 5),
        HasLaunches(benchmark) ? s_p99OfLaunches : Latency(benchmark, Percentile.P99, 0),
        Latency(benchmark, Percentile.P999, 1),
        Latency(benchmark, new("longest", 1, latency => latency.Max), 3),
        new("lost", result => (double?)result.Summary?.Delivery?.Lost / result.Summary?.Delivery?.Sent)
        {
            Text = result => Share(result.Summary?.Delivery?.Lost, result.Summary?.Delivery?.Sent),
        },
        new("packets lost", result => result.MedianLaunch()?.Relay?.Counts is { ToServer.Received: > 0 } path
            ? $"{Share(path.ToServer.Dropped, path.ToServer.Received)}, {Share(path.ToClients.Dropped, path.ToClients.Received)}"
            : null) { Priority = 6 },
    ];

    private static Column<CaseResult> GoodputOf(BenchmarkResult benchmark) => new("Mbit/s", result => MegabitsOf(benchmark, result)?.Value)
    {
        Text = result => MegabitsOf(benchmark, result) is { } goodput
            ? Figure(goodput.Value, "0.00") + (goodput.Lower is null ? string.Empty : $" ({Interval(goodput.Lower, goodput.Upper, "0.00")})")
            : CaseBlocks.RateOf(benchmark, result),
    };

    // A column for each of the load's own figures: the median over the launches with its interval.
    private static IEnumerable<Column<CaseResult>> OwnFiguresOf(BenchmarkResult benchmark) =>
        from name in benchmark.Cases.SelectMany(result => result.Summary?.OwnFigures ?? []).Select(figure => figure.Name).Distinct()
        let find = (Func<CaseResult, OwnFigure?>)(result => result.Summary?.OwnFigures?.FirstOrDefault(figure => figure.Name == name))
        select new Column<CaseResult>(name, result => find(result)?.Spread.Median, Text: result => find(result) is { } figure ? Describe(figure) : "-");

    private static string Describe(OwnFigure figure)
    {
        (double factor, string unit, string format) = figure.Unit == "µs" ? (1 / MicrosecondsPerMillisecond, " ms", "N1")
            : (1, figure.Unit.Length > 0 ? $" {figure.Unit}" : string.Empty, "#,0.##");
        Spread spread = figure.Spread;
        string interval = spread.Lower is null || spread.Lower == spread.Upper
            ? string.Empty
            : $" ({Interval(spread.Lower * factor, spread.Upper * factor, format)})";
        return $"{Figure(spread.Median * factor, format)}{interval}{unit}";
    }

    private static bool HasLaunches(BenchmarkResult benchmark) =>
        benchmark.Baseline is null && benchmark.Cases.Any(result => result.Summary?.Delivery?.P99OfLaunches?.Lower is not null);

    private static Column<CaseResult> Latency(BenchmarkResult benchmark, Percentile percentile, int priority) =>
        new(
            Ranking.HasLatency(benchmark) ? $"{percentile.Name} of all sets" : percentile.Name,
            result => result.Summary?.Delivery is { } delivery ? percentile.In(delivery.Microseconds, delivery.Returned) / MicrosecondsPerMillisecond : null)
        {
            Format = "0.0",
            Unit = " ms",
            Priority = priority,
        };

    private static string Share(long? part, long? whole) => whole is > 0 ? Invariant($"{(double)part!.Value / whole.Value * 100:0.##} %") : "-";

    private static BenchmarkResult[] MeasuredOf(IEnumerable<BenchmarkResult> benchmarks) =>
        [.. benchmarks.Where(benchmark => benchmark.Cases.Any(result => result.Summary is not null))];

    // Too few messages have no high percentile.
    private static double HighestOf(DeliverySummary delivery) =>
        Percentile.P999.In(delivery.Microseconds, delivery.Returned)
        ?? Percentile.P99.In(delivery.Microseconds, delivery.Returned)
        ?? delivery.Microseconds.P50;

    private static string DescribeGoodput(BenchmarkResult benchmark, CaseResult result) => $"{Figure(MegabitsOf(benchmark, result)?.Value, "0.00")} Mbit/s";

    private static string DescribeDelivery(BenchmarkResult benchmark, CaseResult result) => result.Summary?.Delivery is { } delivery
        ? string.Concat(from percentile in s_described
                        let time = percentile.In(delivery.Microseconds, delivery.Returned)
                        where time is not null
                        select $"{percentile.Name} {Milliseconds(time)}, ") + $"{CaseBlocks.RateOf(benchmark, result)} msg/s"
        : CaseBlocks.RateOf(benchmark, result);

    private static CaseFigure? MegabitsOf(BenchmarkResult benchmark, CaseResult result)
    {
        double megabits = result.MedianLaunch() is { } run ? run.Plan.MessageSize * BitsPerByte / NeighbourReport.BitsPerMegabit : 0;
        return CaseFigures.From(benchmark, result).MessagesPerSecond is { } rate
            ? new CaseFigure(rate.Value * megabits, rate.Lower * megabits, rate.Upper * megabits)
            : null;
    }
}
