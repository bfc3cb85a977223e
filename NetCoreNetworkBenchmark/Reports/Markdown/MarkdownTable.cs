namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>A markdown table that is also readable as plain text: its columns are aligned, text to the left and figures to the right.</summary>
/// <param name="header">The header's cells.</param>
/// <param name="textColumns">How many columns, from the left, are text.</param>
internal sealed class MarkdownTable(IReadOnlyList<string> header, int textColumns)
{
    private readonly List<IReadOnlyList<string>> _rows = [];

    /// <summary>Adds a row of as many cells as the header has.</summary>
    public void Add(IReadOnlyList<string> cells) => _rows.Add(cells);

    public void Write(TextWriter writer)
    {
        int[] widths = [.. header.Select((cell, column) => _rows.Select(row => row[column].Length).Append(cell.Length).Max())];
        WriteRow(header, widths, writer);
        writer.WriteLine($"|{string.Concat(widths.Select((width, column) => IsText(column) ? $"{new string('-', width + 2)}|" : $"{new string('-', width + 1)}:|"))}");
        _rows.ForEach(row => WriteRow(row, widths, writer));
    }

    private bool IsText(int column) => column < textColumns;

    private void WriteRow(IReadOnlyList<string> cells, int[] widths, TextWriter writer) => writer.WriteLine(
        $"|{string.Concat(cells.Select((cell, column) => $" {(IsText(column) ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]))} |"))}");
}
