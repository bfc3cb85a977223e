using BenchmarkDotNet.Attributes;
using NetCoreNetworkBenchmark.Histograms;

namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>Recording a round trip in a histogram.</summary>
public class HistogramRecording
{
    private const int Operations = 1_024;
    private const double Shortest = 1_000;
    private const double LongestToShortest = 10_000;

    private readonly LatencyHistogram _histogram = new();
    private readonly long[] _latencies = new long[Operations];

    /// <summary>Creates latencies from 1 µs to 10 ms, equally many in each octave.</summary>
    public HistogramRecording()
    {
        var random = new Random(1);
        foreach (ref long latency in _latencies.AsSpan())
        {
            latency = (long)(Shortest * Math.Pow(LongestToShortest, random.NextDouble()));
        }
    }

    /// <summary>Records each latency.</summary>
    /// <returns>The number of latencies recorded so far.</returns>
    [Benchmark(OperationsPerInvoke = Operations)]
    public long Record()
    {
        foreach (long latency in _latencies)
        {
            _histogram.Record(latency);
        }

        return _histogram.Count;
    }
}
