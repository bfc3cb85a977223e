using System.Globalization;
using System.Text;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>
/// A plot as inline SVG in a figure. Its width is that of a phone, so that the text can be read there. Wide pages have several in a row.
/// </summary>
internal sealed class SvgPlot
{
    private const double Width = 460;
    private const double WidthOfLetter = 6.9;
    private const double SpaceOfTitle = 20;
    private const double SpaceOfLabels = 20;
    private const double SpaceOfPanels = 10;
    private const double HeightOfKey = 16;
    private const double WidthOfKey = 14;
    private const double HeightOfLevel = 5;
    private const double LeastHeight = 2.5;

    private readonly HtmlWriter _html;
    private readonly double _left;
    private readonly double _right;
    private readonly double _top;
    private readonly double _bottom;

    private SvgPlot(HtmlWriter html, PlotFrame frame, PlotPanel panel, double above)
    {
        _html = html;
        _left = frame.Left;
        _right = Width - frame.Right;
        _top = above + (panel.Title is null ? 4 : SpaceOfTitle);
        _bottom = _top + panel.Height;
        Y = panel.Y;
    }

    /// <summary>The horizontal axis.</summary>
    public required PlotAxis X { get; init; }

    /// <summary>The vertical axis; null if there are rows.</summary>
    public PlotAxis? Y { get; }

    /// <summary>Returns the width that a text needs.</summary>
    public static double WidthOf(string text) => text.Length * WidthOfLetter;

    /// <summary>Writes a figure with a plot.</summary>
    /// <param name="html">The page.</param>
    /// <param name="frame">The texts and the size.</param>
    /// <param name="x">The horizontal axis.</param>
    /// <param name="y">The vertical axis; null if there are rows.</param>
    /// <param name="draw">Draws the content.</param>
    public static void Write(HtmlWriter html, PlotFrame frame, PlotAxis x, PlotAxis? y, Action<SvgPlot> draw) =>
        WritePanels(html, frame, x, [], [new PlotPanel(frame.VerticalTitle, frame.Height, y, draw)]);

    /// <summary>Writes a figure with plots below each other, over one horizontal axis.</summary>
    /// <param name="html">The page.</param>
    /// <param name="frame">The texts and the space at both sides. The panels have the rest.</param>
    /// <param name="x">The horizontal axis.</param>
    /// <param name="legend">The columns of a legend above the plots; empty if there is none.</param>
    /// <param name="panels">The plots, from the top.</param>
    public static void WritePanels(
        HtmlWriter html, PlotFrame frame, PlotAxis x, IReadOnlyList<PlotLegend> legend, IReadOnlyList<PlotPanel> panels)
    {
        using HtmlWriter.Scope figure = html.Begin("figure");
        using (html.Begin("figcaption"))
        {
            html.Element("strong", frame.Title);
            html.Text(frame.Note is null ? string.Empty : $" {frame.Note}");
        }

        var plots = new List<SvgPlot>();
        double above = legend.Count == 0 ? 0 : ((legend.Max(column => column.Entries.Count) + 1) * HeightOfKey) + SpaceOfPanels;
        foreach (PlotPanel panel in panels)
        {
            plots.Add(new SvgPlot(html, frame, panel, above) { X = x });
            above = plots[^1]._bottom + SpaceOfPanels;
        }

        double height = plots[^1]._bottom + SpaceOfLabels + (frame.HorizontalTitle is null ? 0 : SpaceOfTitle);
        using HtmlWriter.Scope svg = html.Begin(
            "svg", ("viewBox", $"0 0 {Number(Width)} {Number(height)}"), ("role", "img"), ("aria-label", $"{frame.Title}. {frame.Words}"));
        WriteLegend(html, legend);
        foreach ((SvgPlot plot, PlotPanel panel) in plots.Zip(panels))
        {
            plot.WriteAxes(panel.Title, frame, isLast: plot == plots[^1]);
            panel.Draw(plot);
        }
    }

    /// <summary>Begins shapes of one style.</summary>
    /// <param name="style">The style.</param>
    /// <param name="tip">The text that is shown when the mouse is over one of them; null if each has its own.</param>
    public HtmlWriter.Scope BeginGroup(string style, string? tip = null)
    {
        HtmlWriter.Scope group = _html.Begin("g", ("class", style));
        if (tip is not null)
        {
            _html.Element("title", tip);
        }

        return group;
    }

    /// <summary>Draws a line through points.</summary>
    public void Line(string style, IEnumerable<PlotPoint> points)
    {
        var path = new StringBuilder();
        foreach ((double x, double y) in LineSimplifier.Simplify([.. points.Select(point => (Across(point.X), Down(point.Y)))]))
        {
            path.Append(path.Length == 0 ? 'M' : 'L').Append(Number(x)).Append(' ').Append(Number(y));
        }

        _html.Empty("path", ("class", style), ("d", path.ToString()));
    }

