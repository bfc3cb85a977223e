namespace NetCoreNetworkBenchmark.Reports.Documents;

/// <summary>A column of a table: its title, the value of a row, and how it is printed. CSV has the title as the name, and the raw value.</summary>
internal sealed record Column<TRow>(string Title, Func<TRow, object?> Value)
{
    public string Format { get; init; } = "N0";

    public string Unit { get; init; } = string.Empty;

    /// <summary>Whether the cells are at the left.</summary>
    public bool IsText { get; init; }

    /// <summary>0 for a column that is always there. Of the others, the largest number is left out first where there is too little width.</summary>
    public int Priority { get; init; }

    /// <summary>Whether the column is left out if no row has a value.</summary>
    public bool IsOptional { get; init; }

    /// <summary>The title where there is too little width.</summary>
    public string? ShortTitle { get; init; }

    /// <summary>The value where there is too little width.</summary>
    public Func<TRow, object?>? ShortValue { get; init; }
}

/// <summary>The cells of a table.</summary>
internal sealed record Table(string Caption, IReadOnlyList<TableColumn> Columns, IReadOnlyList<TableRow> Rows) : Block
{
    public const int Gap = 2;
    public const int GoodBar = 14;

    /// <summary>Whether formats without captions show the caption too.</summary>
    public bool HasTitle { get; init; }

    /// <summary>A plot with the same rows, which a terminal draws beside them.</summary>
    public Plot? Bars { get; init; }

    /// <summary>The number of columns before the bars.</summary>
    public int ColumnsBeforeBars { get; init; }

    public string BarTitle { get; init; } = string.Empty;

    /// <summary>The same table with short titles and values; null if there are none.</summary>
    private Table? Short { get; init; }

    /// <summary>Creates a table.</summary>
    /// <param name="caption">The caption.</param>
    /// <param name="columns">The columns.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="tone">Returns the tone of a row; null if all are plain.</param>
    public static Table Of<TRow>(string caption, IReadOnlyList<Column<TRow>> columns, IEnumerable<TRow> rows, Func<TRow, Tone>? tone = null)
    {
        TRow[] all = [.. rows];
        columns = [.. columns.Where(column => !column.IsOptional || all.Any(row => column.Value(row) is not null))];
        Table With(bool isShort) => new(
            caption,
            [.. columns.Select(column => new TableColumn((isShort ? column.ShortTitle : null) ?? column.Title, column.IsText, column.Priority))],
            [.. all.Select(row => new TableRow([.. columns.Select(column => CellOf(column, row, isShort))], tone?.Invoke(row) ?? Tone.Plain))]);
        bool hasShort = columns.Any(column => column.ShortTitle is not null || column.ShortValue is not null);
        return With(isShort: false) with { Short = hasShort ? With(isShort: true) : null };
    }

    /// <summary>Returns the table for a width: with short titles, and then without the columns that matter least.</summary>
    public Table FitTo(int width)
    {
        Table table = Width > width && Short is not null ? this with { Columns = Short.Columns, Rows = Short.Rows } : this;
        while (table.Width > width && table.Columns.Index().MaxBy(column => column.Item.Priority) is { Item.Priority: > 0 } least)
        {
            table = table with
            {
                Columns = [.. table.Columns.Where((_, index) => index != least.Index)],
                Rows = [.. table.Rows.Select(row => row with { Cells = [.. row.Cells.Where((_, index) => index != least.Index)] })],
                ColumnsBeforeBars = table.ColumnsBeforeBars - (least.Index < table.ColumnsBeforeBars ? 1 : 0),
            };
        }

        return table;
    }

    /// <summary>Returns the width of a column.</summary>
    public int WidthOf(int column) => Rows.Select(row => row.Cells[column].Text.Length).Append(Columns[column].Title.Length).Max();

    private int Width => Enumerable.Range(0, Columns.Count).Sum(column => WidthOf(column) + Gap) + (Bars is null ? -Gap : Math.Max(GoodBar, BarTitle.Length));

    private static TableCell CellOf<TRow>(Column<TRow> column, TRow row, bool isShort)
    {
        object? value = (isShort ? column.ShortValue : null)?.Invoke(row) ?? column.Value(row);
        return new TableCell(value, value switch
        {
            null => "-",
            IFormattable figure => figure.ToString(column.Format, CultureInfo.InvariantCulture) + column.Unit,
            _ => value.ToString()!,
        });
    }
}

internal sealed record TableColumn(string Title, bool IsText, int Priority);

internal sealed record TableRow(IReadOnlyList<TableCell> Cells, Tone Tone);

internal readonly record struct TableCell(object? Value, string Text);
