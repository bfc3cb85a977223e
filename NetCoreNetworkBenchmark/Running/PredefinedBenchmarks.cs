using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>A benchmark that <c>-b</c> runs for every library.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Template">The plan, in which the library is replaced.</param>
internal sealed record PredefinedBenchmark(string Title, RunPlan Template);

/// <summary>The benchmarks of the original harness, which its published results are of.</summary>
internal static class PredefinedBenchmarks
{
    public static IReadOnlyList<PredefinedBenchmark> All(TimeSpan duration, int port) =>
    [
        new("Benchmark 1", new RunPlan { Library = string.Empty, Clients = 1000, ParallelMessages = 1, MessageSize = 32, Duration = duration, Port = port }),
        new("Benchmark 2", new RunPlan { Library = string.Empty, Clients = 100, ParallelMessages = 1000, MessageSize = 32, Duration = duration, Port = port }),
    ];
}
