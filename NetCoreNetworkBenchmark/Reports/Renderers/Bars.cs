using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>Bars of block characters.</summary>
internal static class Bars
{
    private const char Full = '█';
    private const char Shaded = '▒';
    private const int StepsOfCell = 8;

    // Left parts of a cell, in eighths.
    private const string Parts = " ▏▎▍▌▋▊▉";

    /// <summary>Returns the bar of a row of a plot.</summary>
    public static string Of(Plot plot, PlotRow row, int width)
    {
        double Place(double value) => plot.X.PlaceOf(value);
        return row switch
        {
            { Dot: { } dot } => OfDot(
                Place(dot.Value),
                row.Interval is { } low ? Place(low.Lower) : null,
                row.Interval is { } high ? Place(high.Upper) : null,
                Place(plot.Origin),
                width),
            { Interval: { } interval } => OfParts(Place(interval.Lower), Place(interval.Upper), 1, width),
            { Bars: [var first, var second] } => OfParts(Place(first.To), Place(second.To), 0, width),
            { Bars: [var only] } => Of(Place(only.To), width),
            _ => string.Empty,
        };
    }

    /// <summary>Returns a bar whose length is a share of the width.</summary>
    public static string Of(double share, int width)
    {
        int steps = (int)Math.Round(Clamped(share) * width * StepsOfCell);
        string part = steps % StepsOfCell == 0 ? string.Empty : $"{Parts[steps % StepsOfCell]}";

        // A value above zero has at least one eighth of a cell.
        return steps == 0 && share > 0 ? $"{Parts[1]}" : new string(Full, steps / StepsOfCell) + part;
    }

    /// <summary>Returns a bar that is full up to one value and shaded from there to another, over a least number of columns.</summary>
    public static string OfParts(double full, double end, int least, int width)
    {
        int first = (int)Math.Round(Clamped(full) * width);
        int last = Math.Min(width, Math.Max(first + least, (int)Math.Round(Clamped(end) * width)));
        return new string(Full, first) + new string(Shaded, last - first);
    }

    /// <summary>Returns a dot with its interval, and a line at the origin. All places are from 0 at the left to 1 at the right.</summary>
    public static string OfDot(double dot, double? lower, double? upper, double origin, int width)
    {
        char[] cells = [.. Enumerable.Repeat(' ', width)];
        int Cell(double place) => (int)Math.Round(Clamped(place) * (width - 1));
        if (lower is { } from && upper is { } to)
        {
            cells.AsSpan(Cell(from), Cell(to) - Cell(from) + 1).Fill('─');
            (cells[Cell(from)], cells[Cell(to)]) = ('├', '┤');
        }

        cells[Cell(origin)] = cells[Cell(origin)] switch
        {
            ' ' => '│',
            '─' => '┼',
            var end => end,
        };
        cells[Cell(dot)] = '●';
        return new string(cells);
    }

    private static double Clamped(double share) => double.IsNaN(share) ? 0 : Math.Clamp(share, 0, 1);
}
