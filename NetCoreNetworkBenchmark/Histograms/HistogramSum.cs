namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>Adds up the intervals of histogram logs, separately for each tag.</summary>
public sealed class HistogramSum
{
    private readonly List<Series> _series = [];

    /// <summary>The sums, one interval for each tag in the order in which the tags were added. Each lasts from the first start to the last end.</summary>
    public IEnumerable<HistogramInterval> Intervals => _series.Select(series => series.Interval);

    /// <summary>Adds an interval to those of its tag.</summary>
    /// <param name="interval">The interval; its histogram is not changed.</param>
    /// <exception cref="OverflowException">The sum of all values is beyond 64 bits.</exception>
    public void Add(HistogramInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        Series? series = _series.Find(found => found.Tag == interval.Tag);
        if (series is null)
        {
            series = new Series(interval.Tag, interval.Start);
            _series.Add(series);
        }

        series.Add(interval);
    }

    private sealed class Series(string? tag, DateTimeOffset start)
    {
        private readonly LatencyHistogram _histogram = new();
        private DateTimeOffset _start = start;
        private DateTimeOffset _end = start;

        public string? Tag => tag;

        public HistogramInterval Interval => new(tag, _start, _end - _start, _histogram);

        public void Add(HistogramInterval interval)
        {
            DateTimeOffset end = interval.Start + interval.Length;
            _start = interval.Start < _start ? interval.Start : _start;
            _end = end > _end ? end : _end;
            _histogram.Add(interval.Histogram);
        }
    }
}
