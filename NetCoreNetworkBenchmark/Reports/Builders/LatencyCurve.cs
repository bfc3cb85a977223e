using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class LatencyCurve
{
    // More points than this look the same, and make the page large.
    private const int MaxPoints = 40;
    private const double MaxPosition = 12;

    public static Block PlotOf(string title, string? note, IEnumerable<NamedLatency> distributions, Palette palette) => new LatePlot(() =>
    {
        Series[] curves = [.. distributions.Select(distribution => CurveOf(distribution, palette)).OfType<Series>()];
        var percentiles = Axis.Percentiles(curves.SelectMany(curve => curve.Points).Select(point => point.X).DefaultIfEmpty().Max());
        return Plot.Lines(title, percentiles, Axis.Logarithmic, ShortTime, curves) with { Note = note, XTitle = "percentile, %", YTitle = "latency" };
    })
    { Media = Media.Html };

    // Without a histogram, the curve has the points of the summary alone.
    private static Series? CurveOf(NamedLatency distribution, Palette palette)
    {
        LatencyHistogram? histogram = distribution.Latency.Histogram is { } encoded ? HistogramCodec.Decode(encoded) : null;
        if (distribution.Latency.Microseconds is not { } summary || histogram is { Count: 0 })
        {
            return null;
        }

        double end = Math.Clamp(Math.Log10(Math.Max(1, histogram?.Count ?? distribution.Latency.Count)), 0, MaxPosition);
        PlotPoint[] marks =
        [
            .. from mark in Percentile.All
               let value = mark.Of(summary)
               where Axis.PositionOf(mark.Fraction) < end
               select new PlotPoint(Axis.PositionOf(mark.Fraction), value, $"{distribution.Name}, {mark.Name}: {Time(value)}"),
            new PlotPoint(end, summary.Max, $"{distribution.Name}, max: {Time(summary.Max)}"),
        ];
        IEnumerable<PlotPoint> line = histogram is not null ? PointsOf(histogram, summary, end)
            : summary.Min is { } min ? [new PlotPoint(0, min, null)]
            : [];

        // The line goes through its marks, although they are between its points.
        return new Series(distribution.Name, palette.Of(distribution.Name), [.. line.Concat(marks).OrderBy(point => point.X)])
        {
            Marks = marks,
            Line = PlotStyle.Line,
            Words = $"{distribution.Name}: p50 {Time(summary.P50)}, p99 {Time(summary.P99)}, max {Time(summary.Max)}",
        };
    }

    private static List<PlotPoint> PointsOf(LatencyHistogram histogram, LatencySummary summary, double end)
    {
        var points = new List<PlotPoint>();
        (long seen, int next) = (0, 0);
        foreach (HistogramBucket bucket in histogram.RecordedBuckets())
        {
            seen += bucket.Count;
            int first = next;
            while (next < MaxPoints && RankOf(next, end, histogram.Count) <= seen)
            {
                next++;
            }

            // Of several points in one bucket, those between the ends of the horizontal line show nothing.
            double value = Math.Min(bucket.Highest / NanosecondsPerMicrosecond, Math.Max(summary.Max, bucket.Lowest / NanosecondsPerMicrosecond));
            points.AddRange(from index in Enumerable.Range(first, next - first)
                            where index == first || index == next - 1
                            select new PlotPoint(end * index / (MaxPoints - 1), value, null));
        }

        return points;
    }

    private static double RankOf(int index, double end, long count) =>
        index == MaxPoints - 1 ? count : Math.Max(1, Math.Ceiling((1 - Math.Pow(10, -end * index / (MaxPoints - 1))) * count));
}
