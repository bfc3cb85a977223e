namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class CaseSummarizerTests
{
    [Fact]
    public void Summarize_quotes_the_median_with_its_interval()
    {
        CaseResult found = Summarize(Good(100), Good(102), Good(98), Good(101), Good(99));
        Spread rate = found.Summary!.MessagesPerSecond;
        Assert.True(found.Valid);
        Assert.Equal(100, rate.Median);
        Assert.InRange(rate.Lower!.Value, 97, 99);
        Assert.InRange(rate.Upper!.Value, 101, 103);
        Assert.Empty(rate.Modes);
        Assert.Equal(100, found.MedianLaunch()!.MessagesPerSecond);
    }

    [Fact]
    public void Summarize_names_the_modes()
    {
        CaseResult found = Summarize(Good(100), Good(101), Good(60), Good(102), Good(61));
        Assert.Equal([(60.5, 2), (101, 3)], found.Summary!.MessagesPerSecond.Modes.Select(mode => (mode.Centre, mode.Launches)));
    }

    [Fact]
    public void Round_trips_that_a_coarse_clock_cannot_see_are_no_reason_to_fail()
    {
        RunResult result = Good(100).WithLatency(new LatencySummary(0, 0, 0, 0, 1, 1, 1, 1)).WithoutHistogram();
        Assert.Equal((0, 1), (Summarize(result, result).Summary!.P50Microseconds!.Median, Summarize(result, result).Summary!.P99Microseconds!.Median));
    }

    // An aborted launch, which was requested to end when its measurement began.
    [Theory, InlineData(0), InlineData(double.PositiveInfinity)]
    public void A_launch_that_measured_no_time_has_no_figures_and_takes_none_away(double rate)
    {
        RunResult none = Good(rate).WithFaults("It was aborted.").WithClients(clients => clients with { Aborted = true });
        Assert.Null(Summarize(none).Summary);
        Assert.Equal(100, Summarize(Good(100), none).Summary!.MessagesPerSecond.Median);
    }

    [Fact]
    public void A_launch_with_a_fault_of_its_own_makes_the_case_invalid_and_is_left_out()
    {
        CaseResult found = Summarize(Good(100), Good(100).WithFaults("It lost something."), Good(200));
        Assert.False(found.Valid);
        Assert.Equal(["Launch 2 is invalid: It lost something."], found.InvalidReasons.Take(1));
        Assert.Equal(150, found.Summary!.MessagesPerSecond.Median);
    }

    [Fact]
    public void A_failed_launch_makes_the_case_invalid()
    {
        CaseResult found = CaseSummarizer.Summarize("Toy", [new LaunchResult(1, Good(100), null), new LaunchResult(2, null, "It hung.")]);
        Assert.False(found.Valid);
        Assert.Contains("Launch 2 failed: It hung.", found.InvalidReasons);
    }

    [Fact]
    public void Fewer_than_half_of_the_launches_may_be_disturbed()
    {
        RunResult disturbed = Good(50) with { Verdict = new RunVerdict([], ["Other programs took 30 % of the CPU time."], []) };
        CaseResult found = Summarize(Good(100), Good(101), Good(102), disturbed, disturbed);
        Assert.True(found.Valid);
        Assert.Equal(101, found.Summary!.MessagesPerSecond.Median);
        Assert.StartsWith(
            "Other programs disturbed 2 of 4 launches (limit: fewer than half). The last time: ",
            Summarize(Good(100), Good(101), disturbed, disturbed).InvalidReasons[0],
            StringComparison.Ordinal);
    }

    [Theory, InlineData(false), InlineData(true)]
    public void Launches_or_sets_that_differ_much_have_a_wide_interval_and_are_valid_and_one_has_none(bool isInterleaved)
    {
        CaseResult found = CaseSummarizer.Summarize("Toy", [.. Launches(Good(100), Good(200), Good(400))], isInterleaved);
        Assert.True(found.Valid);
        Assert.InRange(found.Summary!.MessagesPerSecond.RelativeHalfWidth!.Value, 0.5, double.MaxValue);
        Assert.Null(Summarize(Good(100)).Summary!.MessagesPerSecond.Lower);
    }

    [Fact]
    public void A_load_of_which_no_round_trip_could_be_timed_has_a_rate_and_no_latency()
    {
        CaseSummary summary = Summarize(Good(100).WithLatency(null)).Summary!;
        Assert.Equal((100, null, null), (summary.MessagesPerSecond.Median, summary.P50Microseconds, summary.P99Microseconds));
    }

    [Theory, InlineData(true), InlineData(false)]
    public void The_latencies_of_launches_and_sets_are_percentiles_of_all_together(bool isInterleaved)
    {
        RunResult fast = Good(100).WithHistogram(HistogramOf(1_000, count: 98));
        RunResult slow = Good(100).WithHistogram(HistogramOf(9_000, count: 2));
        CaseSummary summary = CaseSummarizer.Summarize("Toy", [.. Launches(fast, slow)], isInterleaved).Summary!;
        Assert.Equal(1, summary.P50Microseconds!.Median, tolerance: 0.01);
        Assert.Equal(9, summary.P99Microseconds!.Median, tolerance: 0.09);
        Assert.Equal((null, null), (summary.P99Microseconds.Lower, summary.P99Microseconds.Upper));
    }

    [Fact]
    public void The_delivery_of_an_impaired_open_loop_is_of_all_launches_together()
    {
        RunResult first = Open(HistogramOf(20_000_000, count: 999), received: 999, lost: 1);
        RunResult second = Open(HistogramOf(220_000_000, count: 1), received: 1, lost: 3);
        DeliverySummary delivery = Summarize(first, second).Summary!.Delivery!;
        Assert.Equal((1_004, 4), (delivery.Sent, delivery.Lost));
        Assert.Equal(20_000, delivery.Microseconds.P99, tolerance: 20);
        Assert.Equal(20_000, delivery.Microseconds.P999, tolerance: 20);
        Assert.Equal(220_000, delivery.Microseconds.P9999, tolerance: 220);
        Assert.Null(Summarize(first, second with { Relay = null }).Summary!.Delivery);
        Assert.Null(Summarize(first, second.WithPlan(plan => plan with { Rate = null })).Summary!.Delivery);
    }

    [Fact]
    public void The_largest_latency_is_that_of_all_sets_of_an_open_loop()
    {
        RunResult first = SampleResults.OpenLoop;
        LatencySummary latency = first.LatencyMicroseconds!;
        RunResult second = first.WithLatency(latency with { Max = 2 * latency.Max });
        Assert.Equal(2 * latency.Max, CaseSummarizer.Summarize("Toy", [.. Launches(first, second, first)], isInterleaved: true).Summary!.MaxMicroseconds);
        Assert.Null(CaseSummarizer.Summarize("Toy", [.. Launches(Good(100))], isInterleaved: true).Summary!.MaxMicroseconds);
    }

    [Fact]
    public void A_case_without_launches_was_not_run() => Assert.Equal(["It was not run."], Summarize().InvalidReasons);

    private static CaseResult Summarize(params RunResult[] results) => CaseSummarizer.Summarize("Toy", [.. Launches(results)]);

    private static IEnumerable<LaunchResult> Launches(params RunResult[] results) =>
        results.Select((result, index) => new LaunchResult(index + 1, result, result.Valid ? null : string.Join(' ', result.InvalidReasons)));

    private static string HistogramOf(long nanoseconds, int count)
    {
        var histogram = new LatencyHistogram();
        for (int index = 0; index < count; index++)
        {
            histogram.Record(nanoseconds);
        }

        return HistogramCodec.Encode(histogram);
    }

    private static RunResult Open(string histogram, long received, long lost) => SampleResults.OpenLoop.WithHistogram(histogram)
        .WithClients(clients => clients with { Whole = clients.Whole with { ClientReceived = received } })
        .WithLost(lost);

    private static RunResult Good(double rate) => SampleResults.Valid.WithRate(rate);
}

