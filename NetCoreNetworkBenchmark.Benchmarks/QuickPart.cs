namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b=quick</c>: Benchmark 1, 2 and 3 with the libraries' defaults, for about two minutes.</summary>
public sealed class QuickPart : IBenchmarkPart
{
    // The half width at which a benchmark ends.
    private const double Target = 0.06;

    // Sets of processes differ more than slices do, so a first look has short sets, and as many as fit into its time. A drained load has longer slices.
    private static readonly TimeSpan s_closedLoop = TimeSpan.FromSeconds(0.65);
    private static readonly TimeSpan s_drained = TimeSpan.FromSeconds(1.1);

    public string Name => "quick";

    public TimeSpan Limit => TimeSpan.FromSeconds(140);

    public bool IsFirstLook => true;

    public IEnumerable<Benchmark> Create(PartTemplates templates)
    {
        RunPlan template = templates.Brief with { Duration = templates.Limit(s_drained) };
        return OriginalBenchmarks.CreateFirstThree(template, templates.Limit(s_closedLoop)).Select(benchmark => benchmark with { TargetHalfWidth = Target });
    }
}
