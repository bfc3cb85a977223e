using System.Buffers;
using System.Globalization;

namespace NetCoreNetworkBenchmark.Reports.Csv;

/// <summary>Comma-separated values as in RFC 4180. Numbers are in the invariant culture, with all their digits.</summary>
internal static class CsvText
{
    // The form that JSON has.
    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK";

    private static readonly SearchValues<char> s_quoted = SearchValues.Create(",\"\r\n");

    /// <summary>Writes a table with its header.</summary>
    /// <param name="writer">The writer, which defines the line ends.</param>
    /// <param name="columns">The columns.</param>
    /// <param name="rows">The rows.</param>
    public static void WriteCsv<TRow>(this TextWriter writer, IReadOnlyList<CsvColumn<TRow>> columns, IEnumerable<TRow> rows)
    {
        writer.WriteLine(string.Join(',', columns.Select(column => Cell(column.Name))));
        foreach (TRow row in rows)
        {
            writer.WriteLine(string.Join(',', columns.Select(column => Cell(column.Value(row)))));
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
