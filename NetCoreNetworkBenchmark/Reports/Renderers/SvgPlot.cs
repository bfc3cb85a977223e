using System.Globalization;
using System.Text;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>A plot as SVG. Its width is that of a phone, so that the text can be read there. Wide pages have several in a row.</summary>
internal sealed class SvgPlot
{
    public const double Width = 460;

    private const double WidthOfLetter = 6.9;
    private const double SpaceOfTitle = 20;
    private const double SpaceOfLabels = 20;
    private const double LeastSpace = 8;
    private const double HeightOfRow = 22;
    private const double HeightOfLabel = 16;
    private const double WidestLabel = 160;
    private const double WidthOfKey = 24;
    private const double HeightOfLevel = 5;

    private readonly Plot _plot;
    private readonly bool _isLabelAbove;
    private readonly double _heightOfRow;
    private readonly (string Name, string Style, double X, double Y)[] _legend;
    private readonly double _left;
    private readonly double _right;
    private readonly double _top;
    private readonly double _bottom;

    public SvgPlot(Plot plot)
    {
        _plot = plot;
        bool hasRows = plot.Rows.Count > 0;
        double widest = hasRows ? plot.Rows.Max(row => WidthOf(row.Name)) : 0;
        _isLabelAbove = widest > WidestLabel;
        _heightOfRow = HeightOfRow + (_isLabelAbove ? HeightOfLabel : 0);
        _left = !hasRows ? 62 : _isLabelAbove ? LeastSpace : widest + LeastSpace;
        _right = Width - (hasRows ? plot.Rows.Max(row => WidthOf(row.Value)) + LeastSpace : 10);
        _legend = [.. LegendOf(plot)];
        _top = (_legend.Length == 0 ? 0 : _legend[^1].Y + LeastSpace) + (plot.YTitle is null ? 4 : SpaceOfTitle);
        _bottom = _top + (hasRows ? (_heightOfRow * plot.Rows.Count) + 4 : plot.Height);
        Height = _bottom + SpaceOfLabels + (plot.XTitle is null ? 0 : SpaceOfTitle);
    }

    public double Height { get; }

    public static double WidthOf(string text) => text.Length * WidthOfLetter;

    /// <summary>Writes the plot.</summary>
    /// <param name="html">The page or the picture.</param>
    /// <param name="top">The place in a picture; null in a page.</param>
    public void Write(HtmlWriter html, (double Left, double Top)? top = null)
    {
        using HtmlWriter.Scope svg = html.Begin(
            "svg", ("viewBox", $"0 0 {Number(Width)} {Number(Height)}"), ("role", "img"), ("aria-label", $"{_plot.Title}. {_plot.Words}"),
            ("x", top is { Left: var x } ? Number(x) : null), ("y", top is { Top: var y } ? Number(y) : null),
            ("width", top is null ? null : Number(Width)), ("height", top is null ? null : Number(Height)));
        WriteLegend(html);
        WriteAxes(html);
        WriteRows(html);
        foreach (Series series in _plot.Series)
        {
            using HtmlWriter.Scope group = html.Begin("g", ("class", series.Style));
            WriteLine(html, series);
        }

        foreach (PlotRange range in _plot.Ranges)
        {
            using HtmlWriter.Scope group = html.Begin("g", ("class", range.Style));
            html.Element("title", range.Tip);
            WriteRange(html, range);
        }
    }

    // The names follow each other in lines.
    private static IEnumerable<(string Name, string Style, double X, double Y)> LegendOf(Plot plot)
    {
        (double x, double y) = (2, 12);
        foreach ((string name, string style) in plot.Legend)
        {
            double width = WidthOfKey + WidthOf(name) + (2 * LeastSpace);
            (x, y) = x > 2 && x + width > Width ? (2, y + HeightOfLabel) : (x, y);
            yield return (name, style, x, y);
            x += width;
        }
    }

    private void WriteLegend(HtmlWriter html)
    {
        foreach ((string name, string style, double x, double y) in _legend)
        {
            if (_plot.Series.Count > 0)
            {
                html.Empty("path", ("class", $"l {style}"), ("d", $"M{Number(x)} {Number(y - 4)}h{Number(WidthOfKey)}"));
            }
            else
            {
                Rectangle(html, style, x, y - 9, WidthOfKey, 9);
            }

            Text(html, name, x + WidthOfKey + 5, y, "k");
        }
    }

