using NetCoreNetworkBenchmark.Workloads.Replication;

namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary>The benchmarks of games over UDP: those of the original, and players who see each other.</summary>
internal static class OriginalBenchmarks
{
    // A game server with an update rate of 20 Hz.
    private const int GameClients = 500;
    private const double GameRateOfClient = 20;
    private const int Players = 100;

    // The half width at which a benchmark ends.
    private const double Target = 0.04;

    public static IEnumerable<Benchmark> Create(RunPlan template) =>
    [
        .. CreateFirstThree(template, template.Duration).Select(benchmark => benchmark with
        {
            TargetHalfWidth = Target,
            WithTunedProfiles = benchmark.Template.Rate is null,
        }),
        CreateSnapshots(template),
    ];

    public static IEnumerable<Benchmark> CreateFirstThree(RunPlan template, TimeSpan durationOfClosedLoop)
    {
        var workload = new PingPong();
        RunPlan closed = template with { Duration = durationOfClosedLoop };
        return
            from load in (IEnumerable<(string Title, RunPlan Plan)>)
            [
                ("Benchmark 1", closed with { Clients = 1000, ParallelMessages = 1 }),
                ("Benchmark 2", closed with { Clients = 100, ParallelMessages = 1000 }),
                ("Benchmark 3", template with { Clients = GameClients, ParallelMessages = 1, Rate = GameClients * GameRateOfClient }),
            ]
            select new Benchmark(load.Title, workload, load.Plan)
            {
                HasBaselines = true,

                // Clients that send late measure themselves. NetCoreServer's own take more of two cores than its server leaves.
                SharesClients = load.Plan.Rate is not null,
            };
    }

    // Not a part of the first look, whose three benchmarks take all of its time.
    private static Benchmark CreateSnapshots(RunPlan template)
    {
        IWorkload workload = new Snapshots();
        RunPlan plan = workload.Options.Where(option => option.Default is not null).Aggregate(
            template with { Clients = Players }, (completed, option) => option.Apply(completed, option.Default!));
        return new Benchmark("Benchmark 4", workload, workload.Complete(plan)) { TargetHalfWidth = Target, HasBaselines = true };
    }
}
