namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>Adds up the intervals of histogram logs, separately for each tag.</summary>
public sealed class HistogramSum
{
    private readonly List<HistogramInterval> _intervals = [];

    /// <summary>The sums, one interval for each tag in the order in which the tags were added. Each lasts from the first start to the last end.</summary>
    public IReadOnlyList<HistogramInterval> Intervals => _intervals;

    /// <summary>Adds an interval to those of its tag.</summary>
    /// <param name="interval">The interval; its histogram is not changed.</param>
    /// <exception cref="OverflowException">The sum of all values is beyond 64 bits.</exception>
    public void Add(HistogramInterval interval)
    {
        int index = _intervals.FindIndex(found => found.Tag == interval.Tag);
        if (index < 0)
        {
            index = _intervals.Count;
            _intervals.Add(interval with { Histogram = new LatencyHistogram() });
        }

        HistogramInterval sum = _intervals[index];
        DateTimeOffset start = interval.Start < sum.Start ? interval.Start : sum.Start;
        TimeSpan untilEnd = interval.Start + interval.Length - start;
        TimeSpan length = sum.Start + sum.Length - start;
        sum.Histogram.Add(interval.Histogram);
        _intervals[index] = sum with { Start = start, Length = untilEnd > length ? untilEnd : length };
    }
}
