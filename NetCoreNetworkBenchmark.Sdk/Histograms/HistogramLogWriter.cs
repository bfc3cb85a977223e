namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// Writes an HdrHistogram interval log, format version 1.3 (https://github.com/HdrHistogram/HdrHistogram, <c>HistogramLogWriter</c>), line
/// by line, each ended by a line feed. It is not safe for several threads at a time.
/// </summary>
/// <param name="writer">The output; it is owned by the caller.</param>
public sealed class HistogramLogWriter(TextWriter writer)
{
    private const decimal NanosecondsPerMillisecond = 1_000_000;

    /// <summary>Writes the lines before the intervals: the format version, the start time and the legend.</summary>
    /// <param name="start">The start of the run; written to the millisecond.</param>
    public void WriteHeader(DateTimeOffset start)
    {
        WriteComment("[Histogram log format version 1.3]");
        string date = start.UtcDateTime.ToString("ddd MMM dd HH:mm:ss 'UTC' yyyy", CultureInfo.InvariantCulture);
        WriteComment($"[StartTime: {SinceEpoch(start)} (seconds since epoch), {date}]");
        writer.Write("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n");
    }

    /// <summary>Writes a line that readers skip.</summary>
    /// <param name="comment">The text, without the number sign; one line.</param>
    /// <exception cref="ArgumentException">The text contains a line break.</exception>
    public void WriteComment(string comment)
    {
        if (comment.AsSpan().ContainsAny('\r', '\n'))
        {
            throw new ArgumentException("A comment of a histogram log is one line.", nameof(comment));
        }

        writer.Write($"#{comment}\n");
    }

    /// <summary>
    /// Writes one interval. The maximum beside the histogram is that of its bucket, in milliseconds, which is HdrHistogram's default.
    /// </summary>
    /// <param name="interval">The interval. Times are relative to 1970, and written to the millisecond.</param>
    /// <exception cref="ArgumentException">The tag contains a comma, a space or a line break.</exception>
    public void Write(HistogramInterval interval)
    {
        if (interval.Tag.AsSpan().ContainsAny(", \r\n"))
        {
            throw new ArgumentException($"The tag '{interval.Tag}' of a histogram log has a comma, a space or a line break.", nameof(interval));
        }

        string tag = interval.Tag is null ? string.Empty : $"Tag={interval.Tag},";
        string max = Decimals(interval.Histogram.RecordedBuckets().LastOrDefault().Highest / NanosecondsPerMillisecond);
        string start = SinceEpoch(interval.Start);
        writer.Write($"{tag}{start},{Seconds(interval.Length)},{max},{HistogramCodec.Encode(interval.Histogram)}\n");
    }

    private static string SinceEpoch(DateTimeOffset time) => Seconds(time - DateTimeOffset.UnixEpoch);

    private static string Seconds(TimeSpan time) => Decimals((decimal)time.Ticks / TimeSpan.TicksPerSecond);

    private static string Decimals(decimal number) => number.ToString("F3", CultureInfo.InvariantCulture);
}

/// <summary>The values that were recorded in one interval of a histogram log.</summary>
/// <param name="Tag">The series that the interval belongs to; null if there is only one. No comma, space or line break.</param>
/// <param name="Start">The start of the interval.</param>
/// <param name="Length">The length of the interval.</param>
/// <param name="Histogram">The values that were recorded in this interval, and in no other.</param>
public sealed record HistogramInterval(string? Tag, DateTimeOffset Start, TimeSpan Length, LatencyHistogram Histogram);
