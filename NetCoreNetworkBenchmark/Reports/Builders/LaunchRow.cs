namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>One row: a launch, or a step of a search. Values that it does not have are null.</summary>
/// <param name="Source">The result that the row is from.</param>
/// <param name="Environment">The machine.</param>
/// <param name="Number">The number of the launch or of the step, from 1.</param>
/// <param name="Name">The library as named in a report.</param>
internal sealed record LaunchRow(Result Source, EnvironmentInfo Environment, int Number, string Name)
{
    public BenchmarkResult? Benchmark { get; init; }

    public CaseResult? Case { get; init; }

    public LaunchResult? Launch { get; init; }

    public SearchStep? Step { get; init; }

    /// <summary>The measurement of the launch.</summary>
    public RunResult? Run { get; init; }

    /// <summary>The identity of the measurement; null if it has none.</summary>
    public string? Id => (Run?.Id ?? Launch?.Id)?.ToString();

    /// <summary>A run with the same plan. It names the load of a launch that failed, or of which only the figures are kept.</summary>
    public RunResult? Load { get; init; }

    public LatencySummary? Latency => Run?.LatencyMicroseconds;

    /// <summary>The reasons why the figures may not be used, or why there are none.</summary>
    public string InvalidReasons => Run is { Valid: false } ? string.Join(' ', Run.InvalidReasons) : Launch?.Failure ?? string.Empty;

    /// <summary>The rate in relation to that of the baseline, in the same set.</summary>
    public double? RatioToBaseline => Launch?.Baseline is { MessagesPerSecond: > 0 } baseline ? Launch.MessagesPerSecond / baseline.MessagesPerSecond : null;

    /// <summary>Returns the rows of a result; none if it has no launches.</summary>
    public static IEnumerable<LaunchRow> Of(Result source) => source switch
    {
        RunResult run => [new LaunchRow(run, run.Environment, 1, run.Name) { Run = run, Load = run }],
        SuiteResult suite =>
            from benchmark in suite.Benchmarks
            from result in benchmark.Cases
            let median = result.MedianLaunch()
            from launch in result.Launches
            select new LaunchRow(suite, suite.Environment, launch.Number, result.Library)
            {
                Benchmark = benchmark,
                Case = result,
                Launch = launch,
                Run = launch.Result,
                Load = launch.Result ?? median,
            },
        SearchResult search => search.Steps.Select((step, index) => new LaunchRow(search, search.Environment, index + 1, search.Library)
        {
            Step = step,
            Run = step.Result,
            Load = step.Result ?? search.Steps.Select(step => step.Result).OfType<RunResult>().FirstOrDefault(),
        }),
        _ => [],
    };
}
