using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>Latencies over percentiles, as few points as a plot can show.</summary>
internal static class LatencyCurve
{
    // More points than this look the same, and make the page large.
    private const int MostPoints = 40;
    private const double NanosecondsPerMicrosecond = 1000;
    private const double MostPosition = 12;

    public static Block PlotOf(string title, string? note, IEnumerable<NamedLatency> distributions, Palette palette) => new LatePlot(() =>
    {
        Series[] curves = [.. distributions.Select(distribution => CurveOf(distribution, palette)).OfType<Series>()];
        var percentiles = Axis.Percentiles(curves.SelectMany(curve => curve.Points).Select(point => point.X).DefaultIfEmpty().Max());
        return Plot.Lines(title, percentiles, Axis.Logarithmic, ShortTime, curves) with { Note = note, XTitle = "percentile, %", YTitle = "latency" };
    })
    { Media = Media.Html };

    // Without a histogram, the curve has the points of the summary alone.
    private static Series? CurveOf(NamedLatency distribution, Palette palette)
    {
        LatencyHistogram? histogram = distribution.Latency.Histogram is { } encoded ? HistogramCodec.Decode(encoded) : null;
        if (distribution.Latency.Microseconds is not { } summary || histogram is { Count: 0 })
        {
            return null;
        }

        double end = Math.Clamp(Math.Log10(Math.Max(1, histogram?.Count ?? distribution.Latency.Count)), 0, MostPosition);
        PlotPoint[] marks =
        [
            .. from mark in ((string Name, double Share, double Value)[])
               [
                   ("p50", 0.5, summary.P50), ("p90", 0.9, summary.P90), ("p99", 0.99, summary.P99), ("p99.9", 0.999, summary.P999),
                   ("p99.99", 0.9999, summary.P9999),
               ]
               where Axis.PositionOf(mark.Share) < end
               select new PlotPoint(Axis.PositionOf(mark.Share), mark.Value, $"{distribution.Name}, {mark.Name}: {Microseconds(mark.Value)}"),
            new PlotPoint(end, summary.Max, $"{distribution.Name}, max: {Microseconds(summary.Max)}"),
        ];
        IEnumerable<PlotPoint> line = histogram is not null ? PointsOf(histogram, summary, end)
            : summary.Min is { } least ? [new PlotPoint(0, least, null)]
            : [];

        // The line goes through its marks, although they are between its points.
        return new Series(distribution.Name, palette.Of(distribution.Name), [.. line.Concat(marks).OrderBy(point => point.X)])
        {
            Marks = marks,
            Line = "l",
            Words = $"{distribution.Name}: p50 {Microseconds(summary.P50)}, p99 {Microseconds(summary.P99)}, max {Microseconds(summary.Max)}",
        };
    }

    private static List<PlotPoint> PointsOf(LatencyHistogram histogram, LatencySummary summary, double end)
    {
        var points = new List<PlotPoint>();
        (long seen, int next) = (0, 0);
        foreach (HistogramBucket bucket in histogram.RecordedBuckets())
        {
            seen += bucket.Count;
            int first = next;
            while (next < MostPoints && RankOf(next, end, histogram.Count) <= seen)
            {
                next++;
            }

            // Of several points in one bucket, those between the ends of the horizontal line show nothing.
            double value = Math.Min(bucket.Highest / NanosecondsPerMicrosecond, Math.Max(summary.Max, bucket.Lowest / NanosecondsPerMicrosecond));
            points.AddRange(from index in Enumerable.Range(first, next - first)
                            where index == first || index == next - 1
                            select new PlotPoint(end * index / (MostPoints - 1), value, null));
        }

        return points;
    }

    private static double RankOf(int index, double end, long count) =>
        index == MostPoints - 1 ? count : Math.Max(1, Math.Ceiling((1 - Math.Pow(10, -end * index / (MostPoints - 1))) * count));
}

