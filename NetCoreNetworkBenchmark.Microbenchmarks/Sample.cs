using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>The common setup of the benchmarks.</summary>
internal static class Sample
{
    /// <summary>A plan with the default message and the library that has no network.</summary>
    public static RunPlan Plan { get; } = new() { Library = "Memory", Clients = 10, ParallelMessages = 10, Port = 0 };

    /// <summary>The statistics of a client's thread within a measurement, without the run.</summary>
    public static WorkerStatistics Thread(bool openLoop)
    {
        using var recorder = new RunRecorder(openLoop);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        return worker;
    }
}
