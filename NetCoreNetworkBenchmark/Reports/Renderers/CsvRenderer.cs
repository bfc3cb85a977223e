using System.Buffers;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>Writes a table as comma-separated values as in RFC 4180. Numbers are in the invariant culture, with all their digits.</summary>
internal static class CsvRenderer
{
    // The form that JSON has.
    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK";

    private static readonly SearchValues<char> s_quoted = SearchValues.Create(",\"\r\n");

    public static void Write(Table table, TextWriter writer)
    {
        writer.WriteLine(string.Join(',', table.Columns.Select(column => Cell(column.Title))));
        foreach (TableRow row in table.Rows)
        {
            writer.WriteLine(string.Join(',', row.Cells.Select(cell => Cell(cell.Value))));
        }
    }

    private static string Cell(object? value)
    {
        string text = value switch
        {
            null => string.Empty,
            bool flag => flag ? "true" : "false",
            DateTimeOffset time => time.ToString(TimeFormat, CultureInfo.InvariantCulture),
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString()!,
        };

        // A parser may drop a space at the ends of a cell without quotes.
        return text.AsSpan().ContainsAny(s_quoted) || text != text.Trim() ? $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : text;
    }
}