    private void WriteAxes(HtmlWriter html)
    {
        if (_plot.Band is { } band)
        {
            Rectangle(html, "band", Across(band.From), _top, Across(band.To) - Across(band.From), _bottom - _top);
        }

        var grid = new StringBuilder($"M{Number(_left)} {Number(_bottom)}H{Number(_right)}");
        grid.AppendJoin(null, _plot.X.Lines.Select(line => $"M{Number(Across(line))} {Number(_top)}V{Number(_bottom)}"));
        grid.AppendJoin(null, (_plot.Y?.Ticks ?? []).Select(tick => $"M{Number(_left)} {Number(Down(tick.Value))}H{Number(_right)}"));
        html.Empty("path", ("class", "g"), ("d", grid.ToString()));
        using (html.Begin("g", ("class", "m")))
        {
            double free = double.NegativeInfinity;
            foreach (AxisTick tick in _plot.X.Ticks)
            {
                // A label that would touch the one before it is left out; its line stays.
                double half = WidthOf(tick.Label) / 2;
                double middle = Math.Min(Across(tick.Value), Width - half - 1);
                if (middle - half > free)
                {
                    Text(html, tick.Label, middle, _bottom + 15);
                    free = middle + half + 2;
                }
            }
        }

        using (html.Begin("g"))
        {
            foreach (AxisTick tick in _plot.Y?.Ticks ?? [])
            {
                Text(html, tick.Label, _left - 6, Down(tick.Value) + 4);
            }
        }

        Text(html, _plot.YTitle, 2, _top - 9, "t");
        Text(html, _plot.XTitle, _right, _bottom + SpaceOfLabels + 12, "t e");
    }

    private void WriteRows(HtmlWriter html)
    {
        if (_plot.Rows.Count > 0)
        {
            html.Empty("path", ("class", "base"), ("d", $"M{Number(Across(_plot.Origin))} {Number(_top)}V{Number(_bottom)}"));
        }

        foreach ((int index, PlotRow row) in _plot.Rows.Index())
        {
            double middle = _top + (_heightOfRow * (index + 1)) - (HeightOfRow / 2) + 2;
            using HtmlWriter.Scope group = html.Begin("g", ("class", row.Style));
            html.Element("title", row.Tip);
            Text(html, row.Name, _isLabelAbove ? 2 : _left - 6, middle + (_isLabelAbove ? -12 : 4), _isLabelAbove ? "a" : null);
            double from = _plot.Origin;
            foreach (PlotBar bar in row.Bars)
            {
                double start = Across(Math.Min(from, bar.To));
                Rectangle(html, bar.Style, start, middle - 6, Math.Max(1, Across(Math.Max(from, bar.To)) - start), 12);
                from = bar.To;
            }

            if (row.Interval is { } interval)
            {
                (string lower, string upper, string end) = (Number(Across(interval.Lower)), Number(Across(interval.Upper)), Number(middle - 4));
                html.Empty("path", ("class", "i"), ("d", $"M{lower} {Number(middle)}H{upper}M{lower} {end}v8M{upper} {end}v8"));
            }

            if (row.Dot is { } dot)
            {
                html.Empty("circle", ("class", dot.IsHollow ? "h" : "p"), ("cx", Number(Across(dot.Value))), ("cy", Number(middle)), ("r", "5"));
            }

            Text(html, row.Value, Width - 2, middle + 4);
        }
    }

    private void WriteLine(HtmlWriter html, Series series)
    {
        if (series.Points.Count > 1)
        {
            IReadOnlyList<(double, double)> line = LineSimplifier.Simplify([.. series.Points.Select(point => (Across(point.X), Down(point.Y)))]);
            html.Empty("path", ("class", series.Line), ("d", $"M{string.Join('L', line.Select(point => $"{Number(point.Item1)} {Number(point.Item2)}"))}"));
        }

        foreach (PlotPoint point in series.Marks)
        {
            (string x, string y) = (Number(Across(point.X)), Number(Down(point.Y)));
            if (point.IsHollow)
            {
                html.Shape("circle", point.Tip!, ("class", "h"), ("cx", x), ("cy", y), ("r", "3.5"));
            }
            else
            {
                // A line without length has round ends. It is shorter than a circle, of which a page has a thousand.
                html.Shape("path", point.Tip!, ("class", "o"), ("d", $"M{x} {y}z"));
            }
        }
    }

    private void WriteRange(HtmlWriter html, PlotRange range)
    {
        (double left, double right) = (Across(range.Places.From), Across(range.Places.To));
        double middle = (Down(range.Low) + Down(range.High)) / 2;
        double height = Math.Max(HeightOfLevel, Down(range.Low) - Down(range.High));
        Rectangle(html, range.Look, left, middle - (height / 2), right - left, height);
        if (range.Cross is { } cross)
        {
            html.Empty("path", ("class", "i"), ("d", $"M{Number(left - 1)} {Number(Down(cross))}H{Number(right + 1)}"));
        }
    }

    private double Across(double value) => _left + (_plot.X.PlaceOf(value) * (_right - _left));

    private double Down(double value) => _bottom - (_plot.Y!.PlaceOf(value) * (_bottom - _top));

    private static void Rectangle(HtmlWriter html, string style, double left, double top, double width, double height) => html.Empty(
        "rect", ("class", style), ("x", Number(left)), ("y", Number(top)), ("width", Number(width)), ("height", Number(height)));

    // A text is not seen to be a part of a unit away.
    private static void Text(HtmlWriter html, string? text, double x, double y, string? style = null)
    {
        if (text is not null)
        {
            html.Element("text", text, ("class", style), ("x", Number(Math.Round(x))), ("y", Number(Math.Round(y))));
        }
    }

    private static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
