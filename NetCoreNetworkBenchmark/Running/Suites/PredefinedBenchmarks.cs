using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>A benchmark that runs for several libraries.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Template">The plan, in which the library is replaced.</param>
internal sealed record Benchmark(string Title, RunPlan Template);

/// <summary>The benchmarks of the original harness, which its published results are of.</summary>
internal static class PredefinedBenchmarks
{
    /// <summary>Launches of each case: as many as ten minutes hold for five libraries.</summary>
    public const int Launches = 5;

    // A second each is long enough for a rate and short enough to show a change within a launch.
    private static readonly TimeSpan s_iteration = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_mostWarmUp = TimeSpan.FromSeconds(3);

    /// <summary>How long each launch measures.</summary>
    public static readonly TimeSpan Duration = 4 * s_iteration;

    public static IReadOnlyList<Benchmark> All(TimeSpan duration, int port, bool anyMachine)
    {
        var template = new RunPlan
        {
            Library = string.Empty,
            MessageSize = 32,
            WarmUp = s_mostWarmUp,
            Duration = duration,
            Iterations = Math.Max(1, (int)(duration / s_iteration)),
            Port = port,
            AnyMachine = anyMachine,
        };
        return
        [
            new("Benchmark 1", template with { Clients = 1000, ParallelMessages = 1 }),
            new("Benchmark 2", template with { Clients = 100, ParallelMessages = 1000 }),
        ];
    }
}
