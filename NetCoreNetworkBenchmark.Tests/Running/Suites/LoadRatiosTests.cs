namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class LoadRatiosTests
{
    private static readonly PlanOption s_protocol = PlanOptions.All.Single(option => option.Name == "--protocol");

    [Fact]
    public void Loads_with_sets_of_their_own_have_the_ratio_of_their_figures_and_an_interval_of_the_sets_of_both()
    {
        // The standard error of each is 0.02 / √3, and together they have four degrees of freedom.
        (double up, double down) = (Math.Exp(0.02), Math.Exp(-0.02));
        IReadOnlyList<BenchmarkResult> benchmarks = LoadRatios.With(
            [
                Benchmark("Tcp", Case("A", Protocol.Tcp, 100, 100 * up, 100 * down), Case("B", Protocol.Tcp, 200, 200, 200)),
                Benchmark("Ssl", Case("A", Protocol.Ssl, 50, 50 * down, 50 * up), Case("B", Protocol.Ssl, 150, 150, 150)),
            ],
            [s_protocol]);
        Assert.All(benchmarks[0].Cases, result => Assert.Null(result.ToFirstLoad));
        LoadRatio ratio = Assert.Single(benchmarks[1].Cases[0].ToFirstLoad!);
        Assert.Equal(("--protocol", "Tcp", false, null), (ratio.Option, ratio.First, ratio.IsInRounds, ratio.P99));
        Assert.Equal(
            benchmarks[1].Figures![0].MessagesPerSecond!.Value / benchmarks[0].Figures![0].MessagesPerSecond!.Value, ratio.Rate!.Ratio, tolerance: 1e-9);
        Assert.Equal(0.5, ratio.Rate.Ratio, tolerance: 1e-9);
        Assert.Equal(2.7764451 * 0.02 * Math.Sqrt(2.0 / 3), ratio.Rate.HalfWidth!.Value, tolerance: 1e-6);
        Assert.Equal(0.75, Assert.Single(benchmarks[1].Cases[1].ToFirstLoad!).Rate!.Ratio, tolerance: 1e-9);
    }

    [Fact]
    public void Loads_of_one_library_are_compared_within_their_rounds()
    {
        // The machine was twice, and then half as fast.
        BenchmarkResult benchmark = Benchmark("Loads", Case("A (Tcp)", Protocol.Tcp, 100, 202, 50), Case("A (Ssl)", Protocol.Ssl, 50, 100, 25));
        LoadRatio ratio = Assert.Single(LoadRatios.With([benchmark], [s_protocol])[0].Cases[1].ToFirstLoad!);
        Assert.Equal(("Tcp", true), (ratio.First, ratio.IsInRounds));
        Assert.Equal(0.5, ratio.Rate!.Ratio, tolerance: 0.01);
        Assert.InRange(ratio.Rate.HalfWidth!.Value, 0, 0.05);
        Assert.Equal(2, ratio.ServerCpu!.Ratio, tolerance: 0.04);
    }

    private static BenchmarkResult Benchmark(string title, params CaseResult[] cases) => CaseRanking.Rank(new BenchmarkResult(
        title,
        [
            .. cases.Select(result => result with
            {
                Launches =
                [
                    .. result.Launches.Zip(cases[0].Launches, (launch, first) => launch with
                    {
                        Baseline = new BaselineFigures(
                            first.MessagesPerSecond!.Value, first.ServerCpuMicroseconds * launch.MessagesPerSecond / first.MessagesPerSecond),
                    }),
                ],
            }),
        ])
    { Baseline = cases[0].Library });

    private static CaseResult Case(string name, Protocol protocol, params double[] rates) => CaseSummarizer.Summarize(
        name,
        [
            .. rates.Select((rate, set) => new LaunchResult(
                set + 1, SampleResults.Valid.OfLibrary(name.Split(' ')[0]).WithRate(rate).WithPlan(plan => plan with { Protocol = protocol }), null)),
        ],
        isInterleaved: true);
}
