namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>A Markdown table that is also readable as plain text. Its columns are aligned: text to the left and figures to the right.</summary>
/// <param name="header">The cells of the header.</param>
/// <param name="textColumns">The number of text columns, from the left.</param>
internal sealed class MarkdownTable(IReadOnlyList<string> header, int textColumns)
{
    private readonly List<IReadOnlyList<string>> _rows = [];

    /// <summary>Adds a row, which must have as many cells as the header.</summary>
    public void Add(IReadOnlyList<string> cells) => _rows.Add(cells);

    public void Write(TextWriter writer)
    {
        int[] widths = [.. header.Select((cell, column) => _rows.Select(row => row[column].Length).Append(cell.Length).Max())];
        WriteRow(header, widths, writer);
        IEnumerable<string> rules = widths.Select(
            (width, column) => IsText(column) ? $"{new string('-', width + 2)}|" : $"{new string('-', width + 1)}:|");
        writer.WriteLine($"|{string.Concat(rules)}");
        _rows.ForEach(row => WriteRow(row, widths, writer));
    }

    private bool IsText(int column) => column < textColumns;

    private void WriteRow(IReadOnlyList<string> cells, int[] widths, TextWriter writer) => writer.WriteLine(
        $"|{string.Concat(cells.Select((cell, column) => $" {(IsText(column) ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]))} |"))}");
}
