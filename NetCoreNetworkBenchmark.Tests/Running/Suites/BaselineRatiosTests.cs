using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class BaselineRatiosTests
{
    [Fact]
    public void Rank_relates_each_set_to_the_baseline_of_the_same_set()
    {
        // The machine was twice as fast in the second set.
        CaseResult[] cases = Ranked([100, 202, 99], [50, 99, 50.5], [200, 400, 200]);
        Assert.Equal([2, 3, 1], cases.Select(found => found.ToBaseline!.Rank));
        Assert.Equal([1, 0.5, 2], cases.Select(found => Math.Round(found.ToBaseline!.Rate.Ratio, 2)));
        Assert.InRange(cases[1].ToBaseline!.Rate.Upper!.Value, 0.5, 0.53);
        Assert.Null(cases[0].ToBaseline!.Rate.Lower);
        Assert.Equal(1, cases[1].ToBaseline!.ServerCpu!.Ratio);
        Assert.All(cases, found => Assert.True(found.Valid));
    }

    [Fact]
    public void Sets_whose_ratios_differ_much_make_no_case_invalid_but_leave_it_undecided()
    {
        CaseResult[] cases = Ranked([100, 100, 100], [50, 100, 200]);
        Assert.True(cases[1].Valid);
        Assert.All(cases, found => Assert.Equal((1, 2), (found.ToBaseline!.Rank, found.ToBaseline.LastRank)));
    }

    [Fact]
    public void Rank_relates_each_case_to_the_best_library_and_ranks_no_baseline()
    {
        BenchmarkResult benchmark = new("Test", Cases([100, 202, 99], [50, 99, 50.5], [200, 400, 200])) { Baseline = "0" };
        benchmark = benchmark with { Cases = [benchmark.Cases[0] with { IsBaseline = true }, .. benchmark.Cases.Skip(1)] };
        IReadOnlyList<CaseResult> cases = BaselineRatios.Rank([benchmark])[0].Cases;
        Assert.Equal([null, 2, 1], cases.Select(found => found.ToBaseline!.Rank));
        Assert.Equal([0.5, 0.25, 1], cases.Select(found => Math.Round(found.ToBest!.Rate.Ratio, 2)));
    }

    [Fact]
    public void Rank_compares_the_slices_of_a_round()
    {
        // The machine is four times as slow in the second round.
        CaseResult[] cases = Cases([100, 100], [50, 50]);
        SliceSeries slow = new([50, 12.5, null], [4, 16, null]);
        SliceSeries fast = new([100, 25, 100], [2, 8, 2]);
        cases = [With(cases[0], fast), With(cases[1], slow)];
        Decision known = new(HalfWidth: null, Aim: 0.05, Seconds: 60, []);
        BenchmarkResult ranked = BaselineRatios.Rank([new BenchmarkResult("Test", cases) { Baseline = "0", Decision = known }])[0];
        BaselineRatio ratio = ranked.Cases[1].ToBaseline!;
        Assert.Equal((0.5, 2), (Math.Round(ratio.Rate.Ratio, 9), Math.Round(ratio.ServerCpu!.Ratio, 9)));
        Assert.Equal((0.05, 60, 0), (ranked.Decision!.Aim, ranked.Decision.Seconds, ranked.Decision.Undecided.Count));
        Assert.InRange(ranked.Decision.HalfWidth!.Value, 0, 1e-6);
    }

    [Fact]
    public void An_undecided_pair_has_the_time_that_would_decide_it()
    {
        Decision known = new(HalfWidth: null, Aim: 0.05, Seconds: 60, []);
        BenchmarkResult ranked = BaselineRatios.Rank(
            [new BenchmarkResult("Test", Cases([100, 100, 100], [85, 97, 96])) { Baseline = "0", Decision = known }])[0];
        UndecidedPair pair = Assert.Single(ranked.Decision!.Undecided);
        Assert.Equal(("0", "1"), (pair.First, pair.Second));

        // Three sets took 60 s. Their error is 0.0424: t(0.995, 7.33) 0.0424 / √(11 / 3) < 0.0779 with eight more, and with seven it is not.
        Assert.Equal(8 * 20, pair.MoreSeconds!.Value, tolerance: 1e-6);
    }

    [Fact]
    public void An_undecided_pair_has_no_time_if_that_is_longer_than_two_hours()
    {
        Decision known = new(HalfWidth: null, Aim: 0.05, Seconds: 60, []);
        BenchmarkResult ranked = BaselineRatios.Rank(
            [new BenchmarkResult("Test", Cases([100, 100, 100], [90, 100, 108])) { Baseline = "0", Decision = known }])[0];
        Assert.Null(Assert.Single(ranked.Decision!.Undecided).MoreSeconds);
    }

    [Fact]
    public void A_benchmark_without_a_baseline_has_no_ratios()
    {
        SuiteResult suite = SampleSuites.SuiteOf(SampleResults.Valid);
        Assert.All(BaselineRatios.Rank(suite.Benchmarks)[0].Cases, found => Assert.Null(found.ToBaseline));
    }

    // The first case is the baseline.
    private static CaseResult[] Ranked(params double[][] rates) =>
        [.. BaselineRatios.Rank([new BenchmarkResult("Test", Cases(rates)) { Baseline = "0" }])[0].Cases];

    private static CaseResult With(CaseResult found, SliceSeries slices) =>
        found with { Launches = [.. found.Launches.Select(launch => launch with { Slices = slices })] };

    private static CaseResult[] Cases(params double[][] rates) =>
        [
            .. rates.Select((ofCase, index) => CaseSummarizer.Summarize(
                $"{index}",
                [
                    .. ofCase.Select((rate, set) => new LaunchResult(set + 1, SampleResults.Valid.WithRate(rate), null)
                    {
                        Baseline = new BaselineFigures(rates[0][set], SampleResults.Valid.Costs.Server!.CpuMicrosecondsPerMessage),
                    }),
                ],
                isInterleaved: true)),
        ];
}
