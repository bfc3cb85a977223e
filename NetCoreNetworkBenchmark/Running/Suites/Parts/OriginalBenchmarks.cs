namespace NetCoreNetworkBenchmark.Running.Suites.Parts;

/// <summary>The benchmarks of games over UDP: those of the original, players who see each other, and the first look of <c>-b=quick</c>.</summary>
internal static class OriginalBenchmarks
{
    // A game server with an update rate of 20 Hz.
    private const int GameClients = 500;
    private const double GameRateOfClient = 20;
    private const int Players = 100;

    // The half widths at which a benchmark ends.
    private const double Target = 0.04;
    private const double TargetOfFirstLook = 0.06;

    // Sets of processes differ more than slices do, so a first look has short sets, and as many as fit into its time. A drained load has longer slices.
    private static readonly TimeSpan s_firstLook = TimeSpan.FromSeconds(0.65);
    private static readonly TimeSpan s_drainedFirstLook = TimeSpan.FromSeconds(1.1);

    /// <summary>Benchmark 1, 2 and 3 with the libraries' defaults, for about two minutes.</summary>
    public static readonly BenchmarkPart FirstLook = new("quick", CreateFirstLook) { IsFirstLook = true, Limit = TimeSpan.FromSeconds(140) };

    public static IEnumerable<Benchmark> Create(RunPlan template, PartTemplates templates) =>
    [
        .. CreateOriginal(template, template.Duration, templates).Select(benchmark => benchmark with
        {
            TargetHalfWidth = Target,
            WithTunedProfiles = benchmark.Template.Rate is null,
        }),
        Snapshots(template, templates.With(BenchmarkRole.Replication)),
    ];

    private static IEnumerable<Benchmark> CreateFirstLook(PartTemplates templates)
    {
        TimeSpan Within(TimeSpan time) => time < templates.Original.Duration ? time : templates.Original.Duration;
        RunPlan template = templates.Brief with { Duration = Within(s_drainedFirstLook) };
        return CreateOriginal(template, Within(s_firstLook), templates).Select(benchmark => benchmark with { TargetHalfWidth = TargetOfFirstLook });
    }

    private static IEnumerable<Benchmark> CreateOriginal(RunPlan template, TimeSpan durationOfClosedLoop, PartTemplates templates)
    {
        IWorkload workload = templates.With(BenchmarkRole.Standard);
        RunPlan plan = template with { Test = workload.Name };
        RunPlan closed = plan with { Duration = durationOfClosedLoop };
        return
            from load in (IEnumerable<(string Title, RunPlan Plan)>)
            [
                ("Benchmark 1", closed with { Clients = 1000, ParallelMessages = 1 }),
                ("Benchmark 2", closed with { Clients = 100, ParallelMessages = 1000 }),
                ("Benchmark 3", plan with { Clients = GameClients, ParallelMessages = 1, Rate = GameClients * GameRateOfClient }),
            ]
            select new Benchmark(load.Title, workload, load.Plan, PredefinedBenchmarks.Sets)
            {
                HasBaselines = true,

                // Clients that send late measure themselves. NetCoreServer's own take more of two cores than its server leaves.
                SharesClients = load.Plan.Rate is not null,
            };
    }

    // Not a part of the first look: its three benchmarks take all of the 150 s that it has.
    private static Benchmark Snapshots(RunPlan template, IWorkload workload)
    {
        RunPlan plan = workload.Options.Where(option => option.Default is not null).Aggregate(
            template with { Test = workload.Name, Clients = Players }, (completed, option) => option.Apply(completed, option.Default!));
        return new Benchmark("Benchmark 4", workload, workload.Complete(plan), PredefinedBenchmarks.Sets) { TargetHalfWidth = Target, HasBaselines = true };
    }
}
