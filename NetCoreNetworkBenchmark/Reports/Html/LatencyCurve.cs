using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>Latencies over percentiles, as few points as a plot can show.</summary>
/// <param name="Name">The name of the curve.</param>
/// <param name="Points">The points, from the lowest percentile. A position is the logarithm of 1/(1-p), a latency is in microseconds.</param>
/// <param name="Marks">The points that are named.</param>
/// <param name="Words">The curve in words.</param>
internal sealed record LatencyCurve(string Name, IReadOnlyList<PlotPoint> Points, IReadOnlyList<PlotPoint> Marks, string Words)
{
    // More points than this look the same, and make the page large.
    private const int MostPoints = 80;
    private const double NanosecondsPerMicrosecond = 1000;
    private const double MostPosition = 12;

    /// <summary>Returns the position of a percentile on the axis.</summary>
    /// <param name="share">The percentile, from 0 to 1.</param>
    public static double PositionOf(double share) => -Math.Log10(1 - share);

    /// <summary>Returns a curve; null if nothing was measured.</summary>
    /// <param name="name">The name.</param>
    /// <param name="summary">The quoted figures of the distribution.</param>
    /// <param name="encoded">The histogram. Without it, the curve has the points of the summary alone.</param>
    /// <param name="count">The number of values, if there is no histogram.</param>
    /// <exception cref="FormatException">The histogram cannot be read.</exception>
    public static LatencyCurve? Of(string name, LatencySummary? summary, string? encoded, long count)
    {
        LatencyHistogram? histogram = encoded is null ? null : HistogramCodec.Decode(encoded);
        if (summary is null || histogram is { Count: 0 })
        {
            return null;
        }

        double end = Math.Clamp(Math.Log10(Math.Max(1, histogram?.Count ?? count)), 0, MostPosition);
        PlotPoint[] marks = [.. MarksOf(name, summary, end)];
        string words = $"p50 {PlotLabels.Microseconds(summary.P50)}, p99 {PlotLabels.Microseconds(summary.P99)}, max {PlotLabels.Microseconds(summary.Max)}";
        // The line goes through its marks, although they are between its points.
        IEnumerable<PlotPoint> line = histogram is null ? LeastOf(summary) : PointsOf(histogram, summary, end);
        return new LatencyCurve(name, [.. line.Concat(marks).OrderBy(point => point.X)], marks, words);
    }

    private static IEnumerable<PlotPoint> MarksOf(string name, LatencySummary summary, double end)
    {
        (string Name, double Position, double Value)[] all =
        [
            ("p50", PositionOf(0.5), summary.P50),
            ("p90", PositionOf(0.9), summary.P90),
            ("p99", PositionOf(0.99), summary.P99),
            ("p99.9", PositionOf(0.999), summary.P999),
            ("p99.99", PositionOf(0.9999), summary.P9999),
        ];
        return
        [
            .. from mark in all
               where mark.Position < end
               select new PlotPoint(mark.Position, mark.Value, $"{name}, {mark.Name}: {PlotLabels.Microseconds(mark.Value)}"),
            new PlotPoint(end, summary.Max, $"{name}, max: {PlotLabels.Microseconds(summary.Max)}"),
        ];
    }

    private static PlotPoint[] LeastOf(LatencySummary summary) => summary.Min is { } least ? [new PlotPoint(0, least, null)] : [];

    private static List<PlotPoint> PointsOf(LatencyHistogram histogram, LatencySummary summary, double end)
    {
        var points = new List<PlotPoint>();
        long seen = 0;
        int next = 0;
        foreach (HistogramBucket bucket in histogram.RecordedBuckets())
        {
            seen += bucket.Count;
            int first = next;
            while (next < MostPoints && RankOf(next, end, histogram.Count) <= seen)
            {
                next++;
            }

            // Of several points in one bucket, those between the ends of the horizontal line show nothing.
            double value = Math.Min(bucket.Highest / NanosecondsPerMicrosecond, Math.Max(summary.Max, bucket.Lowest / NanosecondsPerMicrosecond));
            points.AddRange(from index in Enumerable.Range(first, next - first)
                            where index == first || index == next - 1
                            select new PlotPoint(end * index / (MostPoints - 1), value, null));
        }

        return points;
    }

    private static double RankOf(int index, double end, long count) =>
        index == MostPoints - 1 ? count : Math.Max(1, Math.Ceiling((1 - Math.Pow(10, -end * index / (MostPoints - 1))) * count));
}

/// <summary>A point of a plot.</summary>
/// <param name="X">The value on the horizontal axis.</param>
/// <param name="Y">The value on the vertical axis.</param>
/// <param name="Tip">The text that is shown when the mouse is over it; null if it is a point of a line alone.</param>
/// <param name="IsHollow">Whether the point is drawn as a circle, for a figure that may not be used.</param>
internal readonly record struct PlotPoint(double X, double Y, string? Tip, bool IsHollow = false);
