namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>Plots with a row for each case: bars, or dots with an interval.</summary>
internal static class BarPlot
{
    private const double HeightOfRow = 22;
    private const double HeightOfLabel = 16;
    private const double WidestLabel = 160;
    private const double LeastSpace = 8;

    /// <summary>Writes a plot; nothing if it has no rows.</summary>
    /// <param name="html">The page.</param>
    /// <param name="frame">The texts.</param>
    /// <param name="axis">The axis of the values.</param>
    /// <param name="rows">The rows from the top.</param>
    /// <param name="marked">The value at which bars begin.</param>
    /// <param name="band">The values that are marked as an area; null if there are none.</param>
    public static void Write(
        HtmlWriter html, PlotFrame frame, PlotAxis axis, IReadOnlyList<PlotRow> rows, double marked, (double From, double To)? band = null)
    {
        if (rows.Count == 0)
        {
            return;
        }

        double widest = rows.Max(row => SvgPlot.WidthOf(row.Name));
        bool isAbove = widest > WidestLabel;
        double height = HeightOfRow + (isAbove ? HeightOfLabel : 0);
        PlotFrame sized = frame with
        {
            Height = (height * rows.Count) + 4,
            Left = isAbove ? LeastSpace : widest + LeastSpace,
            Right = rows.Max(row => SvgPlot.WidthOf(row.Value)) + LeastSpace,
        };
        SvgPlot.Write(html, sized, axis, null, plot =>
        {
            if (band is { } area)
            {
                plot.Band(area.From, area.To);
            }

            plot.Mark(marked);
            for (int index = 0; index < rows.Count; index++)
            {
                double middle = (height * (index + 1)) - (HeightOfRow / 2) + 2;
                using HtmlWriter.Scope group = plot.BeginGroup(rows[index].Style, rows[index].Tip);
                plot.RowLabel(rows[index].Name, middle, isAbove);
                Draw(plot, rows[index], marked, middle);
                plot.RowValue(rows[index].Value, middle);
            }
        });
    }

    private static void Draw(SvgPlot plot, PlotRow row, double marked, double middle)
    {
        double from = marked;
        foreach (PlotBar bar in row.Bars)
        {
            plot.Bar(bar.Style, from, bar.To, middle);
            from = bar.To;
        }

        if (row.Interval is { } interval)
        {
            plot.Interval(interval.Lower, interval.Upper, middle);
        }

        if (row.Dot is { } dot)
        {
            plot.Dot(dot.Value, middle, dot.IsHollow);
        }
    }
}

/// <summary>A row of a plot.</summary>
/// <param name="Name">The label at the left.</param>
/// <param name="Style">The style of the case.</param>
/// <param name="Value">The figure at the right.</param>
/// <param name="Tip">The text that is shown when the mouse is over the row; null if there is nothing more to say.</param>
internal sealed record PlotRow(string Name, string Style, string Value, string? Tip)
{
    /// <summary>The bars, each of which begins at the end of the one before it.</summary>
    public IReadOnlyList<PlotBar> Bars { get; init; } = [];

    /// <summary>The interval; null if there is none.</summary>
    public (double Lower, double Upper)? Interval { get; init; }

    /// <summary>The dot; null if there is none.</summary>
    public (double Value, bool IsHollow)? Dot { get; init; }
}

/// <summary>A bar of a row.</summary>
/// <param name="Style">The style: <c>b</c> for a full one, <c>b2</c> for the second of a stack, <c>b0</c> for a figure that may not be used.</param>
/// <param name="To">The value at its end.</param>
internal readonly record struct PlotBar(string Style, double To);
