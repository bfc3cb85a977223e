using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Comparing;

/// <summary>Made-up results of one library and load, with the given rates.</summary>
internal static class Suites
{
    public static RunResult Run(double rate) => SampleResults.Valid with { MessagesPerSecond = rate };

    public static SuiteResult Of(params double[] rates) => SampleResults.SuiteOf([.. rates.Select(Run)]);

    public static SuiteResult WithControl(double[] control, params double[] rates)
    {
        SuiteResult suite = Of(rates);
        CaseResult found = suite.Benchmarks[0].Cases[0];
        LaunchResult[] launches = [.. found.Launches.Select((launch, index) => index < control.Length ? launch with { Control = control[index] } : launch)];
        return suite with { Benchmarks = [suite.Benchmarks[0] with { Cases = [found with { Launches = launches }] }] };
    }
}
