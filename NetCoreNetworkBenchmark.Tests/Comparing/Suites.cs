namespace NetCoreNetworkBenchmark.Tests.Comparing;

/// <summary>Made-up results of one library and load, with the given rates.</summary>
internal static class Suites
{
    public static RunResult Run(double rate) => SampleResults.Valid.WithRate(rate) with { Id = Guid.NewGuid() };

    public static SuiteResult Of(params double[] rates) => SampleSuites.SuiteOf([.. rates.Select(Run)]);

    public static SuiteResult WithControl(double[] control, params double[] rates)
    {
        SuiteResult suite = Of(rates);
        CaseResult found = suite.Benchmarks[0].Cases[0];
        LaunchResult[] launches = [.. found.Launches.Select((launch, index) => index < control.Length ? launch with { Control = control[index] } : launch)];
        return suite with { Benchmarks = [suite.Benchmarks[0] with { Cases = [found with { Launches = launches }] }] };
    }

    /// <summary>ENet and its baseline Sockets, which took turns.</summary>
    public static SuiteResult WithBaseline(double baseline, params double[] rates)
    {
        SuiteResult suite = SampleSuites.SuiteOf(
            [.. rates.Select(Run), .. rates.Select(_ => Run(baseline).OfLibrary("Sockets"))]);
        BenchmarkResult benchmark = suite.Benchmarks[0] with
        {
            Baseline = "Sockets",
            Cases =
            [
                .. suite.Benchmarks[0].Cases.Select(found => found with
                {
                    Launches = [.. found.Launches.Select(launch => launch with { Baseline = new BaselineFigures(baseline, null) })],
                }),
            ],
        };
        return suite with { Interleaving = new InterleavingMethod(rates.Length, null, 0.05, 1), Benchmarks = [BaselineRatios.Rank(benchmark)] };
    }
}
