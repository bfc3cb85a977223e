namespace NetCoreNetworkBenchmark.Tests.Comparing;

/// <summary>Made-up results of one library and load, with the given rates.</summary>
internal static class Suites
{
    public static RunResult Run(double rate) => SampleResults.Valid.WithRate(rate) with { Id = Guid.NewGuid() };

    public static SuiteResult Create(params double[] rates) => SampleSuites.SuiteOf([.. rates.Select(Run)]);

    public static SuiteResult WithControl(double[] control, params double[] rates)
    {
        SuiteResult suite = Create(rates);
        // A slower machine has a lower control, and needs more CPU time.
        LaunchResult WithControl(LaunchResult launch, double figure) => launch with
        {
            Control = figure,
            Result = launch.Result!.WithCost(cost => cost with { UserCpuSeconds = figure > 0 ? 1 / figure : 1, SystemCpuSeconds = 0 }),
        };
        return suite.WithCases(found => found.WithLaunches(
            launch => launch.Number > control.Length ? launch : WithControl(launch, control[launch.Number - 1])));
    }

    public static RunResult WithCost(this RunResult run, Func<ProcessCost, ProcessCost> change) =>
        run.WithServer(server => server with { Cost = change(server.Cost!) });

    /// <summary>ENet and its baseline Sockets at a fixed rate, in four sets of five slices.</summary>
    /// <param name="machine">The factor of all times.</param>
    /// <param name="cpu">The factor of ENet's CPU time.</param>
    /// <param name="p99">The factor of ENet's p99.</param>
    public static SuiteResult WithSlices(double machine, double cpu, double p99)
    {
        SuiteResult suite = WithBaseline(1000, 1000, 1000, 1000, 1000).WithCases(found => found.WithLaunches(launch => launch with
        {
            Result = launch.Result!.WithPlan(plan => plan with { Rate = 1000 }),
            Slices = SlicesOf(found.Library == "ENet" ? (cpu, p99) : (1, 1), launch.Number),
        }));
        return suite.WithBenchmarks(CaseRanking.Rank(suite.Benchmarks[0]));

        SliceSeries SlicesOf((double Cpu, double P99) factors, int set)
        {
            double?[] Times(double factor) => [.. Enumerable.Range(1, 5).Select(round => (double?)(machine * factor * (1 + (0.01 * round) + (0.001 * set))))];
            return new SliceSeries([1000, 1000, 1000, 1000, 1000], Times(factors.Cpu)) { P99Microseconds = Times(factors.P99), P50Microseconds = Times(1) };
        }
    }

    /// <summary>ENet and its baseline Sockets, which took turns.</summary>
    public static SuiteResult WithBaseline(double baseline, params double[] rates)
    {
        SuiteResult suite = SampleSuites.SuiteOf([.. rates.Select(Run), .. rates.Select(_ => Run(baseline).OfLibrary("Sockets"))]);
        BenchmarkResult benchmark = suite.Benchmarks[0].WithCases(
            found => found.WithLaunches(launch => launch with { Baseline = new BaselineFigures(baseline, null) }) with
            {
                IsBaseline = found.Library == "Sockets",
            }) with
        { Baseline = "Sockets" };
        return suite.WithBenchmarks(CaseRanking.Rank(benchmark)) with { Interleaving = new InterleavingMethod(rates.Length, null, 0.05, 1) };
    }
}