    /// <summary>Draws a point with its tip.</summary>
    public void Dot(PlotPoint point)
    {
        (string x, string y) = (Number(Across(point.X)), Number(Down(point.Y)));
        if (point.IsHollow)
        {
            _html.Shape("circle", point.Tip!, ("class", "h"), ("cx", x), ("cy", y), ("r", "3.5"));
        }
        else
        {
            // A line without length has round ends. It is shorter than a circle, of which a page has a thousand.
            _html.Shape("path", point.Tip!, ("class", "o"), ("d", $"M{x} {y}z"));
        }
    }

    /// <summary>Draws a dot in a row.</summary>
    public void Dot(double value, double middle, bool isHollow) => _html.Empty(
        "circle", ("class", isHollow ? "h" : "p"), ("cx", Number(Across(value))), ("cy", Number(_top + middle)), ("r", "5"));

    /// <summary>Draws a bar in a row, from one value to another.</summary>
    public void Bar(string style, double from, double to, double middle)
    {
        double start = Across(Math.Min(from, to));
        double width = Math.Max(1, Across(Math.Max(from, to)) - start);
        _html.Empty("rect", ("class", style), ("x", Number(start)), ("y", Number(_top + middle - 6)), ("width", Number(width)), ("height", "12"));
    }

    /// <summary>Draws a bar that stands, between places of the horizontal axis and values of the vertical one.</summary>
    public void Column(string style, (double From, double To) places, double from, double to)
    {
        double start = Across(places.From);
        double top = Down(Math.Max(from, to));
        double height = Math.Max(LeastHeight, Down(Math.Min(from, to)) - top);
        Box(style, start, top, Across(places.To) - start, height);
    }

    /// <summary>Draws a flat bar at a value of the vertical axis.</summary>
    public void Level(string style, (double From, double To) places, double value)
    {
        double start = Across(places.From);
        Box(style, start, Down(value) - (HeightOfLevel / 2), Across(places.To) - start, HeightOfLevel);
    }

    /// <summary>Draws a line across a bar that stands.</summary>
    public void Cross((double From, double To) places, double value) => _html.Empty(
        "path", ("class", "i"), ("d", $"M{Number(Across(places.From) - 1)} {Number(Down(value))}H{Number(Across(places.To) + 1)}"));

    /// <summary>Draws an interval in a row.</summary>
    public void Interval(double lower, double upper, double middle)
    {
        string y = Number(_top + middle);
        string end = $"M{Number(Across(lower))} {Number(_top + middle - 4)}v8M{Number(Across(upper))} {Number(_top + middle - 4)}v8";
        _html.Empty("path", ("class", "i"), ("d", $"M{Number(Across(lower))} {y}H{Number(Across(upper))}{end}"));
    }

    /// <summary>Draws the intervals of points.</summary>
    public void Intervals(IEnumerable<(double X, double Lower, double Upper)> intervals)
    {
        var path = new StringBuilder();
        foreach ((double x, double lower, double upper) in intervals)
        {
            path.Append('M').Append(Number(Across(x))).Append(' ').Append(Number(Down(lower))).Append('V').Append(Number(Down(upper)));
        }

        if (path.Length > 0)
        {
            _html.Empty("path", ("class", "i thin"), ("d", path.ToString()));
        }
    }

    /// <summary>Draws an area from the top to the bottom.</summary>
    public void Band(double from, double to) => _html.Empty(
        "rect", ("class", "band"), ("x", Number(Across(from))), ("y", Number(_top)), ("width", Number(Across(to) - Across(from))),
        ("height", Number(_bottom - _top)));

    /// <summary>Draws a line from the top to the bottom.</summary>
    public void Mark(double value, string style = "base") => _html.Empty(
        "path", ("class", style), ("d", $"M{Number(Across(value))} {Number(_top)}V{Number(_bottom)}"));

    /// <summary>Writes the label of a row in its group: beside the plot, or above the row if it is wide.</summary>
    public void RowLabel(string text, double middle, bool isAbove) => Text(
        text, isAbove ? 2 : _left - 6, _top + middle + (isAbove ? -12 : 4), isAbove ? "a" : null);

    /// <summary>Writes the value of a row, at the right end.</summary>
    public void RowValue(string text, double middle) => Text(text, Width - 2, _top + middle + 4, null);

    private static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    // A text is not seen to be a part of a unit away.
    private static string Whole(double value) => value.ToString("0", CultureInfo.InvariantCulture);

    private double Across(double value) => _left + (X.PlaceOf(value) * (_right - _left));

