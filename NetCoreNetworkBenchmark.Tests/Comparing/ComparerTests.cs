namespace NetCoreNetworkBenchmark.Tests.Comparing;

public sealed class ComparerTests
{
    private static readonly double[] s_rates = [1000, 1010, 990, 1005, 995, 1000];
    private static readonly double[] s_control = [100, 101, 99, 100.5, 99.5, 100];

    [Theory, InlineData(1, Verdict.Same), InlineData(0.5, Verdict.Slower), InlineData(2, Verdict.Faster), InlineData(0.9, Verdict.Undecided)]
    public void A_change_beyond_the_threshold_has_a_verdict(double factor, Verdict verdict)
    {
        ComparisonResult result = Compare(Suites.Create(s_rates), Suites.Create(Times(s_rates, factor)));
        ComparedCase found = Assert.Single(result.Cases);
        Assert.Equal(("Benchmark 1", "ENet", 6, 6, verdict), (found.Benchmark, found.Library, found.OldLaunches, found.NewLaunches, found.Verdict));
        Assert.Equal((1000, 1000 * factor), (found.OldMedian, found.NewMedian));
        Assert.Equal(factor, found.Ratio, precision: 9);
        Assert.InRange(found.Ratio, found.Lower!.Value, found.Upper!.Value);
        Assert.Equal(
            (verdict == Verdict.Slower, "old", "new", 0.1, "1.2.3"), (result.HasRegression, result.Old, result.New, result.Threshold, result.HarnessVersion));
        Assert.Empty(result.NotCompared);
    }

    [Fact]
    public void Too_few_launches_are_undecided_and_have_no_interval()
    {
        ComparedCase found = Assert.Single(Compare(Suites.Run(1000), Suites.Run(1)).Cases);
        Assert.Equal((Verdict.Undecided, 1, 1, null, null), (found.Verdict, found.OldLaunches, found.NewLaunches, found.Lower, found.Upper));
    }

    [Fact]
    public void Other_settings_server_threads_or_cores_are_another_case()
    {
        RunResult run = Suites.Run(1000);
        RunResult[] others =
        [
            run.WithPlan(plan => plan with { Settings = new Dictionary<string, string> { ["batch"] = "call" } }),
            run.WithPlan(plan => plan with { ServerThreads = 2 }), run.WithPlan(plan => plan with { Pinning = new PinningPlan { ServerCores = [0] } }),
            run.WithPlan(plan => plan with { Pinning = new PinningPlan { ClientCores = [0] } }),
        ];
        Assert.All(others, other => Assert.Empty(Compare(run, other).Cases));
        Assert.Single(Compare(run, run.WithPlan(plan => plan with { ServerThreads = 1, ClientThreads = 2 })).Cases);
    }

    [Fact]
    public void Another_transport_framing_driver_or_TLS_is_another_case()
    {
        RunResult run = SampleResults.Stream.WithRate(1000);
        RunResult[] others =
        [
            run.WithPlan(plan => plan with { Protocol = Protocol.Tcp }), run.WithPlan(plan => plan with { Framing = Framing.Fixed }),
            run.WithPlan(plan => plan with { ClientLibrary = "Sockets" }), run.WithServer(server => server with { Key = "P384" }),
            run.WithPlan(plan => plan with { Tls = new TlsPlan() }), With(handshakes => handshakes with { Version = "1.2" }),
            With(handshakes => handshakes with { Cipher = "TLS_AES_128_GCM_SHA256" }), With(handshakes => handshakes with { Group = "secp256r1" }),
        ];
        Assert.All(others, other => Assert.Empty(Compare(run, other).Cases));
        Assert.Single(Compare(
            run,
            With(handshakes => handshakes with { Count = 1, Resumed = null }).WithServer(server => server with { Handshakes = [] })
                with
            { Environment = SampleResults.Valid.Environment }).Cases);
        Compare(run, others[1]).NotCompared[0].AssertHas(
            "Tls Reliable, 1000 clients, 1 message, 32 bytes, framing Length, clients of Epoll, mutual TLS, key P256, TLS 1.3 TLS_AES_256_GCM_SHA384 x25519");

        RunResult With(Func<NegotiatedTls, NegotiatedTls> change) => run.WithClients(clients => clients with { Handshakes = [change(clients.Handshakes[0])] });
    }

