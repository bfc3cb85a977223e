using Spectre.Console;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>Bars of block characters, as markup.</summary>
internal static class Bars
{
    private const char Full = '█';
    private const char Doubtful = '▒';
    private const int StepsOfCell = 8;

    // Lower parts of a cell, in eighths.
    private const string Columns = "▁▂▃▄▅▆▇█";

    // Left parts of a cell, in eighths.
    private const string Parts = " ▏▎▍▌▋▊▉";

    /// <summary>Returns a bar from the left.</summary>
    /// <param name="share">The length as a share of the width.</param>
    /// <param name="width">The width in columns.</param>
    /// <param name="style">The style of the markup.</param>
    public static string Of(double share, int width, string style)
    {
        int steps = (int)Math.Round(Clamped(share) * width * StepsOfCell);
        string part = steps % StepsOfCell == 0 ? string.Empty : $"{Parts[steps % StepsOfCell]}";

        // What is not zero is seen.
        string bar = steps == 0 && share > 0 ? $"{Parts[1]}" : new string(Full, steps / StepsOfCell) + part;
        return Styled(bar, style);
    }

    /// <summary>Returns a bar whose end is in doubt: full up to the lower end of an interval, and shaded up to its upper end.</summary>
    public static string OfInterval(double lower, double upper, int width, string style)
    {
        int full = (int)Math.Round(Clamped(lower) * width);
        int end = Math.Max(full + 1, (int)Math.Round(Clamped(upper) * width));
        return Styled(new string(Full, full) + new string(Doubtful, Math.Min(end, width) - full), style);
    }

    /// <summary>Returns a bar of two parts, the second shaded.</summary>
    public static string OfParts(double first, double second, int width, string style)
    {
        int full = (int)Math.Round(Clamped(first) * width);
        int end = (int)Math.Round(Clamped(first + second) * width);
        return Styled(new string(Full, full) + new string(Doubtful, end - full), style);
    }

    /// <summary>Returns a dot with its interval around a line in the middle.</summary>
    /// <param name="position">The place of the dot, from 0 at the left to 1 at the right; 0.5 is the line.</param>
    /// <param name="lower">The place of the interval's lower end; null if there is no interval.</param>
    /// <param name="upper">The place of its upper end.</param>
    /// <param name="width">The width in columns.</param>
    /// <param name="style">The style of the markup.</param>
    public static string OfRatio(double position, double? lower, double? upper, int width, string style)
    {
        char[] cells = [.. Enumerable.Repeat(' ', width)];
        int Cell(double place) => (int)Math.Round(Clamped(place) * (width - 1));
        if (lower is { } from && upper is { } to)
        {
            cells.AsSpan(Cell(from), Cell(to) - Cell(from) + 1).Fill('─');
            cells[Cell(from)] = '├';
            cells[Cell(to)] = '┤';
        }

        int middle = Cell(0.5);
        cells[middle] = cells[middle] switch
        {
            ' ' => '│',
            '─' => '┼',
            var end => end,
        };
        cells[Cell(position)] = '●';
        return Styled(new string(cells), style);
    }

    /// <summary>Returns a row of columns. If there are more than fit, the last ones are shown.</summary>
    /// <param name="heights">The height of each column, from 0 to 1.</param>
    /// <param name="width">The width in columns.</param>
    /// <param name="style">The style of the markup.</param>
    public static string OfColumns(IReadOnlyList<double> heights, int width, string style) =>
        Styled(string.Concat(heights.TakeLast(width).Select(height => Columns[(int)Math.Round(Clamped(height) * (Columns.Length - 1))])), style);

    /// <summary>Returns text as markup in a style.</summary>
    public static string Styled(string text, string style) =>
        style.Length == 0 || text.Length == 0 ? Markup.Escape(text) : $"[{style}]{Markup.Escape(text)}[/]";

    private static double Clamped(double share) => double.IsNaN(share) ? 0 : Math.Clamp(share, 0, 1);
}
