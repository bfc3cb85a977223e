using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>What the benchmarks have in common.</summary>
internal static class Sample
{
    /// <summary>The default message, in the library that has no network.</summary>
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
