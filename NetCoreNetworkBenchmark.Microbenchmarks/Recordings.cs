namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>A client reads the clock after each receive call that returned data, and not for each message.</summary>
public class Clock
{
    private const int Operations = 1_024;

    private readonly WorkerStatistics _thread = Sample.Thread(openLoop: false);

    [Benchmark(OperationsPerInvoke = Operations)]
    public long Read()
    {
        for (int operation = 0; operation < Operations; operation++)
        {
            _thread.ReadClock();
        }

        return _thread.Now;
    }
}

public class Counters
{
    private const int Operations = 1_024;

    private readonly WorkerStatistics _thread = Sample.Thread(openLoop: false);

    [Benchmark(OperationsPerInvoke = Operations)]
    public long Count()
    {
        for (int operation = 0; operation < Operations; operation++)
        {
            PhaseStatistics statistics = _thread.Current;
            statistics.Counters.ClientSent++;
            statistics.Counters.ClientReceived++;
        }

        return _thread.Current.Counters.ClientReceived;
    }
}

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