    [Fact]
    public void A_machine_that_became_slower_makes_no_difference()
    {
        ComparisonResult result = Compare(Suites.WithControl(s_control, s_rates), Suites.WithControl(Times(s_control, 0.5), Times(s_rates, 0.5)));
        ComparedCase found = Assert.Single(result.Cases);
        Assert.Equal((0.5, 1), (Math.Round(result.Control!.Ratio, 9), Math.Round(found.Ratio, 9)));
        Assert.Equal((Verdict.Same, 1000, 500), (found.Verdict, found.OldMedian, found.NewMedian));
    }

    [Fact]
    public void Each_launch_is_taken_in_relation_to_its_own_control()
    {
        // Every launch, old or new, has ten times the rate of its control.
        double[] uneven = [50, 200, 100, 25, 400, 75];
        ComparedCase found = Assert.Single(Compare(Suites.WithControl(uneven, Times(uneven, 10)), Suites.WithControl(s_control, Times(s_control, 10))).Cases);
        Assert.Equal((1, 1, 1, Verdict.Same), (found.Ratio, found.Lower, found.Upper, found.Verdict));
    }

    [Fact]
    public void The_control_is_compared_as_a_case_is()
    {
        ComparedControl control = Compare(Suites.WithControl(s_control, s_rates), Suites.WithControl(Times(s_control, 0.5), s_rates)).Control!;
        Assert.Equal((6, 6), (control.OldLaunches, control.NewLaunches));
        Assert.Equal(0.5, control.Ratio, tolerance: 1e-9);
        Assert.InRange(control.Ratio, control.Lower!.Value, control.Upper!.Value);
        Assert.Null(Compare(Suites.WithControl([1], 10), Suites.WithControl([1], 10)).Control!.Lower);
    }

    [Theory, InlineData(1, Verdict.Same), InlineData(0.8, Verdict.Slower), InlineData(1.25, Verdict.Faster)]
    public void Ratios_to_the_same_baseline_are_compared_although_the_machine_was_twice_as_fast(double factor, Verdict verdict)
    {
        ComparisonResult result = Compare(Suites.WithBaseline(100, [50, 50.5, 49.5]), Suites.WithBaseline(200, [100 * factor, 101 * factor, 99 * factor]));
        ComparedCase found = Assert.Single(result.Cases);
        Assert.Equal(("ENet", "Sockets", verdict), (found.Library, found.Baseline, found.Verdict));
        Assert.Equal(factor, found.Ratio, tolerance: 1e-9);
        Assert.InRange(found.Ratio, found.Lower!.Value, found.Upper!.Value);
        Assert.Equal(["Benchmark 1, Sockets is the baseline of the ratios; by itself it had 100 msg/s before and 200 after."], result.NotCompared);
    }

    [Fact]
    public void The_reason_is_named_if_the_launches_are_compared_although_there_are_ratios()
    {
        SuiteResult old = Suites.WithBaseline(100, 50, 51, 49);
        ResultSet now = new("new", [Suites.WithBaseline(100, 50, 51, 49)]);
        ComparisonResult several = Comparer.Compare(new ResultSet("old", [old, Suites.WithBaseline(100, 50, 51, 49)]), now, 0.1, "1.2.3");
        Assert.All(several.Cases, compared => Assert.Null(compared.Baseline));
        const string Sentence = "Benchmark 1, ENet, Sockets: the launches were compared instead of the ratios to the baseline, since ";
        Assert.Contains($"{Sentence}several old results have ratios.", several.NotCompared);
        SuiteResult plain = old.WithBenchmarks(old.Benchmarks[0] with { Baseline = null });
        Assert.Equal([$"{Sentence}only one side has ratios."], Comparer.Compare(new ResultSet("old", [plain]), now, 0.1, "1.2.3").NotCompared);
    }

