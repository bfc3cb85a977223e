namespace NetCoreNetworkBenchmark.Reports.Documents;

/// <param name="Y">The vertical axis; null if the plot has rows.</param>
/// <param name="Picture">The file of the picture that shows the plot where a format cannot draw; null if there is none.</param>
internal sealed record Plot(
    string Title, Axis X, Axis? Y = null, string? XTitle = null, string? YTitle = null, string? Note = null, double Height = 210, string? Picture = null,
    double Origin = 0, (double From, double To)? Band = null) : Block
{
    public IReadOnlyList<PlotRow> Rows { get; init; } = [];

    public IReadOnlyList<Series> Series { get; init; } = [];

    public IReadOnlyList<PlotRange> Ranges { get; init; } = [];

    public IReadOnlyList<(string Name, string Style)> Legend { get; init; } = [];

    /// <summary>The figures in words, for those who cannot see the plot.</summary>
    public string Words
    {
        get => field ?? string.Join("; ", [.. Rows.Select(row => row.Tip), .. Series.Select(line => line.Words), .. Ranges.Select(range => range.Tip)]);
        init;
    }

    public static Plot Lines(
        string title, Axis x, Func<IEnumerable<double>, Func<double, string>, Axis> y, Func<double, string> label, params Series[] lines) =>
        new(title, x, y(lines.SelectMany(line => line.Points).SelectMany(Bounds), label))
        {
            Series = lines,
            Legend = lines.Length == 1 ? [] : [.. lines.Select(line => (line.Name, line.Style))],
            Media = Media.Html,
        };

    public static Plot BarsOf(Axis axis, double origin, IEnumerable<double> values) => new(string.Empty, axis)
    {
        Origin = origin,
        Rows = [.. values.Select(value => new PlotRow(string.Empty, string.Empty, string.Empty, string.Empty) { Bars = [(PlotStyle.Bar, value)] })],
    };

    private static double[] Bounds(PlotPoint point) => point.Interval is { } interval ? [point.Y, interval.Lower, interval.Upper] : [point.Y];

    public override bool IsIn(Media medium) =>
        base.IsIn(medium) && (medium == Media.Html || (medium == Media.Markdown && Picture is not null)) && Rows.Count + Series.Count + Ranges.Count > 0;
}

/// <summary>A plot that is made when a page is written, because it needs the histograms of a result.</summary>
internal sealed record LatePlot(Func<Plot> Make) : Block;

/// <summary>Each bar begins at the end of the one before it.</summary>
internal sealed record PlotRow(
    string Name, string Style, string Value, string Tip, (double Lower, double Upper)? Interval = null, (double Value, bool IsHollow)? Dot = null)
{
    public IReadOnlyList<(string Style, double To)> Bars { get; init; } = [];
}

/// <summary>The classes of <c>plots.css</c>. They are short, because a page has thousands of them.</summary>
internal static class PlotStyle
{
    public const string Bar = "b", PaleBar = "b2", OutlinedBar = "u", InvalidBar = "b0";
    public const string Line = "l", ThinLine = "l thin", PointsUnderMouse = "q";
    private const int Colours = 9;
    private const int Dashes = 4;

    public static string Colour(int index) => $"s{index % Colours}";

    public static string? Dash(int index) => index == 0 ? null : $"d{index % Dashes}";

    public static string Verdict(string name) => $"v-{name}";
}

/// <summary>The points in <see cref="Marks"/> are drawn, and have a text where the mouse is over them.</summary>
internal sealed record Series(string Name, string Style, IReadOnlyList<PlotPoint> Points)
{
    public IReadOnlyList<PlotPoint> Marks { get; init; } = Points;

    public string Line { get; init; } = PlotStyle.ThinLine;

    public string Words
    {
        get => field ?? string.Join("; ", Marks.Select(mark => mark.Tip));
        init;
    }
}

/// <param name="IsHollow">Whether its figure may not be used.</param>
internal readonly record struct PlotPoint(double X, double Y, string? Tip, bool IsHollow = false)
{
    public (double Lower, double Upper)? Interval { get; init; }
}

/// <summary>An upright bar between two places of the horizontal axis, with a line across it; a flat one if it has one value.</summary>
internal sealed record PlotRange(string Style, string Look, string Tip, (double From, double To) Places, double Low, double High, double? Cross);

/// <summary>A library looks the same in all plots: it has one colour, and each of its profiles and variants a kind of line.</summary>
internal sealed class Palette
{
    private readonly Dictionary<string, (string Colour, string? Dash)> _styles = new(StringComparer.Ordinal);

    public Palette(IEnumerable<string> names)
    {
        foreach ((int colour, IGrouping<string, string> library) in names.Distinct().GroupBy(name => name.Split(" (")[0]).Index())
        {
            foreach ((int index, string name) in library.Index())
            {
                _styles[name] = (PlotStyle.Colour(colour), PlotStyle.Dash(index));
            }
        }
    }

    public string Of(string name) => _styles[name] is { Dash: { } dash } style ? $"{style.Colour} {dash}" : _styles[name].Colour;

    public string ColourOf(string name) => _styles[name].Colour;
}