public sealed class SuiteCaseTests
{
    [Theory]
    [InlineData(Profile.Default, null, "Sockets (1.2.3)")]
    [InlineData(Profile.Default, "", "Sockets (1.2.3)")]
    [InlineData(Profile.Tuned, null, "Sockets (1.2.3, tuned)")]
    [InlineData(Profile.Default, "gcServer=1", "Sockets (1.2.3, gcServer=1)")]
    public void With_has_the_version_in_the_name_of_the_case(Profile profile, string? variant, string name)
    {
        RunPlan plan = PlanOption.DefaultPlan with { Library = "Sockets", Profile = profile, Variant = variant };
        var found = new SuiteCase("Load", plan, LibraryUnderTest.Create("Sockets").Info, new PingPong(), 1);
        SuiteCase built = found.With(new VersionBuild("1.2.3", "/build/x.dll"));
        Assert.Equal((name, "/build/x.dll"), (built.Name, built.Build));
    }
}

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
        IReadOnlyList<CaseResult> cases = BaselineRatios.Rank(benchmark).Cases;
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
        BenchmarkResult ranked = BaselineRatios.Rank(new BenchmarkResult("Test", cases) { Baseline = "0", Decision = known });
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
            new BenchmarkResult("Test", Cases([100, 100, 100], [85, 97, 96])) { Baseline = "0", Decision = known });
        UndecidedPair pair = Assert.Single(ranked.Decision!.Undecided);
        Assert.Equal(("0", "1"), (pair.First, pair.Second));

        // Three sets took 60 s. Their error is 0.0424: t(0.975, 4.67) 0.0424 / √(7 / 3) < 0.0779 with four more, and with three it is not.
        Assert.Equal(4 * 20, pair.MoreSeconds!.Value, tolerance: 1e-6);
    }

    [Fact]
    public void An_undecided_pair_has_no_time_if_that_is_longer_than_two_hours()
    {
        Decision known = new(HalfWidth: null, Aim: 0.05, Seconds: 60, []);
        BenchmarkResult ranked = BaselineRatios.Rank(
            new BenchmarkResult("Test", Cases([100, 100, 100], [90, 100, 109])) { Baseline = "0", Decision = known });
        Assert.Null(Assert.Single(ranked.Decision!.Undecided).MoreSeconds);
    }

    [Fact]
    public void A_benchmark_without_a_baseline_has_no_ratios()
    {
        SuiteResult suite = SampleSuites.SuiteOf(SampleResults.Valid);
        Assert.All(BaselineRatios.Rank(suite.Benchmarks[0]).Cases, found => Assert.Null(found.ToBaseline));
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
            BenchmarkResult ranked = BaselineRatios.Rank(new BenchmarkResult("Test", cases) { Baseline = "0" });
            return (ranked.RankedBy, ranked.Cases[1].ToBaseline?.Rank, ranked.Cases[2].ToBaseline?.Rank);
        }
    }

    [Fact]
    public void The_interval_to_the_best_library_is_the_one_that_decides()
    {
        BenchmarkResult ranked = BaselineRatios.Rank(new BenchmarkResult("Test", Cases([100, 100, 100], [85, 97, 96], [40, 41, 40]))
        {
            Baseline = "0",
            Decision = new Decision(HalfWidth: null, Aim: 0.05, Seconds: 60, []),
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
        BenchmarkResult ranked = BaselineRatios.Rank(new BenchmarkResult("Test", cases) { Baseline = "0" });
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
                BaselineRatios.Rank(new BenchmarkResult("Test", variant) { Baseline = "0" }).Cases,
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
        [.. BaselineRatios.Rank(new BenchmarkResult("Test", Cases(rates)) { Baseline = "0" }).Cases];

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

/// <summary>The launches that are made, and the handling of those whose control cannot be measured. No process is started for them.</summary>
public sealed class LaunchScheduleTests
{
    private static readonly SuiteCase s_case = new("Test", new RunPlan { Library = "Memory" }, new MemoryBenchmark().Info, new PingPong(), Launches: 2);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_control_that_fails_is_a_failed_launch_and_the_others_go_on()
    {
        var schedule = new LaunchSchedule([s_case]) { Control = _ => throw new BenchmarkException("The control is broken.") };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal([new LaunchResult(1, null, "The control is broken."), new LaunchResult(2, null, "The control is broken.")], schedule.ResultsOf(s_case));
    }

    public static TheoryData<Exception> Unexpected =>
    [
        new IOException("Too many open files"),
        new InvalidOperationException("The program is broken."),
        new OperationCanceledException("Nobody wanted that."),
    ];

    [Theory, MemberData(nameof(Unexpected))]
    public async Task An_unexpected_failure_is_the_reason_of_its_launch_and_the_others_go_on(Exception exception)
    {
        LaunchSchedule schedule = await RunAsync(launch => launch == 2 ? throw exception : SampleResults.Valid);
        Assert.Equal([null, exception.Message, null], schedule.ResultsOf(s_case with { Launches = 3 }).Select(launch => launch.Failure));
    }

    [Fact]
    public async Task The_steps_count_the_launches_and_end_with_nothing_left()
    {
        var steps = new List<SuiteStep>();
        await RunAsync(_ => SampleResults.Valid, steps.Add);
        Assert.Equal([("Test, Memory, launch 1", 1, 3), ("Test, Memory, launch 2", 2, 3), ("Test, Memory, launch 3", 3, 3)],
            steps.Select(step => (step.Name, step.Number, step.Count)));
        Assert.Equal(TimeSpan.Zero, steps[^1].ExpectedAfter);
    }

    [Fact]
    public async Task Finished_reports_the_remaining_time_with_which_the_next_step_begins()
    {
        var begins = new List<TimeSpan>();
        var ends = new List<TimeSpan>();
        var schedule = new LaunchSchedule([s_case with { Launches = 3 }])
        {
            Control = _ => Task.FromResult(1000.0),
            Starting = step => begins.Add(step.Expected + step.ExpectedAfter),
            Finished = (step, _) => ends.Add(step.ExpectedAfter),
            Measure = (_, _, _) => Task.FromResult(SampleResults.Valid),
        };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal([.. begins[1..], TimeSpan.Zero], ends);
    }

    [Fact]
    public async Task Cases_are_interleaved_launch_by_launch_and_earlier_launches_are_not_repeated()
    {
        SuiteCase[] cases = [.. from title in (string[])["A", "B"] select s_case with { Title = title }];
        var measured = new List<string>();
        var earlier = new LaunchResult(1, SampleResults.Valid, null);
        var schedule = new LaunchSchedule(cases)
        {
            Control = _ => Task.FromResult(1000.0),
            Starting = step => measured.Add($"{step.Name} ({step.Number} of {step.Count})"),
            Earlier = (suiteCase, launch) => (suiteCase.Title, launch) == ("B", 1) ? earlier : null,
            Measure = (_, _, _) => Task.FromResult(SampleResults.Valid),
        };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal(["A, Memory, launch 1 (1 of 4)", "A, Memory, launch 2 (3 of 4)", "B, Memory, launch 2 (4 of 4)"], measured);
        Assert.Same(earlier, schedule.ResultsOf(cases[1])[0]);
        Assert.All(cases, suiteCase => Assert.Equal([1, 2], schedule.ResultsOf(suiteCase).Select(launch => launch.Number)));
    }

    private static async Task<LaunchSchedule> RunAsync(Func<int, RunResult> measure, Action<SuiteStep>? starting = null)
    {
        int launches = 0;
        var schedule = new LaunchSchedule([s_case with { Launches = 3 }])
        {
            Control = _ => Task.FromResult(1000.0),
            Starting = starting,
            Measure = (_, _, _) => Task.FromResult(measure(++launches)),
        };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        return schedule;
    }
}
