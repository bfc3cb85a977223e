using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The course of a measurement: plots over the same time, one below the other.</summary>
internal static class TimelinePlots
{
    private const double Height = 70;
    private const double MillisecondsPerSecond = 1000;

    public static void Write(HtmlWriter html, TimelineResult timeline)
    {
        (string Name, SideTimeline Timeline)[] sides =
        [
            .. from side in ((string Name, SideTimeline? Timeline)[])[("Server", timeline.Server), ("Clients", timeline.Clients)]
               where side.Timeline is { Seconds.Count: > 1 }
               select (timeline.Server is null ? "Process" : side.Name, side.Timeline),
        ];
        if (sides.Length == 0)
        {
            return;
        }

        using HtmlWriter.Scope section = html.BeginSection("Course of the measurement");
        var style = new SeriesStyle(sides.Select(side => side.Name));
        style.WriteLegend(sides.Select(side => side.Name), html);
        using HtmlWriter.Scope plots = html.BeginPlots();
        using HtmlWriter.Scope column = html.Begin("div");
        var time = PlotAxis.Linear(sides.SelectMany(side => side.Timeline.Seconds), value => Invariant($"{value:0.##}"));
        void Panel(string title, string unit, Func<SideTimeline, IReadOnlyList<double>?> values) => WritePanel(html, title, unit, time, style, sides, values);

        Panel("Messages", "msg/s", side => side.Messages is null ? null : [.. side.Messages.Zip(LengthsOf(side), (count, length) => count / length)]);
        Panel("99th percentile of the latency", "ms", side => side.P99Microseconds is null ? null : [.. side.P99Microseconds.Select(Milliseconds)]);
        Panel("CPU time", "cores", side => [.. side.CpuSeconds.Zip(LengthsOf(side), (used, length) => used / length)]);
        Panel("Pauses by the garbage collector", "ms", side => side.PauseMilliseconds);
        Panel("Waiting work of the thread pool", "items", side => [.. side.PoolQueue.Select(items => (double)items)]);
        Panel("Threads of the thread pool", "threads", side => [.. side.PoolThreads.Select(threads => (double)threads)]);
    }

    // A value that is 0 all the time needs no plot.
    private static void WritePanel(
        HtmlWriter html,
        string title,
        string unit,
        PlotAxis time,
        SeriesStyle style,
        (string Name, SideTimeline Timeline)[] sides,
        Func<SideTimeline, IReadOnlyList<double>?> valuesOf)
    {
        (string Name, PlotPoint[] Points)[] lines =
        [
            .. from side in sides
               let values = valuesOf(side.Timeline)
               where values is not null && values.Any(value => value > 0)
               select (side.Name, side.Timeline.Seconds.Zip(values, (end, value) => PointOf(side.Name, end, value, unit)).ToArray()),
        ];
        if (lines.Length == 0)
        {
            return;
        }

        string words = string.Join(
            "; ", lines.Select(line => $"least: {line.Points.MinBy(point => point.Y).Tip}, most: {line.Points.MaxBy(point => point.Y).Tip}"));
        var frame = new PlotFrame(title, words) { Height = Height, VerticalTitle = unit, HorizontalTitle = "seconds" };
        LinePlot.Write(
            html,
            frame,
            time,
            PlotAxis.Linear(lines.SelectMany(line => line.Points).Select(point => point.Y), PlotLabels.Short),
            [.. lines.Select(line => ($"{style.Of(line.Name)} q", (IReadOnlyList<PlotPoint>)line.Points))]);
    }

    private static PlotPoint PointOf(string side, double end, double value, string unit) =>
        new(end, value, Invariant($"{side} at {end:0.0} s: {value:#,0.##} {unit}"));

    private static IEnumerable<double> LengthsOf(SideTimeline side) => side.Seconds.Zip(side.Seconds.Prepend(0), (end, begin) => Math.Max(end - begin, 1e-3));

    private static double Milliseconds(double microseconds) => microseconds / MillisecondsPerSecond;
}
