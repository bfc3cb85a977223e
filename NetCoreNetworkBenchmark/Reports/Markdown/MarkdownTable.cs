namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Writes Markdown tables that are also readable as plain text.</summary>
internal static class MarkdownTable
{
    /// <summary>Writes a table that other formats also have.</summary>
    public static void WriteTable(this TextWriter writer, TextTable table) => writer.WriteTable(table.TextColumns, table.Header, table.Rows);

    /// <summary>Writes a table whose columns are aligned: text to the left and figures to the right.</summary>
    /// <param name="writer">The page.</param>
    /// <param name="textColumns">The number of text columns, from the left.</param>
    /// <param name="header">The cells of the header.</param>
    /// <param name="rows">The other rows, each with as many cells as the header.</param>
    public static void WriteTable(this TextWriter writer, int textColumns, string[] header, IEnumerable<string[]> rows)
    {
        string[][] all = [header, .. rows];
        int[] widths = [.. header.Select((_, column) => all.Max(row => row[column].Length))];
        IEnumerable<string> lines = all.Select(row => $"|{string.Concat(row.Select((cell, column) => column < textColumns
            ? $" {cell.PadRight(widths[column])} |"
            : $" {cell.PadLeft(widths[column])} |"))}");
        IEnumerable<string> rules = widths.Select(
            (width, column) => column < textColumns ? $"{new string('-', width + 2)}|" : $"{new string('-', width + 1)}:|");
        writer.WriteLines([lines.First(), $"|{string.Concat(rules)}", .. lines.Skip(1)]);
    }
}
