namespace NetCoreNetworkBenchmark.Reports.Documents;

/// <summary>CSV has the title as the name, and the raw value, by which a page in a browser sorts.</summary>
/// <param name="IsText">Whether the cells are at the left.</param>
/// <param name="IsRowHeader">Whether a cell names its row, for a screen reader. One column of a page's table is it.</param>
/// <param name="Priority">0 for a column that is always there. Those with the largest are left out first, together, where there is too little width.</param>
/// <param name="IsOptional">Whether the column is left out if no row has a value.</param>
internal sealed record Column<TRow>(
    string Title, Func<TRow, object?> Value, string Format = "N0", string Unit = "", bool IsText = false, bool IsRowHeader = false, int Priority = 0,
    bool IsOptional = false, string? ShortTitle = null, Func<TRow, string>? Text = null, Func<TRow, string>? ShortText = null,
    Func<TRow, bool>? IsBest = null);

/// <param name="HasTitle">Whether formats without captions show the caption too.</param>
/// <param name="Bars">A plot with the same rows, which a terminal draws beside them, after some of the columns.</param>
internal sealed record Table(
    string Caption, IReadOnlyList<TableColumn> Columns, IReadOnlyList<TableRow> Rows, bool HasTitle = false, Plot? Bars = null, string BarTitle = "",
    int ColumnsBeforeBars = 0) : Block
{
    public const int Gap = 2;
    public const int GoodBar = 14;

    private Table? Short { get; init; }

    public static Table Create<TRow>(string caption, IReadOnlyList<Column<TRow>> columns, IEnumerable<TRow> rows, Func<TRow, Tone>? tone = null)
    {
        TRow[] all = [.. rows];
        columns = [.. columns.Where(column => !column.IsOptional || all.Any(row => column.Value(row) is not null))];
        Table With(bool isShort) => new(
            caption,
            [
                .. columns.Select(column => new TableColumn(
                    (isShort ? column.ShortTitle : null) ?? column.Title, column.IsText, column.IsRowHeader, column.Priority)),
            ],
            [.. all.Select(row => new TableRow([.. columns.Select(column => CellOf(column, row, isShort))], tone?.Invoke(row) ?? Tone.Plain))]);
        bool hasShort = columns.Any(column => column.ShortTitle is not null || column.ShortText is not null);
        return With(isShort: false) with { Short = hasShort ? With(isShort: true) : null };
    }

    public Table WithBars(Plot bars, string title, int columnsBefore) => this with { Bars = bars, BarTitle = title, ColumnsBeforeBars = columnsBefore };

    public Table WithMarks() => this with
    {
        Rows =
        [
            .. Rows.Select(row => row with { Cells = [.. row.Cells.Select(cell => cell.IsBest ? cell with { Text = $"*{cell.Text}" } : cell)] }),
        ],
        Short = Short?.WithMarks(),
    };

    public Table FitTo(int width)
    {
        Table table = Width > width && Short is not null ? this with { Columns = Short.Columns, Rows = Short.Rows } : this;
        while (table.Width > width && table.Columns.Max(column => column.Priority) is > 0 and var min)
        {
            int[] places = [.. from column in table.Columns.Index() where column.Item.Priority < min select column.Index];
            table = table.With(places) with { ColumnsBeforeBars = places.Count(column => column < table.ColumnsBeforeBars) };
        }

        return table;
    }

    /// <param name="minText">The width to which the first column may be wrapped if it is text.</param>
    public IEnumerable<Table> PartsFor(int width, int minText)
    {
        int first = Columns[0].IsText ? Math.Min(minText, WidthOf(0)) : WidthOf(0);
        int[] part = [0];
        int used = first;
        foreach (int column in Enumerable.Range(1, Columns.Count - 1))
        {
            if (Bars is null && part.Length > 1 && used + Gap + WidthOf(column) > width)
            {
                yield return With(part);
                (part, used) = ([0], first);
            }

            part = [.. part, column];
            used += Gap + WidthOf(column);
        }

        yield return With(part);
    }

    private Table With(int[] columns) => columns.Length == Columns.Count ? this : this with
    {
        Columns = [.. columns.Select(column => Columns[column])],
        Rows = [.. Rows.Select(row => row with { Cells = [.. columns.Select(column => row.Cells[column])] })],
    };

    public int WidthOf(int column) => Rows.Select(row => row.Cells[column].Text.Length).Append(Columns[column].Title.Length).Max();

    private int Width => Enumerable.Range(0, Columns.Count).Sum(column => WidthOf(column) + Gap) + (Bars is null ? -Gap : Math.Max(GoodBar, BarTitle.Length));

    private static TableCell CellOf<TRow>(Column<TRow> column, TRow row, bool isShort)
    {
        object? value = column.Value(row);
        return new TableCell(value, (isShort ? column.ShortText : null)?.Invoke(row) ?? column.Text?.Invoke(row) ?? value switch
        {
            null => "-",
            IFormattable figure => figure.ToString(column.Format, CultureInfo.InvariantCulture) + column.Unit,
            _ => value.ToString()!,
        },
        column.Text is not null && value is IConvertible and not string ? Convert.ToDouble(value, CultureInfo.InvariantCulture) : null)
        {
            IsBest = column.IsBest?.Invoke(row) == true,
        };
    }
}

internal sealed record TableColumn(string Title, bool IsText, bool IsRowHeader, int Priority);

internal sealed record TableRow(IReadOnlyList<TableCell> Cells, Tone Tone);

/// <param name="SortValue">The number by which a page sorts, where the text does not begin with it; otherwise, null.</param>
internal readonly record struct TableCell(object? Value, string Text, double? SortValue = null)
{
    public string Text { get; init; } = Document.OneLine(Text);

    public bool IsBest { get; init; }
}
