namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>Plots of lines.</summary>
internal static class LinePlot
{
    /// <summary>Writes latencies over percentiles.</summary>
    /// <param name="html">The page.</param>
    /// <param name="title">The title.</param>
    /// <param name="note">A remark that follows the title; null if there is none.</param>
    /// <param name="curves">The curves, of which those without values are left out. Nothing is written if there are none.</param>
    /// <param name="style">The styles of the curves.</param>
    public static void WriteCurves(HtmlWriter html, string title, string? note, IEnumerable<LatencyCurve?> curves, SeriesStyle style)
    {
        LatencyCurve[] known = [.. curves.OfType<LatencyCurve>()];
        if (known.Length == 0)
        {
            return;
        }

        PlotPoint[] points = [.. known.SelectMany(curve => curve.Points.Concat(curve.Marks))];
        var frame = new PlotFrame(title, string.Join("; ", known.Select(WordsOf)))
        {
            Note = note,
            HorizontalTitle = "percentile, %",
            VerticalTitle = "latency",
        };
        var x = PlotAxis.Percentiles(points.Max(point => point.X));
        var y = PlotAxis.Logarithmic(points.Select(point => point.Y), PlotLabels.Time);
        SvgPlot.Write(html, frame, x, y, plot =>
        {
            foreach (LatencyCurve curve in known)
            {
                Draw(plot, style.Of(curve.Name), "l", curve.Points, curve.Marks);
            }
        });
    }

    /// <summary>Writes lines over a horizontal axis of numbers.</summary>
    /// <param name="html">The page.</param>
    /// <param name="frame">The texts and the size.</param>
    /// <param name="x">The horizontal axis.</param>
    /// <param name="y">The vertical axis.</param>
    /// <param name="lines">The lines with their style.</param>
    public static void Write(HtmlWriter html, PlotFrame frame, PlotAxis x, PlotAxis y, IReadOnlyList<(string Style, IReadOnlyList<PlotPoint> Points)> lines) =>
        SvgPlot.Write(html, frame, x, y, plot =>
        {
            foreach ((string style, IReadOnlyList<PlotPoint> points) in lines)
            {
                Draw(plot, style, "l thin", points, points);
            }
        });

    private static void Draw(SvgPlot plot, string style, string line, IReadOnlyList<PlotPoint> points, IReadOnlyList<PlotPoint> marks)
    {
        using HtmlWriter.Scope group = plot.BeginGroup(style);
        Draw(plot, line, points, marks);
    }

    /// <summary>Draws a line through its points into a group that has begun.</summary>
    /// <param name="plot">The plot.</param>
    /// <param name="line">The style of the line.</param>
    /// <param name="points">The points, each of which has a tip.</param>
    public static void Draw(SvgPlot plot, string line, IReadOnlyList<PlotPoint> points) => Draw(plot, line, points, points);

    private static void Draw(SvgPlot plot, string line, IReadOnlyList<PlotPoint> points, IReadOnlyList<PlotPoint> marks)
    {
        if (points.Count > 1)
        {
            plot.Line(line, points);
        }

        foreach (PlotPoint mark in marks)
        {
            plot.Dot(mark);
        }
    }

    private static string WordsOf(LatencyCurve curve) => $"{curve.Name}: {curve.Words}";
}
