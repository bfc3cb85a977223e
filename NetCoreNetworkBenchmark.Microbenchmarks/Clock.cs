using BenchmarkDotNet.Attributes;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>Reading the clock of a run. A client does this after each receive call that returned data, and not for each message.</summary>
public class Clock
{
    private const int Operations = 1_024;

    private readonly WorkerStatistics _thread = Sample.Thread(openLoop: false);

    /// <summary>Reads the clock.</summary>
    /// <returns>The last reading.</returns>
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
