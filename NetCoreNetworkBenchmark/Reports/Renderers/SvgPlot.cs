using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Renderers.Xml;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>The width is that of a phone, so that the text can be read there. Wide pages have several plots in a row.</summary>
internal sealed class SvgPlot
{
    public const double Width = 460;

    private const double WidthOfLetter = 6.9;
    private const double SpaceOfTitle = 20;
    private const double SpaceOfLabels = 20;
    private const double MinSpace = 8;
    private const double HeightOfRow = 22;
    private const double HeightOfLabel = 16;
    private const double WidestLabel = 160;
    private const double WidthOfKey = 24;
    private const double HeightOfLevel = 5;

    // Classes of plots.css, beside those of PlotStyle: of lines and areas, of dots, and of texts.
    private const string Grid = "g", Origin = "base", Band = "band", Interval = "i";
    private const string Point = "o", Filled = "p", Hollow = "h";
    private const string Title = "t", KeyText = "k", MiddleText = "m", EndText = "e", TextAboveRow = "a";

    private readonly Plot _plot;
    private readonly bool _isLabelAbove;
    private readonly double _heightOfRow;
    private readonly (string Name, string Style, double X, double Y)[] _legend;
    private readonly double _left;
    private readonly double _right;
    private readonly double _top;
    private readonly double _bottom;
    private XNamespace _svg = XNamespace.None;

    public SvgPlot(Plot plot)
    {
        _plot = plot;
        bool hasRows = plot.Rows.Count > 0;
        double widest = hasRows ? plot.Rows.Max(row => WidthOf(row.Name)) : 0;
        _isLabelAbove = widest > WidestLabel;
        _heightOfRow = HeightOfRow + (_isLabelAbove ? HeightOfLabel : 0);
        _left = !hasRows ? 62 : _isLabelAbove ? MinSpace : widest + MinSpace;
        _right = Width - (hasRows ? plot.Rows.Max(row => WidthOf(row.Value)) + MinSpace : 10);
        _legend = [.. LegendOf(plot)];
        _top = (_legend.Length == 0 ? 0 : _legend[^1].Y + MinSpace) + (plot.YTitle is null ? 4 : SpaceOfTitle);
        _bottom = _top + (hasRows ? (_heightOfRow * plot.Rows.Count) + 4 : plot.Height);
        Height = _bottom + SpaceOfLabels + (plot.XTitle is null ? 0 : SpaceOfTitle);
    }

    public double Height { get; }

    public static double WidthOf(string text) => text.Length * WidthOfLetter;

    /// <param name="svg">The namespace of its elements; none inside HTML.</param>
    public XElement Draw(XNamespace svg, params object?[] attributes)
    {
        _svg = svg;
        return Element(
            "svg",
            [
                ("viewBox", $"0 0 {Number(Width)} {Number(Height)}"), ("role", "img"), ("aria-label", $"{_plot.Title}. {_plot.Words}"),
                .. attributes,
                _legend.Select(Key),
                _plot.Band is { } band ? Rectangle(Band, Across(band.From), _top, Across(band.To) - Across(band.From), _bottom - _top) : null,
                Axes(),
                _plot.Rows.Count > 0 ? Path(Origin, $"M{Number(Across(_plot.Origin))} {Number(_top)}V{Number(_bottom)}") : null,
                _plot.Rows.Select(Row),
                _plot.Series.Select(series => Element("g", ("class", series.Style), Line(series), IntervalsOf(series), series.Marks.Select(Dot))),
                _plot.Ranges.Select(Range),
            ]);
    }

    // The names follow each other in lines.
    private static IEnumerable<(string Name, string Style, double X, double Y)> LegendOf(Plot plot)
    {
        (double x, double y) = (2, 12);
        foreach ((string name, string style) in plot.Legend)
        {
            double width = WidthOfKey + WidthOf(name) + (2 * MinSpace);
            (x, y) = x > 2 && x + width > Width ? (2, y + HeightOfLabel) : (x, y);
            yield return (name, style, x, y);
            x += width;
        }
    }

    private IEnumerable<XElement?> Key((string Name, string Style, double X, double Y) key) =>
    [
        _plot.Series.Count > 0
            ? Path($"{PlotStyle.Line} {key.Style}", $"M{Number(key.X)} {Number(key.Y - 4)}h{Number(WidthOfKey)}")
            : Rectangle(key.Style, key.X, key.Y - 9, WidthOfKey, 9),
        Text(key.Name, key.X + WidthOfKey + 5, key.Y, KeyText),
    ];

    private IEnumerable<XElement?> Axes() =>
    [
        Path(Grid, string.Concat(
        [
            $"M{Number(_left)} {Number(_bottom)}H{Number(_right)}",
            .. _plot.X.Lines.Select(line => $"M{Number(Across(line))} {Number(_top)}V{Number(_bottom)}"),
            .. (_plot.Y?.Ticks ?? []).Select(tick => $"M{Number(_left)} {Number(Down(tick.Value))}H{Number(_right)}"),
        ])),
        Element("g", ("class", MiddleText), LabelsOfX()),
        Element("g", (_plot.Y?.Ticks ?? []).Select(tick => Text(tick.Label, _left - 6, Down(tick.Value) + 4))),
        Text(NameOf(_plot.YTitle, _plot.Y), 2, _top - 9, Title),
        Text(NameOf(_plot.XTitle, _plot.X), _right, _bottom + SpaceOfLabels + 12, $"{Title} {EndText}"),
    ];

