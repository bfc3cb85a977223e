using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

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

    public static Section Create(RunResult run)
    {
        (string Name, string Style, SideTimeline Timeline)[] sides =
        [
            .. from side in ((string Name, SideTimeline? Timeline)[])[("Server", run.Server?.Timeline), ("Clients", run.Clients.Timeline)]
               where side.Timeline is { Seconds.Count: > 1 }
               select (run.Server?.Timeline is null ? "Process" : side.Name, string.Empty, side.Timeline),
        ];
        sides = [.. sides.Select((side, index) => side with { Style = PlotStyle.Colour(index) })];
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
                      select new Series(side.Name, $"{side.Style} {PlotStyle.PointsUnderMouse}", points)
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
