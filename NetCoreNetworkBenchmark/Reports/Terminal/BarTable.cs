using Spectre.Console;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>
/// A table with one column of bars, which takes the width that the others leave. Columns that are not needed are left out, the last first, if the bars
/// would have too little room.
/// </summary>
internal static class BarTable
{
    // With less room, columns are left out, and then the bars themselves.
    private const int GoodBar = 14;
    private const int LeastBar = 6;
    private const int LeastText = 14;
    private const int LargestBar = 60;
    private const int Gap = 2;

    /// <summary>Draws the table.</summary>
    /// <param name="console">The terminal.</param>
    /// <param name="columns">The columns, one of which has bars.</param>
    /// <param name="rows">The rows.</param>
    public static void Draw<TRow>(IAnsiConsole console, IReadOnlyList<BarColumn<TRow>> columns, IReadOnlyList<TRow> rows)
    {
        List<BarColumn<TRow>> shown = [.. columns];
        // The header of the bars must fit too.
        int good = Math.Max(GoodBar, columns.Single(column => column.Bar is not null).Header.Length);
        while (Room(console, shown, rows) < good && shown.Where(column => column.Need > 0).MaxBy(column => column.Need) is { } next)
        {
            shown.Remove(next);
        }

        // Then text is wrapped.
        int missing = Math.Max(0, good - Room(console, shown, rows));
        int wrapped = shown.Where(column => column.MayWrap).Select(column => Math.Max(LeastText, LengthOf(column, rows) - missing)).FirstOrDefault();
        int saved = shown.Where(column => column.MayWrap).Sum(column => Math.Max(0, LengthOf(column, rows) - wrapped));
        int bar = Math.Min(Room(console, shown, rows) + saved, LargestBar);
        if (bar < LeastBar)
        {
            shown.RemoveAll(column => column.Bar is not null);
        }

        var table = new Table().Border(TableBorder.None);
        foreach (BarColumn<TRow> column in shown)
        {
            var made = new TableColumn($"[dim]{Markup.Escape(column.Header)}[/]") { Padding = new Padding(0, 0, column == shown[^1] ? 0 : Gap, 0) };
            bool isBar = column.Bar is not null;
            made.Alignment = column.IsFigure ? Justify.Right : Justify.Left;
            made.NoWrap = !column.MayWrap;
            made.Width = isBar ? bar : column.MayWrap ? Math.Min(wrapped, LengthOf(column, rows)) : null;
            table.AddColumn(made);
        }

        foreach (TRow row in rows)
        {
            table.AddRow([.. shown.Select(column => column.MarkupOf(row, bar))]);
        }

        console.Write(table);
    }

    private static int Room<TRow>(IAnsiConsole console, List<BarColumn<TRow>> columns, IReadOnlyList<TRow> rows) =>
        console.Profile.Width - columns.Where(column => column.Text is not null).Sum(column => Gap + LengthOf(column, rows));

    private static int LengthOf<TRow>(BarColumn<TRow> column, IReadOnlyList<TRow> rows) =>
        rows.Select(row => column.Text!(row).Length).Append(column.Header.Length).Max();
}

/// <summary>A column of text or of bars.</summary>
/// <param name="Header">The header.</param>
internal sealed record BarColumn<TRow>(string Header)
{
    /// <summary>Returns the text of a row; null for a column of bars.</summary>
    public Func<TRow, string>? Text { get; init; }

    /// <summary>Returns the bar of a row in a width, as markup; null for a column of text.</summary>
    public Func<TRow, int, string>? Bar { get; init; }

    /// <summary>Returns the style of a row's text; null if it has none.</summary>
    public Func<TRow, string>? Style { get; init; }

    /// <summary>Whether the text is at the right.</summary>
    public bool IsFigure { get; init; } = true;

    /// <summary>Whether the text may have several lines, if all columns together are too wide. At most one column may.</summary>
    public bool MayWrap { get; init; }

    /// <summary>Returns the cell of a row, as markup.</summary>
    /// <param name="row">The row.</param>
    /// <param name="width">The width of a bar.</param>
    public string MarkupOf(TRow row, int width) => Bar?.Invoke(row, width) ?? Bars.Styled(Text!(row), Style?.Invoke(row) ?? string.Empty);

    /// <summary>0 for a column that is always there. Of the others, the largest number is left out first.</summary>
    public int Need { get; init; }
}
