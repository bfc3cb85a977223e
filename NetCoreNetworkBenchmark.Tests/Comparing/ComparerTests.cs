namespace NetCoreNetworkBenchmark.Tests.Comparing;

public sealed class ComparerTests
{
    private static readonly double[] s_rates = [1000, 1010, 990, 1005, 995];
    private static readonly double[] s_control = [100, 101, 99, 100.5, 99.5];

    [Theory]
    [InlineData(1, Verdict.Same)]
    [InlineData(0.5, Verdict.Slower)]
    [InlineData(2, Verdict.Faster)]
    [InlineData(0.9, Verdict.Undecided)]
    public void A_change_beyond_the_threshold_has_a_verdict(double factor, Verdict verdict)
    {
        ComparisonResult result = Compare(Suites.Of(s_rates), Suites.Of(Times(s_rates, factor)));
        ComparedCase found = Assert.Single(result.Cases);
        Assert.Equal(("Benchmark 1", "ENet", 5, 5, verdict), (found.Benchmark, found.Library, found.OldLaunches, found.NewLaunches, found.Verdict));
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
            run.WithPlan(plan => plan with { ServerThreads = 2 }),
            run.WithPlan(plan => plan with { Pinning = new PinningPlan { ServerCores = [0] } }),
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
            run.WithPlan(plan => plan with { Protocol = Protocol.Tcp }),
            run.WithPlan(plan => plan with { Framing = Framing.Fixed }),
            run.WithPlan(plan => plan with { ClientLibrary = "Sockets" }),
            run.WithServer(server => server with { Key = "P384" }),
            run.WithPlan(plan => plan with { Tls = new TlsPlan() }),
            With(handshakes => handshakes with { Version = "1.2" }),
            With(handshakes => handshakes with { Cipher = "TLS_AES_128_GCM_SHA256" }),
            With(handshakes => handshakes with { Group = "secp256r1" }),
        ];
        Assert.All(others, other => Assert.Empty(Compare(run, other).Cases));
        Assert.Single(Compare(
            run,
            With(handshakes => handshakes with { Count = 1, Resumed = null }).WithServer(server => server with { Handshakes = [] })
                with
            { Environment = SampleResults.Valid.Environment }).Cases);
        Assert.Contains(
            "Ssl Reliable, 1000 clients, 1 message, 32 bytes, framing Length, clients of Epoll, mutual TLS, key P256, TLS 1.3 TLS_AES_256_GCM_SHA384 x25519",
            Compare(run, others[1]).NotCompared[0],
            StringComparison.Ordinal);

        RunResult With(Func<NegotiatedTls, NegotiatedTls> change) =>
            run.WithClients(clients => clients with { Handshakes = [change(clients.Handshakes[0])] });
    }

    [Fact]
    public void A_machine_that_became_slower_makes_no_difference()
    {
        ComparisonResult result = Compare(Suites.WithControl(s_control, s_rates), Suites.WithControl(Times(s_control, 0.5), Times(s_rates, 0.5)));
        ComparedCase found = Assert.Single(result.Cases);
        Assert.Equal(0.5, result.Control!.Ratio, tolerance: 1e-9);
        Assert.Equal(1, found.Ratio, tolerance: 1e-9);
        Assert.Equal(Verdict.Same, found.Verdict);
        Assert.Equal((1000, 500), (found.OldMedian, found.NewMedian));
    }

    [Fact]
    public void Each_launch_is_taken_in_relation_to_its_own_control()
    {
        // Every launch, old or new, has ten times the rate of its control.
        double[] uneven = [50, 200, 100, 25, 400];
        ComparedCase found = Assert.Single(Compare(Suites.WithControl(uneven, Times(uneven, 10)), Suites.WithControl(s_control, Times(s_control, 10))).Cases);
        Assert.Equal((1, 1, 1, Verdict.Same), (found.Ratio, found.Lower, found.Upper, found.Verdict));
    }

    [Fact]
    public void The_control_is_compared_as_a_case_is()
    {
        ComparedControl control = Compare(Suites.WithControl(s_control, s_rates), Suites.WithControl(Times(s_control, 0.5), s_rates)).Control!;
        Assert.Equal((5, 5), (control.OldLaunches, control.NewLaunches));
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
        SuiteResult plain = old with { Benchmarks = [.. old.Benchmarks.Select(benchmark => benchmark with { Baseline = null })] };
        Assert.Equal([$"{Sentence}only one side has ratios."], Comparer.Compare(new ResultSet("old", [plain]), now, 0.1, "1.2.3").NotCompared);
    }

    [Fact]
    public void An_undecided_ratio_to_the_baseline_has_the_interval_that_makes_it_so()
    {
        ComparedCase found = Assert.Single(Compare(Suites.WithBaseline(100, [50, 55, 45]), Suites.WithBaseline(100, [31, 50, 39])).Cases);
        Assert.Equal(Verdict.Undecided, found.Verdict);
        Assert.True(found.DecidedBy!.Lower < 1 && found.DecidedBy.Upper > 1, $"{found}");
        Assert.Equal(0.99, found.DecidedBy.Confidence, tolerance: 1e-9);
        Assert.True(found.DecidedBy.Lower < found.Lower && found.Upper < found.DecidedBy.Upper, $"{found}");
        ComparedCase slower = Assert.Single(Compare(Suites.WithBaseline(100, [50, 50.5, 49.5]), Suites.WithBaseline(100, [40, 40.4, 39.6])).Cases);
        Assert.True(slower is { Verdict: Verdict.Slower, DecidedBy.Upper: < 1 }, $"{slower}");
    }

    [Fact]
    public void Launches_of_several_cases_are_judged_together_and_too_few_of_them_are_named()
    {
        static SuiteResult Of(double factor, string[] libraries, int launches) => SampleSuites.SuiteOf(
            [.. from library in libraries from rate in s_rates[..launches] select Suites.Run(rate * factor).OfLibrary(library)]);
        ComparedCase alone = Assert.Single(Compare(Of(1, ["A"], 5), Of(0.5, ["A"], 5)).Cases);
        Assert.Equal((Verdict.Slower, 0.99), (alone.Verdict, alone.DecidedBy!.Confidence));

        ComparisonResult two = Compare(Of(1, ["A", "B"], 5), Of(0.5, ["A", "B"], 5));
        Assert.All(two.Cases, compared => Assert.Equal((Verdict.Undecided, null), (compared.Verdict, compared.DecidedBy)));
        Assert.Equal(
            ["Benchmark 1, A, B: the launches are too few for the 99.5 % interval, so no change is called slower or faster. Measure more launches."],
            two.NotCompared);
        Assert.All(Compare(Of(1, ["A", "B"], 5), Of(1, ["A", "B"], 5)).Cases, compared => Assert.Equal(Verdict.Same, compared.Verdict));
    }

    [Fact]
    public void Cases_of_one_benchmark_that_one_side_has_are_one_line()
    {
        SuiteResult before = SampleSuites.SuiteOf(Suites.Run(1000), Suites.Run(1).OfLibrary("A"), Suites.Run(1).OfLibrary("B"));
        Assert.Equal(["Benchmark 1, A, B are in the old results only."], Compare(before, Suites.Of(1000)).NotCompared);
    }

    [Fact]
    public void Without_a_control_on_one_side_the_figures_are_compared_as_they_are()
    {
        ComparisonResult result = Compare(Suites.WithControl(s_control, s_rates), Suites.Of(Times(s_rates, 0.5)));
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
                "Benchmark 1, Old is in the old results only.",
                "Benchmark 1, New is in the new results only.",
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