    private static string? NameOf(string? title, Axis? axis) => title is not null && axis is { IsLogarithmic: true } ? $"{title} (logarithmic)" : title;

    // A label that would touch the one before it is left out; its line stays.
    private IEnumerable<XElement?> LabelsOfX()
    {
        double free = double.NegativeInfinity;
        foreach ((double value, string label) in _plot.X.Ticks)
        {
            double half = WidthOf(label) / 2;
            double middle = Math.Min(Across(value), Width - half - 1);
            if (middle - half > free)
            {
                yield return Text(label, middle, _bottom + 15);
                free = middle + half + 2;
            }
        }
    }

    private XElement Row(PlotRow row, int index)
    {
        double middle = _top + (_heightOfRow * (index + 1)) - (HeightOfRow / 2) + 2;
        XElement group = Element(
            "g",
            ("class", row.Style),
            Element("title", row.Tip),
            Text(row.Name, _isLabelAbove ? 2 : _left - 6, middle + (_isLabelAbove ? -12 : 4), _isLabelAbove ? TextAboveRow : null));
        double from = _plot.Origin;
        foreach ((string style, double to) in row.Bars)
        {
            double start = Across(Math.Min(from, to));
            group.Add(Rectangle(style, start, middle - 6, Math.Max(1, Across(Math.Max(from, to)) - start), 12));
            from = to;
        }

        if (row.Interval is { } interval)
        {
            (string lower, string upper, string end) = (Number(Across(interval.Lower)), Number(Across(interval.Upper)), Number(middle - 4));
            group.Add(Path(Interval, $"M{lower} {Number(middle)}H{upper}M{lower} {end}v8M{upper} {end}v8"));
        }

        group.Add(row.Dot is { } dot ? Circle(dot.IsHollow ? Hollow : Filled, Across(dot.Value), middle, "5") : null, Text(row.Value, Width - 2, middle + 4));
        return group;
    }

    private XElement? Line(Series series) => series.Points.Count < 2 ? null : Path(
        series.Line, $"M{string.Join('L', series.Points.Select(point => $"{Number(Across(point.X))} {Number(Down(point.Y))}").Distinct())}");

    private XElement? IntervalsOf(Series series)
    {
        string path = string.Concat(
            from point in series.Points
            from interval in point.Interval is { } known ? [known] : Array.Empty<(double Lower, double Upper)>()
            let x = Across(point.X)
            let ends = (Lower: Number(Down(interval.Lower)), Upper: Number(Down(interval.Upper)))
            select $"M{Number(x)} {ends.Lower}V{ends.Upper}M{Number(x - 4)} {ends.Lower}h8M{Number(x - 4)} {ends.Upper}h8");
        return path.Length == 0 ? null : Path(Interval, path);
    }

    // A line without length has round ends. It is shorter than a circle, of which a page has a thousand.
    private XElement Dot(PlotPoint point)
    {
        XElement dot = point.IsHollow
            ? Circle(Hollow, Across(point.X), Down(point.Y), "3.5")
            : Path(Point, $"M{Number(Across(point.X))} {Number(Down(point.Y))}z");
        dot.Add(Element("title", point.Tip!));
        return dot;
    }

    private XElement Range(PlotRange range)
    {
        (double left, double right) = (Across(range.Places.From), Across(range.Places.To));
        double middle = (Down(range.Low) + Down(range.High)) / 2;
        double height = Math.Max(HeightOfLevel, Down(range.Low) - Down(range.High));
        return Element(
            "g",
            ("class", range.Style),
            Element("title", range.Tip),
            Rectangle(range.Look, left, middle - (height / 2), right - left, height),
            range.Cross is { } cross ? Path(Interval, $"M{Number(left - 1)} {Number(Down(cross))}H{Number(right + 1)}") : null);
    }

    private double Across(double value) => _left + (_plot.X.PlaceOf(value) * (_right - _left));

    private double Down(double value) => _bottom - (_plot.Y!.PlaceOf(value) * (_bottom - _top));

    private XElement Path(string style, string path) => Element("path", ("class", style), ("d", path));

    private XElement Circle(string style, double x, double y, string radius) => Element("circle", ("class", style), ("cx", x), ("cy", y), ("r", radius));

    private XElement Rectangle(string style, double left, double top, double width, double height) =>
        Element("rect", ("class", style), ("x", left), ("y", top), ("width", width), ("height", height));

    // Rounded: a fraction of a unit is invisible.
    private XElement? Text(string? text, double x, double y, string? style = null) =>
        text is null ? null : Element("text", ("class", style), ("x", Math.Round(x)), ("y", Math.Round(y)), text);

    private XElement Element(string name, params object?[] content) => Xml.Element(_svg + name, content);
}