    private double Down(double value) => _bottom - (Y!.PlaceOf(value) * (_bottom - _top));

    private static void WriteLegend(HtmlWriter html, IReadOnlyList<PlotLegend> legend)
    {
        foreach ((int column, PlotLegend names) in legend.Index())
        {
            double left = 2 + (column * Width / legend.Count);
            html.Element("text", names.Title, ("class", "t"), ("x", Whole(left)), ("y", "11"));
            foreach ((int row, (string style, string name)) in names.Entries.Index())
            {
                double middle = ((row + 1.5) * HeightOfKey) - 1;
                html.Empty(
                    "rect", ("class", style), ("x", Number(left)), ("y", Number(middle - 5)), ("width", Number(WidthOfKey)), ("height", "9"));
                html.Element("text", name, ("x", Whole(left + WidthOfKey + 5)), ("y", Whole(middle + 4)));
            }

            html.Line();
        }
    }

    private void Box(string style, double left, double top, double width, double height) => _html.Empty(
        "rect", ("class", style), ("x", Number(left)), ("y", Number(top)), ("width", Number(width)), ("height", Number(height)));

    private void WriteAxes(string? title, PlotFrame frame, bool isLast)
    {
        var grid = new StringBuilder($"M{Number(_left)} {Number(_bottom)}H{Number(_right)}");
        foreach (double line in X.Lines)
        {
            grid.Append('M').Append(Number(Across(line))).Append(' ').Append(Number(_top)).Append('V').Append(Number(_bottom));
        }

        foreach (AxisTick tick in Y?.Ticks ?? [])
        {
            grid.Append('M').Append(Number(_left)).Append(' ').Append(Number(Down(tick.Value))).Append('H').Append(Number(_right));
        }

        _html.Empty("path", ("class", "g"), ("d", grid.ToString()));
        WriteLabels(isLast);
        if (title is not null)
        {
            Text(title, 2, _top - 9, "t");
        }

        if (isLast && frame.HorizontalTitle is { } horizontal)
        {
            Text(horizontal, _right, _bottom + SpaceOfLabels + 12, "t e");
        }

        _html.Line();
    }

    private void WriteLabels(bool isLast)
    {
        if (isLast)
        {
            using HtmlWriter.Scope labels = _html.Begin("g", ("class", "m"));
            double free = double.NegativeInfinity;
            foreach (AxisTick tick in X.Ticks)
            {
                // A label that would touch the one before it is left out; its line stays.
                double half = WidthOf(tick.Label) / 2;
                double middle = Math.Min(Across(tick.Value), Width - half - 1);
                if (middle - half > free)
                {
                    Text(tick.Label, middle, _bottom + 15, null);
                    free = middle + half + 2;
                }
            }
        }

        if (Y is not null)
        {
            using HtmlWriter.Scope labels = _html.Begin("g");
            foreach (AxisTick tick in Y.Ticks)
            {
                Text(tick.Label, _left - 6, Down(tick.Value) + 4, null);
            }
        }
    }

    private void Text(string text, double x, double y, string? style) =>
        _html.Element("text", text, ("class", style), ("x", Whole(x)), ("y", Whole(y)));
}

/// <summary>The texts and the size of a plot.</summary>
/// <param name="Title">The title.</param>
/// <param name="Words">The figures in words, for those who cannot see the plot.</param>
internal sealed record PlotFrame(string Title, string Words)
{
    /// <summary>A remark that follows the title; null if there is none.</summary>
    public string? Note { get; init; }

    /// <summary>The title of the horizontal axis; null if it has none.</summary>
    public string? HorizontalTitle { get; init; }

    /// <summary>The title of the vertical axis; null if it has none.</summary>
    public string? VerticalTitle { get; init; }

    /// <summary>The height between the axes.</summary>
    public double Height { get; init; } = 210;

    /// <summary>The space at the left.</summary>
    public double Left { get; init; } = 62;

    /// <summary>The space at the right.</summary>
    public double Right { get; init; } = 10;
}

/// <summary>One of several plots over one horizontal axis.</summary>
/// <param name="Title">The title of the vertical axis; null if it has none.</param>
/// <param name="Height">The height between the axes.</param>
/// <param name="Y">The vertical axis; null if there are rows.</param>
/// <param name="Draw">Draws the content.</param>
internal sealed record PlotPanel(string? Title, double Height, PlotAxis? Y, Action<SvgPlot> Draw);

/// <summary>A column of a legend.</summary>
/// <param name="Title">The title.</param>
/// <param name="Entries">The names with their styles.</param>
internal sealed record PlotLegend(string Title, IReadOnlyList<(string Style, string Name)> Entries);