    [Fact]
    public void An_undecided_ratio_to_the_baseline_has_the_interval_that_makes_it_so()
    {
        ComparedCase found = Assert.Single(Compare(Suites.WithBaseline(100, [50, 55, 45]), Suites.WithBaseline(100, [31, 50, 39])).Cases);
        Assert.Equal(Verdict.Undecided, found.Verdict);
        Assert.True(found.DecidedBy!.Lower < 1 && found.DecidedBy.Upper > 1, $"{found}");
        Assert.Equal(0.995, found.DecidedBy.Confidence, tolerance: 1e-9);
        Assert.True(found.DecidedBy.Lower < found.Lower && found.Upper < found.DecidedBy.Upper, $"{found}");
        ComparedCase slower = Assert.Single(Compare(Suites.WithBaseline(100, [50, 50.5, 49.5]), Suites.WithBaseline(100, [40, 40.4, 39.6])).Cases);
        Assert.True(slower is { Verdict: Verdict.Slower, DecidedBy.Upper: < 1 }, $"{slower}");
    }

    [Fact]
    public void Launches_of_several_cases_are_judged_together_and_too_few_of_them_are_named()
    {
        static SuiteResult CreateSuite(double factor, string[] libraries, int launches) => SampleSuites.SuiteOf(
            [.. from library in libraries from rate in s_rates[..launches] select Suites.Run(rate * factor).OfLibrary(library)]);
        ComparedCase alone = Assert.Single(Compare(CreateSuite(1, ["A"], 6), CreateSuite(0.5, ["A"], 6)).Cases);
        Assert.Equal((Verdict.Slower, 0.995), (alone.Verdict, alone.DecidedBy!.Confidence));

        ComparisonResult two = Compare(CreateSuite(1, ["A", "B"], 6), CreateSuite(0.5, ["A", "B"], 6));
        Assert.All(two.Cases, compared => Assert.Equal((Verdict.Undecided, null), (compared.Verdict, compared.DecidedBy)));
        Assert.Equal(
            ["Benchmark 1, A, B: the launches are too few for the 99.8333 % interval, so no change is called slower or faster. Measure more launches."],
            two.NotCompared);
        Assert.All(Compare(CreateSuite(1, ["A", "B"], 6), CreateSuite(1, ["A", "B"], 6)).Cases, compared => Assert.Equal(Verdict.Same, compared.Verdict));
    }

    [Theory, InlineData(0.06, 8, 12), InlineData(0.1, 20, 40), InlineData(0.4, 100, 1_600)]
    public void An_undecided_figure_says_how_many_launches_would_decide_it(double noise, int min, int max)
    {
        static double[] Rates(double noise) => [1000 * Math.Exp(-noise), 1000, 1000, 1000 * Math.Exp(noise)];
        ComparisonResult result = Compare(Suites.Create(Rates(noise)), Suites.Create(Rates(noise)));
        ComparedFigure[] figures = [.. Assert.Single(result.Cases).Figures];
        ComparedFigure rate = figures.Single(figure => figure.Figure == JudgedFigure.MessagesPerSecond);
        Assert.Equal(Verdict.Undecided, rate.Verdict);
        Assert.InRange(rate.LaunchesToDecide!.Value, min, max);
        Assert.All(figures, figure => Assert.Equal(figure.Verdict == Verdict.Undecided, figure.LaunchesToDecide is not null));
        Assert.Equal(Suites.Create(1000).Command, result.NewCommand);
    }

    [Fact]
    public void One_launch_of_each_side_does_not_say_how_many_would_decide() =>
        Assert.All(Assert.Single(Compare(Suites.Run(1000), Suites.Run(900)).Cases).Figures, figure => Assert.Null(figure.LaunchesToDecide));

