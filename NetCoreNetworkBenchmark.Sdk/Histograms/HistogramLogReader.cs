namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// Reads HdrHistogram interval logs of nanoseconds in the formats 1.2 and 1.3 (https://github.com/HdrHistogram/HdrHistogram, <c>HistogramLogReader</c>)
/// whose times are relative to 1970, as this program writes them. Comments, legends and empty lines are skipped. An interval may have a tag. Fields are
/// separated by commas or spaces. Times that are relative to another time (<c>#[BaseTime: ...]</c>) are an error.
/// </summary>
public static class HistogramLogReader
{
    internal const string Legend = "\"StartTimestamp\"";

    private const string IdField = "#[Id:";
    private const string BaseTimeField = "#[BaseTime:";
    private const string TagPrefix = "Tag=";

    /// <summary>Reads a log line by line, as far as the caller enumerates it.</summary>
    /// <param name="reader">The log; it is owned by the caller.</param>
    /// <returns>The intervals in the order of the log, each read when it is requested.</returns>
    /// <exception cref="FormatException">A line is not an interval. The message contains its number and the fault. Thrown when the line is reached.</exception>
    public static IEnumerable<HistogramInterval> Read(TextReader reader)
    {
        Guid? id = null;
        int number = 0;
        while (reader.ReadLine() is { } line)
        {
            number++;
            string[] fields = line.Split([',', ' '], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            if (fields is [IdField, var text, ..])
            {
                id = Guid.TryParse(text.TrimEnd(']'), out Guid found) ? found : null;
            }
            else if (fields is [BaseTimeField, ..])
            {
                throw Unreadable(number, "Its times are relative to a base time, which is not supported.");
            }
            else if (fields.Length > 0 && !fields[0].StartsWith('#') && !fields[0].StartsWith(Legend, StringComparison.Ordinal))
            {
                yield return ReadInterval(fields, number) with { Id = id };
                id = null;
            }
        }
    }

    /// <summary>Returns the comment with the identity of the measurement whose interval follows.</summary>
    internal static string CommentOf(Guid id) => $"{IdField[1..]} {id}]";

    private static HistogramInterval ReadInterval(string[] fields, int number)
    {
        try
        {
            string? tag = fields[0].StartsWith(TagPrefix, StringComparison.Ordinal) ? fields[0][TagPrefix.Length..] : null;
            ReadOnlySpan<string> rest = fields.AsSpan(tag is null ? 0 : 1);
            if (rest.Length < 4)
            {
                throw new FormatException("An interval has a start, a length, a maximum and a histogram.");
            }

            decimal start = Parse(rest[0]);
            decimal length = Parse(rest[1]);
            _ = Parse(rest[2]);
            return new HistogramInterval(tag, DateTimeOffset.UnixEpoch + Span(start), Span(length), HistogramCodec.Decode(rest[3]));
        }
        catch (Exception exception) when (exception is FormatException or OverflowException or ArgumentOutOfRangeException)
        {
            string reason = exception is FormatException ? exception.Message : "A time is out of range.";
            throw Unreadable(number, reason, exception);
        }
    }

    private static FormatException Unreadable(int number, string reason, Exception? cause = null) =>
        new($"Line {number.ToString(CultureInfo.InvariantCulture)} of the histogram log cannot be read: {reason}", cause);

    private static TimeSpan Span(decimal seconds) => new((long)(seconds * TimeSpan.TicksPerSecond));

    private static decimal Parse(string field) => decimal.TryParse(field, NumberStyles.Float, CultureInfo.InvariantCulture, out decimal number)
        ? number
        : throw new FormatException($"'{field}' is not a number.");
}

/// <summary>The values that were recorded in one interval of a histogram log.</summary>
/// <param name="Tag">The series that the interval belongs to; null if there is only one. No comma, space or line break.</param>
/// <param name="Start">The start of the interval.</param>
/// <param name="Length">The length of the interval.</param>
/// <param name="Histogram">The values that were recorded in this interval, and in no other.</param>
public sealed record HistogramInterval(string? Tag, DateTimeOffset Start, TimeSpan Length, LatencyHistogram Histogram)
{
    /// <summary>The identity of the measurement, which is in a comment before the interval; null if the log does not have it.</summary>
    public Guid? Id { get; init; }
}
