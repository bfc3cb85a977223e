using BenchmarkDotNet.Attributes;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>Counting a message in the current phase of the run.</summary>
public class Counters
{
    private const int Operations = 1_024;

    private readonly WorkerStatistics _thread = Sample.Thread(openLoop: false);

    /// <summary>Counts a message as sent and as received.</summary>
    /// <returns>The number of messages received so far.</returns>
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