    [Fact]
    public void Results_of_several_commands_have_none()
    {
        ResultSet both = new("new", [Suites.Run(1000), Suites.Run(1000) with { Command = "other" }]);
        Assert.Null(Comparer.Compare(new ResultSet("old", [Suites.Run(1000)]), both, 0.1, "1.2.3").NewCommand);
    }

    [Fact]
    public void A_longer_p99_at_a_fixed_rate_is_slower_although_the_rate_is_the_same()
    {
        SuiteResult CreateSuite(double p99) => SampleSuites.SuiteOf([.. s_rates.Select(noise => Suites.Run(1000).WithPlan(plan => plan with { Rate = 1000 })
            .WithLatency(SampleResults.Valid.LatencyMicroseconds! with { P99 = p99 * noise / 1000 }))]);
        ComparedCase found = Assert.Single(Compare(CreateSuite(919), CreateSuite(1500)).Cases);
        Assert.Equal((Verdict.Slower, 1, null), (found.Verdict, found.Ratio, found.DecidedBy));
        Assert.Equal(
            [(JudgedFigure.ServerCpu, Verdict.Same), (JudgedFigure.P99, Verdict.Slower), (JudgedFigure.AllocatedBytes, Verdict.Same)],
            found.Figures.Select(figure => (figure.Figure, figure.Verdict)));
        ComparedFigure p99 = found.Figures[1];
        Assert.Equal((919, 1500), (p99.Old!.Value, p99.New!.Value));
        Assert.Equal(1500.0 / 919, p99.Ratio, tolerance: 1e-9);
        Assert.True(p99.DecidedBy!.Lower < p99.Lower && p99.Lower < p99.Ratio && p99.Ratio < p99.Upper && p99.Upper < p99.DecidedBy.Upper, $"{p99}");
        Assert.Equal(Verdict.Faster, Assert.Single(Compare(CreateSuite(1500), CreateSuite(919)).Cases).Verdict);
    }

    [Theory, InlineData(1, Verdict.Same), InlineData(1.11, Verdict.Undecided), InlineData(2, Verdict.Slower)]
    public void An_undecided_p99_makes_no_case_undecided(double cpu, Verdict verdict)
    {
        SuiteResult CreateSuite(double cost) => SampleSuites.SuiteOf([.. s_rates.Index().Select(launch => Suites.Run(1000)
            .WithPlan(plan => plan with { Rate = 1000 })
            .WithCost(used => used with { UserCpuSeconds = cost * launch.Item / 1000, SystemCpuSeconds = 0 })
            .WithLatency(SampleResults.Valid.LatencyMicroseconds! with { P99 = launch.Index % 2 == 0 ? 900 : 1500 }))]);
        ComparedCase found = Assert.Single(Compare(CreateSuite(10), CreateSuite(10 * cpu)).Cases);
        Assert.Equal((verdict, Verdict.Undecided), (found.Verdict, found.Figures.Single(figure => figure.Figure == JudgedFigure.P99).Verdict));
    }

    [Fact]
    public void The_requested_figure_alone_decides_a_case()
    {
        (ResultSet before, ResultSet after) = (new("old", [Suites.Create(s_rates)]), new("new", [Suites.Create(Times(s_rates, 0.5))]));
        ComparisonResult CreateSuite(JudgedFigure figure) => Comparer.Compare(before, after, 0.1, "1.2.3", requested: figure);
        ComparedCase rate = Assert.Single(CreateSuite(JudgedFigure.MessagesPerSecond).Cases);
        Assert.Equal((Verdict.Slower, JudgedFigure.MessagesPerSecond), (rate.Verdict, Assert.Single(rate.Figures).Figure));
        Assert.Equal(Verdict.Same, Assert.Single(CreateSuite(JudgedFigure.AllocatedBytes).Cases).Verdict);
        ComparisonResult closed = CreateSuite(JudgedFigure.P99);
        Assert.Empty(closed.Cases);
        Assert.Equal(["Benchmark 1, ENet: the p99 is judged at a fixed rate only. Measure with --rate."], closed.NotCompared);
    }

