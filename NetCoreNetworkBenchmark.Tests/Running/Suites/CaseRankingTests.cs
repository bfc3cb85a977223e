namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class CaseRankingTests
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
        Assert.Equal(2, cases[1].ToBaseline!.ServerCpu!.Ratio, tolerance: 0.01);
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
        IReadOnlyList<CaseResult> cases = CaseRanking.Rank(benchmark).Cases;
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
        Decision known = new(HalfWidth: null, TargetHalfWidth: 0.05, Seconds: 60, []);
        BenchmarkResult ranked = CaseRanking.Rank(new BenchmarkResult("Test", cases) { Baseline = "0", Decision = known });
        BaselineRatio ratio = ranked.Cases[1].ToBaseline!;
        Assert.Equal((0.5, 2), (Math.Round(ratio.Rate.Ratio, 9), Math.Round(ratio.ServerCpu!.Ratio, 9)));
        Assert.Equal((0.05, 60, 0), (ranked.Decision!.TargetHalfWidth, ranked.Decision.Seconds, ranked.Decision.Undecided.Count));
        Assert.InRange(ranked.Decision.HalfWidth!.Value, 0, 1e-6);
    }

    [Fact]
    public void An_undecided_pair_has_the_time_that_would_decide_it()
    {
        Decision known = new(HalfWidth: null, TargetHalfWidth: 0.05, Seconds: 60, []);
        BenchmarkResult ranked = CaseRanking.Rank(
            new BenchmarkResult("Test", Cases([100, 100, 100], [85, 97, 96])) { Baseline = "0", Decision = known });
        UndecidedPair pair = Assert.Single(ranked.Decision!.Undecided);
        Assert.Equal(("0", "1"), (pair.First, pair.Second));

        // Three sets took 60 s. Their error is 0.0424: t(0.975, 4.67) 0.0424 / √(7 / 3) < 0.0779 with four more, and with three it is not.
        Assert.Equal(4 * 20, pair.MoreSeconds!.Value, tolerance: 1e-6);
    }

    [Fact]
    public void An_undecided_pair_has_no_time_if_that_is_longer_than_two_hours()
    {
        Decision known = new(HalfWidth: null, TargetHalfWidth: 0.05, Seconds: 60, []);
        BenchmarkResult ranked = CaseRanking.Rank(
            new BenchmarkResult("Test", Cases([100, 100, 100], [90, 100, 109])) { Baseline = "0", Decision = known });
        Assert.Null(Assert.Single(ranked.Decision!.Undecided).MoreSeconds);
    }

    [Fact]
    public void A_benchmark_without_a_baseline_has_no_ratios()
    {
        SuiteResult suite = SampleSuites.SuiteOf(SampleResults.Valid);
        Assert.All(CaseRanking.Rank(suite.Benchmarks[0]).Cases, found => Assert.Null(found.ToBaseline));
    }

    [Fact]
    public void Rank_is_by_the_servers_cost_if_each_ranked_case_has_it_and_otherwise_by_the_rate()
    {
        SliceSeries fast = new([200, 201], [4, 4.01]);
        SliceSeries cheap = new([100, 101], [2, 2.01]);
        CaseResult[] cases = Cases([100, 100], [200, 200], [100, 100]);
        cases = [With(cases[0], cheap) with { IsBaseline = true }, With(cases[1], fast), With(cases[2], cheap)];
        Assert.Equal((RankedFigure.ServerCpu, 2, 1), RankedOf(cases));

        // A server of another program has no known cost, and a baseline does not count.
        SliceSeries foreign = cheap with { ServerCpuMicroseconds = [null, null] };
        Assert.Equal((RankedFigure.MessagesPerSecond, 1, 2), RankedOf([cases[0], cases[1], With(cases[2], foreign)]));
        Assert.Equal((RankedFigure.ServerCpu, 2, 1), RankedOf([With(cases[0], foreign), cases[1], cases[2]]));

        static (RankedFigure, int?, int?) RankedOf(CaseResult[] cases)
        {
            BenchmarkResult ranked = CaseRanking.Rank(new BenchmarkResult("Test", cases) { Baseline = "0" });
            return (ranked.RankedBy, ranked.Cases[1].ToBaseline?.Rank, ranked.Cases[2].ToBaseline?.Rank);
        }
    }

    [Fact]
    public void The_interval_to_the_best_library_is_the_one_that_decides()
    {
        BenchmarkResult ranked = CaseRanking.Rank(new BenchmarkResult("Test", Cases([100, 100, 100], [85, 97, 96], [40, 41, 40]))
        {
            Baseline = "0",
            Decision = new Decision(HalfWidth: null, TargetHalfWidth: 0.05, Seconds: 60, []),
        });
        UndecidedPair pair = Assert.Single(ranked.Decision!.Undecided);
        Assert.Equal(0.95, ranked.Decision.Confidence!.Value, tolerance: 1e-9);
        RatioFigure second = ranked.Cases[1].ToBest!.ServerCpu!;
        Assert.Equal((second.Lower!.Value, second.Upper!.Value), (pair.Ratio.Lower!.Value, pair.Ratio.Upper!.Value));
        Assert.True(second.Lower < 1 && second.Upper > 1, $"{second}");
        Assert.True(ranked.Cases[2].ToBest!.ServerCpu!.Lower > 1, $"{ranked.Cases[2].ToBest}");
        Assert.Null(ranked.Cases[0].ToBest!.ServerCpu!.Lower);
    }

    [Fact]
    public void Rank_compares_the_latencies_of_an_open_loop_within_a_round()
    {
        // The machine is four times as slow in the second round. The baseline has the lowest p99, and is not the best library.
        CaseResult[] cases = Cases([100, 100], [100, 100], [100, 100]);
        cases =
        [
            With(Paced(cases[0]), Timed([500, 2_000, 500])) with { IsBaseline = true },
            With(Paced(cases[1]), Timed([2_000, 8_000, null]) with { ServerCpuMicroseconds = [1, 4, 1] }),
            With(Paced(cases[2]), Timed([1_000, 4_000, 1_010])),
        ];
        BenchmarkResult ranked = CaseRanking.Rank(new BenchmarkResult("Test", cases) { Baseline = "0" });
        Assert.Equal([0.498, 2, 1], ranked.Cases.Select(found => Math.Round(found.ToBest!.P99!.Ratio, 3)));
        Assert.Equal([0.498, 2, 1], ranked.Cases.Select(found => Math.Round(found.ToBest!.P50!.Ratio, 3)));
        Assert.Equal((true, null), (ranked.Cases[1].ToBest!.P99!.Lower > 1, ranked.Cases[2].ToBest!.P99!.Lower));

        // The server's cost ranks, and that of the library with the highest latency is the least.
        Assert.Equal((RankedFigure.ServerCpu, 1, 2), (ranked.RankedBy, ranked.Cases[1].ToBaseline!.Rank, ranked.Cases[2].ToBaseline!.Rank));
    }

    [Fact]
    public void Rank_has_no_latencies_when_the_loop_is_closed_or_an_older_result_has_none_of_slices()
    {
        CaseResult[] cases = Cases([100, 100], [100, 100]);
        Assert.All(
            (CaseResult[][])
            [
                [.. cases.Select(found => With(found, Timed([1_000, 1_001, 1_002])))],
                [.. cases.Select(found => With(Paced(found), new SliceSeries([100, 101, 102], [2, 2, 2])))],
                [.. cases.Select(Paced)],
            ],
            variant => Assert.All(
                CaseRanking.Rank(new BenchmarkResult("Test", variant) { Baseline = "0" }).Cases,
                found => Assert.Equal((null, null), (found.ToBest!.P50, found.ToBest.P99))));
    }

    private static SliceSeries Timed(double?[] p99) => new([100, 25, 100], [2, 8, 2])
    {
        P50Microseconds = [.. p99.Select(latency => latency / 10)],
        P99Microseconds = p99,
    };

    private static CaseResult Paced(CaseResult found) => found with
    {
        Launches = [.. found.Launches.Select(launch => launch with { Result = launch.Result!.WithPlan(plan => plan with { Rate = 1_000 }) })],
    };

    // The first case is the baseline. The cost is the inverse of the rate.
    private static CaseResult[] Ranked(params double[][] rates) =>
        [.. CaseRanking.Rank(new BenchmarkResult("Test", Cases(rates)) { Baseline = "0" }).Cases];

    private static CaseResult With(CaseResult found, SliceSeries slices) =>
        found with { Launches = [.. found.Launches.Select(launch => launch with { Slices = slices })] };

    private static CaseResult[] Cases(params double[][] rates) =>
        [
            .. rates.Select((ofCase, index) => CaseSummarizer.Summarize(
                $"{index}",
                [
                    .. ofCase.Select((rate, set) => new LaunchResult(set + 1, SampleResults.Valid.WithRate(rate), null)
                    {
                        Baseline = new BaselineFigures(
                            rates[0][set], SampleResults.Valid.Costs.Server!.CpuMicrosecondsPerMessage * rate / rates[0][set]),
                    }),
                ],
                isInterleaved: true)),
        ];
}
