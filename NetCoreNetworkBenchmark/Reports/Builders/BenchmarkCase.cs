namespace NetCoreNetworkBenchmark.Reports.Builders;

internal record BenchmarkCase(BenchmarkResult Benchmark, CaseResult Case)
{
    public CaseFigures Figures { get; } = CaseFigures.From(Benchmark, Case);

    /// <summary>Null if no launch has a result.</summary>
    public RunResult? Median => Case.MedianLaunch();

    public static IEnumerable<BenchmarkCase> In(SuiteResult suite) =>
        from benchmark in suite.Benchmarks from result in benchmark.Cases select new BenchmarkCase(benchmark, result);

    public LoadRatio? ToFirst(PlanOption option) => Case.ToFirstLoad?.FirstOrDefault(ratio => ratio.Option == option.Name);

    /// <summary>The name among the loads of a matrix: the variant of a library that is alone is its load.</summary>
    public string? NameIn(SuiteResult suite) => suite.Benchmarks.Count == 1 ? Median?.Plan.Library : Case.Library;
}
