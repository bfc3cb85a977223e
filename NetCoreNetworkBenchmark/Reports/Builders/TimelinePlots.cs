using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The course of a measurement: plots over the same time, one below the other.</summary>
internal static class TimelinePlots
{
    private const double Height = 70;

    private static readonly (string Title, string Unit, Func<SideTimeline, IEnumerable<double>?> Of)[] s_figures =
    [
        ("Messages", "msg/s", side => side.Messages?.Zip(LengthsOf(side), (count, length) => count / length)),
        ("99th percentile of the latency", "ms", side => side.P99Microseconds?.Select(latency => latency / MicrosecondsPerMillisecond)),
        ("CPU time", "cores", side => side.CpuSeconds.Zip(LengthsOf(side), (used, length) => used / length)),
        ("Pauses by the garbage collector", "ms", side => side.PauseMilliseconds),
        ("Waiting work of the thread pool", "items", side => side.PoolQueue.Select(items => (double)items)),
        ("Threads of the thread pool", "threads", side => side.PoolThreads.Select(threads => (double)threads)),
    ];

    public static IEnumerable<Block> Of(RunResult run)
    {
        (string Name, SideTimeline Timeline)[] sides =
        [
            .. from side in ((string Name, SideTimeline? Timeline)[])[("Server", run.Server?.Timeline), ("Clients", run.Clients.Timeline)]
               where side.Timeline is { Seconds.Count: > 1 }
               select (run.Server?.Timeline is null ? "Process" : side.Name, side.Timeline),
        ];
        if (sides.Length == 0)
        {
            return [];
        }

        var time = Axis.Linear(sides.SelectMany(side => side.Timeline.Seconds), value => Figure(value, "0.##"));
        var palette = new Palette(sides.Select(side => side.Name));
        return
        [
            new Section("Course of the measurement", [.. s_figures.Select(figure => PlotOf(figure, time, palette, sides)).OfType<Plot>()])
            {
                Media = Media.Html,
            },
        ];
    }

    // A value that is 0 all the time needs no plot.
    private static Plot? PlotOf(
        (string Title, string Unit, Func<SideTimeline, IEnumerable<double>?> Of) figure,
        Axis time,
        Palette palette,
        (string Name, SideTimeline Timeline)[] sides)
    {
        Series[] lines =
        [
            .. from side in sides
               let values = figure.Of(side.Timeline)?.ToArray()
               where values is not null && values.Any(value => value > 0)
               let points = side.Timeline.Seconds.Zip(values, (end, value) => new PlotPoint(
                   end, value, Invariant($"{side.Name} at {end:0.0} s: {value:#,0.##} {figure.Unit}"))).ToArray()
               select new Series(side.Name, $"{palette.Of(side.Name)} q", points)
               {
                   Words = $"least: {points.MinBy(point => point.Y).Tip}, most: {points.MaxBy(point => point.Y).Tip}",
               },
        ];
        return lines.Length == 0 ? null : new Plot(figure.Title, time)
        {
            Height = Height,
            YTitle = figure.Unit,
            XTitle = "seconds",
            Y = Axis.Linear(lines.SelectMany(line => line.Points).Select(point => point.Y), Short),
            Series = lines,
            Legend = sides.Length == 1 ? [] : [.. sides.Select(side => (side.Name, palette.Of(side.Name)))],
        };
    }

    private static IEnumerable<double> LengthsOf(SideTimeline side) => side.Seconds.Zip(side.Seconds.Prepend(0), (end, begin) => Math.Max(end - begin, 1e-3));
}