/// <summary>The course of a measurement: plots over the same time, one below the other.</summary>
internal static class TimelinePlots
{
    private static readonly (string Title, string Unit, Func<SideTimeline, IEnumerable<double>?> Of)[] s_figures =
    [
        ("Messages", "msg/s", side => side.Messages?.Zip(LengthsOf(side), (count, length) => count / length)),
        ("99th percentile of the latency", "ms", side => side.P99Microseconds?.Select(latency => latency / MicrosecondsPerMillisecond)),
        ("CPU time", "cores", side => side.CpuSeconds.Zip(LengthsOf(side), (used, length) => used / length)),
        ("Pauses by the garbage collector", "ms", side => side.PauseMilliseconds),
        ("Waiting work of the thread pool", "items", side => side.PoolQueue.Select(items => (double)items)),
        ("Threads of the thread pool", "threads", side => side.PoolThreads.Select(threads => (double)threads)),
    ];

    public static Section Of(RunResult run)
    {
        (string Name, string Style, SideTimeline Timeline)[] sides =
        [
            .. from side in ((string Name, SideTimeline? Timeline)[])[("Server", run.Server?.Timeline), ("Clients", run.Clients.Timeline)]
               where side.Timeline is { Seconds.Count: > 1 }
               select (run.Server?.Timeline is null ? "Process" : side.Name, string.Empty, side.Timeline),
        ];
        sides = [.. sides.Select((side, index) => side with { Style = $"s{index}" })];
        var time = Axis.Linear(sides.SelectMany(side => side.Timeline.Seconds), value => Figure(value, "0.##"));

        // A value that is 0 all the time needs no plot.
        return new Section("Course of the measurement",
        [
            .. from figure in s_figures
               let lines = (Series[])
               [
                   .. from side in sides
                      let values = figure.Of(side.Timeline)?.ToArray()
                      where values is not null && values.Any(value => value > 0)
                      let points = side.Timeline.Seconds.Zip(values, (end, value) => new PlotPoint(
                          end, value, Invariant($"{side.Name} at {end:0.0} s: {value:#,0.##} {figure.Unit}"))).ToArray()
                      select new Series(side.Name, $"{side.Style} q", points)
                      {
                          Words = $"least: {points.MinBy(point => point.Y).Tip}, most: {points.MaxBy(point => point.Y).Tip}",
                      },
               ]
               select Plot.Lines(figure.Title, time, Axis.Linear, Short, lines) with
               {
                   Height = 70,
                   YTitle = figure.Unit,
                   XTitle = "seconds",
                   Legend = sides.Length == 1 ? [] : [.. sides.Select(side => (side.Name, side.Style))],
               },
        ])
        { Media = Media.Html };
    }

    private static IEnumerable<double> LengthsOf(SideTimeline side) => side.Seconds.Zip(side.Seconds.Prepend(0), (end, begin) => Math.Max(end - begin, 1e-3));
}

/// <summary>The cost of a process, with its name and style.</summary>
internal sealed record Cost(string Name, string Style, ProcessCost Process)
{
    // Without messages there is the time of the whole process.
    private static readonly Column<Cost>[] s_whole =
    [
        new("CPU, s", cost => cost.Process.CpuSeconds) { Format = "N3" },
        new("user, s", cost => cost.Process.UserCpuSeconds) { Format = "N3", Priority = 4 },
        new("system, s", cost => cost.Process.SystemCpuSeconds) { Format = "N3", Priority = 4 },
        new("bytes allocated", cost => cost.Process.AllocatedBytes),
        new("messages", _ => "none counted"),
    ];

    private static readonly Column<Cost>[] s_perMessage =
    [
        new("CPU µs/msg", cost => cost.Process.CpuMicrosecondsPerMessage) { Format = "N3" },
        new("user", cost => cost.User) { Format = "N3", Priority = 4 },
        new("system", cost => cost.System) { Format = "N3", Priority = 4 },
        new("msg/CPU s", cost => cost.Process.MessagesPerCpuSecond) { Priority = 5 },
        new("bytes/msg", cost => cost.Process.AllocatedBytesPerMessage) { Format = "N2" },
    ];