    [Theory, InlineData(1.5, Verdict.Slower), InlineData(1, Verdict.Faster), InlineData(1.11, Verdict.Undecided)]
    public void More_server_CPU_beside_a_higher_rate_is_slower(double cpu, Verdict verdict)
    {
        SuiteResult CreateSuite(double rate, double cost) => SampleSuites.SuiteOf(
            [.. s_rates.Select(noise => Suites.Run(rate * noise).WithCost(used => used with { UserCpuSeconds = cost * noise, SystemCpuSeconds = 0 }))]);
        ComparedCase found = Assert.Single(Compare(CreateSuite(1, 10), CreateSuite(2, 10 * cpu)).Cases);
        Assert.Equal(verdict, found.Verdict);
        Assert.Equal(Verdict.Faster, found.Figures.Single(figure => figure.Figure == JudgedFigure.MessagesPerSecond).Verdict);
        Assert.Equal(cpu, found.Figures[0].Ratio, tolerance: 1e-9);
    }

    [Theory, InlineData(0.01, 0.9, Verdict.Same), InlineData(0.01, 24, Verdict.Slower), InlineData(48, 24, Verdict.Faster)]
    public void Allocated_bytes_are_judged_from_one_for_each_message_on(double before, double after, Verdict verdict)
    {
        SuiteResult CreateSuite(double bytes) => SampleSuites.SuiteOf([.. s_rates.Select(rate => Suites.Run(rate).WithCost(used => used with
        {
            AllocatedBytes = (long)(bytes * used.Messages * rate / 1000),
        }))]);
        ComparedCase found = Assert.Single(Compare(CreateSuite(before), CreateSuite(after)).Cases);
        Assert.Equal((verdict, verdict), (found.Verdict, found.Figures.Single(figure => figure.Figure == JudgedFigure.AllocatedBytes).Verdict));
    }

    [Fact]
    public void A_figure_that_a_launch_lacks_is_not_judged()
    {
        SuiteResult suite = Suites.Create(s_rates);
        SuiteResult earlier = suite.WithCases(found => found.Brief().WithLaunches(
            launch => launch with { Figures = launch.Figures is { } figures ? figures with { ServerAllocatedBytes = null } : null }));
        JudgedFigure[] FiguresIn(Result before) => [.. Assert.Single(Compare(before, Suites.Create(s_rates)).Cases).Figures.Select(figure => figure.Figure)];
        Assert.Equal([JudgedFigure.ServerCpu, JudgedFigure.MessagesPerSecond, JudgedFigure.AllocatedBytes], FiguresIn(suite.Brief()));
        Assert.Equal([JudgedFigure.ServerCpu, JudgedFigure.MessagesPerSecond], FiguresIn(earlier));
        Assert.Equal([JudgedFigure.MessagesPerSecond], FiguresIn(suite.WithCases(found => found.WithRuns(run => run with { OneProcess = true }))));
    }

    [Theory, InlineData(1.5, 1, JudgedFigure.ServerCpu), InlineData(1, 1.632, JudgedFigure.P99)]
    public void Slices_of_a_case_and_its_baseline_show_more_server_CPU_and_a_longer_p99(double cpu, double p99, JudgedFigure slower)
    {
        // The machine of the new result is twice as slow.
        ComparedCase found = Assert.Single(Compare(Suites.WithSlices(1, 1, 1), Suites.WithSlices(2, cpu, p99)).Cases);
        Assert.Equal(("ENet", "Sockets", Verdict.Slower), (found.Library, found.Baseline, found.Verdict));
        Assert.Equal([JudgedFigure.ServerCpu, JudgedFigure.P99, JudgedFigure.AllocatedBytes], found.Figures.Select(figure => figure.Figure));
        Assert.All(found.Figures, figure => Assert.Equal(figure.Figure == slower ? Verdict.Slower : Verdict.Same, figure.Verdict));
        Assert.Equal(cpu * p99, found.Figures.Single(figure => figure.Figure == slower).Ratio, tolerance: 1e-9);
    }

