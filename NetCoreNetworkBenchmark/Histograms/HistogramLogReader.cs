using System.Globalization;

namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// Reads HdrHistogram interval logs of nanoseconds, of this program or of another tool, in the formats 1.2 and 1.3
/// (https://github.com/HdrHistogram/HdrHistogram, <c>HistogramLogReader</c>). Comments, legends and empty lines are skipped. An interval
/// may have a tag. Fields are separated by commas or spaces.
/// </summary>
/// <remarks>
/// Times are relative to the log's base time. If the log has none, they are relative to 1970, unless the first one lies more than a year
/// before the log's start time: then they are relative to that start.
/// </remarks>
public sealed class HistogramLogReader
{
    internal const string Legend = "\"StartTimestamp\"";

    private const string StartTimeField = "#[StartTime:";
    private const string BaseTimeField = "#[BaseTime:";
    private const string TagPrefix = "Tag=";
    private const decimal SecondsPerYear = 365 * 24 * 3600;

    private decimal _startTime;
    private decimal? _baseTime;

    private HistogramLogReader()
    {
    }

    /// <summary>Reads a log line by line, as far as the caller enumerates it.</summary>
    /// <param name="reader">The log; it is owned by the caller.</param>
    /// <returns>The intervals in the order of the log, each read when it is requested.</returns>
    /// <exception cref="FormatException">A line is not an interval. The message contains its number and the fault. Thrown when the line is reached.</exception>
    public static IEnumerable<HistogramInterval> Read(TextReader reader)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return new HistogramLogReader().ReadLines(reader);
    }

    private IEnumerable<HistogramInterval> ReadLines(TextReader reader)
    {
        int number = 0;
        while (reader.ReadLine() is { } line)
        {
            number++;
            if (ReadLine(line, number) is { } interval)
            {
                yield return interval;
            }
        }
    }

    private HistogramInterval? ReadLine(string line, int number)
    {
        string[] fields = line.Split([',', ' '], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (fields.Length == 0 || fields[0].StartsWith(Legend, StringComparison.Ordinal))
        {
            return null;
        }

        if (fields[0].StartsWith('#'))
        {
            ReadComment(fields);
            return null;
        }

        try
        {
            return ReadInterval(fields);
        }
        catch (Exception exception) when (exception is FormatException or OverflowException or ArgumentOutOfRangeException)
        {
            string reason = exception is FormatException ? exception.Message : "A time is out of range.";
            throw new FormatException($"Line {number.ToString(CultureInfo.InvariantCulture)} of the histogram log cannot be read: {reason}", exception);
        }
    }

    private void ReadComment(string[] fields)
    {
        if (fields.Length > 1 && TryParse(fields[1], out decimal seconds))
        {
            _startTime = fields[0] == StartTimeField ? seconds : _startTime;
            _baseTime = fields[0] == BaseTimeField ? seconds : _baseTime;
        }
    }

    private HistogramInterval ReadInterval(ReadOnlySpan<string> fields)
    {
        string? tag = fields[0].StartsWith(TagPrefix, StringComparison.Ordinal) ? fields[0][TagPrefix.Length..] : null;
        ReadOnlySpan<string> rest = tag is null ? fields : fields[1..];
        if (rest.Length < 4)
        {
            throw new FormatException("An interval has a start, a length, a maximum and a histogram.");
        }

        decimal start = Parse(rest[0]);
        decimal length = Parse(rest[1]);
        _ = Parse(rest[2]);
        _baseTime ??= start < _startTime - SecondsPerYear ? _startTime : 0;
        return new HistogramInterval(tag, DateTimeOffset.UnixEpoch + Span(start + _baseTime.Value), Span(length), HistogramCodec.Decode(rest[3]));
    }

    private static TimeSpan Span(decimal seconds) => new((long)(seconds * TimeSpan.TicksPerSecond));

    private static decimal Parse(string field) =>
        TryParse(field, out decimal number) ? number : throw new FormatException($"'{field}' is not a number.");

    private static bool TryParse(string field, out decimal number) =>
        decimal.TryParse(field, NumberStyles.Float, CultureInfo.InvariantCulture, out number);
}
