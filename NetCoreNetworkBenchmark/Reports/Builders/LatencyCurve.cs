using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>Latencies over percentiles, as few points as a plot can show.</summary>
internal static class LatencyCurve
{
    // More points than this look the same, and make the page large.
    private const int MostPoints = 40;
    private const double NanosecondsPerMicrosecond = 1000;
    private const double MostPosition = 12;

    /// <summary>Returns a plot of distributions; none if nothing was measured.</summary>
    public static Block PlotOf(string title, string? note, IEnumerable<NamedLatency> distributions, Palette palette) =>
        new LatePlots(() => Draw(title, note, [.. distributions], palette)) { Media = Media.Html };

    private static IEnumerable<Plot> Draw(string title, string? note, NamedLatency[] distributions, Palette palette)
    {
        Series[] curves = [.. distributions.Select(distribution => CurveOf(distribution, palette)).OfType<Series>()];
        return curves.Length == 0 ? [] :
        [
            new Plot(title, Axis.Percentiles(curves.SelectMany(curve => curve.Points).Max(point => point.X)))
            {
                Note = note,
                XTitle = "percentile, %",
                YTitle = "latency",
                Y = Axis.Logarithmic(curves.SelectMany(curve => curve.Points).Select(point => point.Y), ShortTime),
                Series = curves,
                Legend = curves.Length == 1 ? [] : [.. curves.Select(curve => (curve.Name, curve.Style))],
            },
        ];
    }

    // Without a histogram, the curve has the points of the summary alone.
    private static Series? CurveOf(NamedLatency distribution, Palette palette)
    {
        LatencyHistogram? histogram = distribution.Latency.Histogram is { } encoded ? HistogramCodec.Decode(encoded) : null;
        if (distribution.Latency.Microseconds is not { } summary || histogram is { Count: 0 })
        {
            return null;
        }

        double end = Math.Clamp(Math.Log10(Math.Max(1, histogram?.Count ?? distribution.Latency.Count)), 0, MostPosition);
        PlotPoint[] marks = [.. MarksOf(distribution.Name, summary, end)];
        IEnumerable<PlotPoint> line = histogram is not null ? PointsOf(histogram, summary, end)
            : summary.Min is { } least ? [new PlotPoint(0, least, null)]
            : [];

        // The line goes through its marks, although they are between its points.
        return new Series(distribution.Name, palette.Of(distribution.Name), [.. line.Concat(marks).OrderBy(point => point.X)])
        {
            Marks = marks,
            Line = "l",
            Words = $"{distribution.Name}: p50 {Microseconds(summary.P50)}, p99 {Microseconds(summary.P99)}, max {Microseconds(summary.Max)}",
        };
    }

    private static IEnumerable<PlotPoint> MarksOf(string name, LatencySummary summary, double end) =>
    [
        .. from mark in ((string Name, double Share, double Value)[])
           [
               ("p50", 0.5, summary.P50), ("p90", 0.9, summary.P90), ("p99", 0.99, summary.P99), ("p99.9", 0.999, summary.P999),
               ("p99.99", 0.9999, summary.P9999),
           ]
           where Axis.PositionOf(mark.Share) < end
           select new PlotPoint(Axis.PositionOf(mark.Share), mark.Value, $"{name}, {mark.Name}: {Microseconds(mark.Value)}"),
        new PlotPoint(end, summary.Max, $"{name}, max: {Microseconds(summary.Max)}"),
    ];

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