    private static readonly Column<Cost>[] s_process =
    [
        new("GCs", cost => string.Join('/', cost.Process.Collections)),
        new("GC pauses", cost => cost.Process.PauseSeconds * 1000) { Format = "N1", Unit = " ms", Priority = 2 },
        new("threads", cost => cost.Process.PeakThreads) { Priority = 3 },
        new("MB resident", cost => cost.Process.PeakResidentBytes / BytesPerMegabyte) { Priority = 1, ShortTitle = "MB", IsOptional = true },
        new("context switches", cost => cost.Process is { VoluntaryContextSwitches: { } voluntary, InvoluntaryContextSwitches: { } involuntary }
            ? Invariant($"{voluntary:N0} + {involuntary:N0}")
            : null) { Priority = 7, IsOptional = true },
        new("lock contentions", cost => cost.Process.LockContentions) { Priority = 6, IsOptional = true },
    ];

    private double User => PerMessage(Process.UserCpuSeconds);

    private double System => PerMessage(Process.SystemCpuSeconds);

    private double Cpu => Process.CpuMicrosecondsPerMessage ?? 0;

    private double Bytes => Process.AllocatedBytesPerMessage ?? 0;

    /// <summary>Returns the costs of a run: of each side, or of both together.</summary>
    public static Cost[] Of(RunCosts costs) =>
    [
        .. from side in ((string Name, string Style, ProcessCost? Cost)[])
           [
               ("Server", "s0", costs.Server), ("Clients", "s1", costs.Clients), ("Server and clients", "s0", costs.Together),
           ]
           where side.Cost is not null
           select new Cost(side.Name, side.Style, side.Cost),
    ];

    public static Table? TableOf(IReadOnlyList<Cost> costs)
    {
        bool hasMessages = costs.Any(cost => cost.Process.Messages > 0);
        Table table = Table.Of("Cost", [new("side", cost => cost.Name) { IsText = true }, .. hasMessages ? s_perMessage : s_whole, .. s_process], costs);
        return costs.Count == 0 ? null
            : hasMessages ? table with { Bars = CpuPlot(string.Empty, costs), BarTitle = "█ user ▒ system", ColumnsBeforeBars = 2 }
            : table;
    }

    public static IEnumerable<Block> PlotsOf(string side, IEnumerable<Cost> all)
    {
        Cost[] costs = [.. all.Where(cost => cost.Process.Messages > 0)];
        return
        [
            CpuPlot($"{side}CPU time per message", costs),
            new Plot($"{side}Allocations per message", Axis.Linear(costs.Select(cost => cost.Bytes), Short))
            {
                XTitle = "bytes per message",
                Media = Media.Html,
                Rows = [.. costs.Select(cost => cost.RowOf(Figure(cost.Bytes, "N2"), " bytes", new PlotBar("b", cost.Bytes)))],
            },
        ];
    }

    private static Plot CpuPlot(string title, IReadOnlyList<Cost> costs) => new(title, Axis.Linear(costs.Select(cost => cost.Cpu), Short))
    {
        Note = "Full colour: outside the kernel (user). Pale: in the kernel (system).",
        XTitle = "µs per message",
        Media = Media.Html,
        Rows =
        [
            .. costs.Select(cost => cost.RowOf(
                Figure(cost.Cpu, "N3"), Invariant($" µs ({cost.User:N3} user, {cost.System:N3} system)"), new("b", cost.User), new("b2", cost.Cpu))),
        ],
    };

    private PlotRow RowOf(string value, string rest, params PlotBar[] bars) => new(Name, Style, value, $"{Name}: {value}{rest}") { Bars = bars };

    private double PerMessage(double seconds) => Process.Messages == 0 ? 0 : seconds * MicrosecondsPerSecond / Process.Messages;
}
