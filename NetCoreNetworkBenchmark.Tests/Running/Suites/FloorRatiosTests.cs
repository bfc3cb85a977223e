using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class FloorRatiosTests
{
    [Fact]
    public void Rank_relates_each_set_to_the_floor_of_the_same_set()
    {
        // The machine was twice as fast in the second set.
        CaseResult[] cases = Ranked([100, 202, 99], [50, 99, 50.5], [200, 400, 200]);
        Assert.Equal([2, 3, 1], cases.Select(found => found.ToFloor!.Rank));
        Assert.Equal([1, 0.5, 2], cases.Select(found => Math.Round(found.ToFloor!.Rate.Ratio, 2)));
        Assert.InRange(cases[1].ToFloor!.Rate.Upper!.Value, 0.5, 0.53);
        Assert.Null(cases[0].ToFloor!.Rate.Lower);
        Assert.Equal(1, cases[1].ToFloor!.ServerCpu!.Ratio);
        Assert.All(cases, found => Assert.True(found.Valid));
    }

    [Fact]
    public void Sets_whose_ratios_differ_too_much_make_the_case_invalid()
    {
        CaseResult[] cases = Ranked([100, 100, 100], [50, 100, 200]);
        Assert.StartsWith("The sets differ too much: the 95 % interval of the ratio ", Assert.Single(cases[1].InvalidReasons), StringComparison.Ordinal);
    }

    [Fact]
    public void A_benchmark_without_a_floor_has_no_ratios()
    {
        SuiteResult suite = SampleResults.SuiteOf(SampleResults.Valid);
        Assert.All(FloorRatios.Rank(suite.Benchmarks)[0].Cases, found => Assert.Null(found.ToFloor));
    }

    // The first case is the floor.
    private static CaseResult[] Ranked(params double[][] rates)
    {
        CaseResult[] cases =
        [
            .. rates.Select((ofCase, index) => CaseSummarizer.Summarize(
                $"{index}",
                [
                    .. ofCase.Select((rate, set) => new LaunchResult(set + 1, SampleResults.Valid with { MessagesPerSecond = rate }, null)
                    {
                        Floor = new FloorFigures(rates[0][set], SampleResults.Valid.Costs.Server!.CpuMicrosecondsPerMessage),
                    }),
                ],
                tookTurns: true)),
        ];
        return [.. FloorRatios.Rank([new BenchmarkResult("Test", cases) { Floor = "0" }])[0].Cases];
    }
}