    [Fact]
    public void A_library_that_the_others_are_compared_to_is_judged_itself()
    {
        SuiteResult CreateSuite(double cpu) => Suites.WithSlices(1, cpu, 1).WithCases(found => found with { IsBaseline = false });
        ComparisonResult result = Compare(CreateSuite(1), CreateSuite(2));
        Assert.Equal([("ENet", null), ("Sockets", null)], result.Cases.Select(found => (found.Library, found.Baseline)).Order());
        Assert.DoesNotContain(result.NotCompared, line => line.Contains("is the baseline", StringComparison.Ordinal));
        SuiteResult ranked = CreateSuite(2);
        ranked = ranked.WithBenchmarks(ranked.Benchmarks[0] with { HasRawBaseline = true });
        Assert.Equal("Sockets", Assert.Single(Compare(ranked, ranked).Cases).Baseline);
    }

    [Fact]
    public void Cases_of_one_benchmark_that_one_side_has_are_one_line()
    {
        SuiteResult before = SampleSuites.SuiteOf(Suites.Run(1000), Suites.Run(1).OfLibrary("A"), Suites.Run(1).OfLibrary("B"));
        Assert.Equal(["Benchmark 1, A, B are in the old results only."], Compare(before, Suites.Create(1000)).NotCompared);
    }

    [Fact]
    public void Without_a_control_on_one_side_the_figures_are_compared_as_they_are()
    {
        ComparisonResult result = Compare(Suites.WithControl(s_control, s_rates), Suites.Create(Times(s_rates, 0.5)));
        Assert.Null(result.Control);
        Assert.Equal(0.5, Assert.Single(result.Cases).Ratio, precision: 9);
        Assert.Equal(Verdict.Slower, result.Cases[0].Verdict);
    }

    [Fact]
    public void What_cannot_be_compared_is_named_once_each()
    {
        SuiteResult before = SampleSuites.SuiteOf(Suites.Run(1000), Suites.Run(1000).OfLibrary("Sockets"), Suites.Run(1000).OfLibrary("Old"));
        SuiteResult after = SampleSuites.SuiteOf(Suites.Run(1000), SampleResults.Invalid, Suites.Run(1000).OfLibrary("New"));
        ComparisonResult result = Compare(before, after);
        Assert.Equal("ENet", Assert.Single(result.Cases).Library);
        Assert.Equal(
            [
                "Benchmark 1, Old is in the old results only.", "Benchmark 1, New is in the new results only.",
                "Benchmark 1, Sockets has no valid launch in the new results.",
            ],
            result.NotCompared);
    }

    [Fact]
    public void Loads_of_one_name_are_told_apart()
    {
        ResultSet before = new("old", [Suites.Run(1000), Suites.Run(1000).WithPlan(plan => plan with { Clients = 10 })]);
        ComparisonResult result = Comparer.Compare(before, new ResultSet("new", [Suites.Run(1000)]), 0.1, "1.2.3");
        Assert.Equal("PingPong (Udp Unreliable, 1000 clients, 1 message, 32 bytes)", Assert.Single(result.Cases).Benchmark);
        Assert.Equal(["PingPong, ENet (Udp Unreliable, 10 clients, 1 message, 32 bytes) is in the old results only."], result.NotCompared);
    }

    private static ComparisonResult Compare(Result before, Result after) =>
        Comparer.Compare(new ResultSet("old", [before]), new ResultSet("new", [after]), 0.1, "1.2.3");

    private static double[] Times(double[] figures, double factor) => [.. figures.Select(figure => figure * factor)];
}
