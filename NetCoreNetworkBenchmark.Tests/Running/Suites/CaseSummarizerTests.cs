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

    [Fact]
    public void The_figures_of_the_load_have_the_interval_of_the_launches_also_if_some_are_zero()
    {
        RunResult With(double count) => Good(100).WithClients(clients => clients with
        {
            Figures = [new WorkloadFigure("Clients that did not go on", count, string.Empty, FigureMerge.Sum)],
        });
        Spread found = Assert.Single(Summarize(With(0), With(1), With(2), With(2), With(3), With(10)).Summary!.OwnFigures!).Spread;
        Assert.Equal((2, 0, 10), (found.Median, found.Lower, found.Upper));
        Assert.Null(Summarize(With(1), Good(100)).Summary!.OwnFigures);
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
            "The machine was disturbed in 2 of 4 launches (limit: fewer than half). The last time: ",
            Summarize(Good(100), Good(101), disturbed, disturbed).InvalidReasons[0],
            StringComparison.Ordinal);
    }

    [Theory, InlineData(Transmission.Unreliable, null, true), InlineData(Transmission.Reliable, null, false), InlineData(Transmission.Unreliable, 100.0, false)]
    public void A_launch_whose_unreliable_closed_loop_lost_messages_is_left_out_if_most_are_valid(Transmission transmission, double? rate, bool isValid)
    {
        RunResult lossy = Good(50).WithLost(5).WithPlan(plan => plan with { Transmission = transmission, Rate = rate }).WithFaults("It lost 5 messages.");
        CaseResult found = Summarize(Good(100), Good(102), lossy);
        Assert.Equal((isValid, 101), (found.Valid, found.Summary!.MessagesPerSecond.Median));
        Assert.Equal("Launch 2 is invalid: It lost 5 messages.", Summarize(Good(100), lossy).InvalidReasons[0]);
        Assert.False(Summarize(Good(100), Good(102), lossy.WithFaults("It lost 5 messages.", "An error occurred.")).Valid);
    }

    [Fact]
    public void A_launch_whose_clients_were_late_is_left_out_if_most_are_on_time()
    {
        RunResult onTime = SampleResults.OpenLoop;
        RunResult late = onTime.WithClients(clients => clients with { Measured = clients.Measured with { SentLate = clients.Measured.ClientSent / 10 } })
            .WithFaults("The clients could not hold the rate.");
        Assert.True(Summarize(onTime, onTime, late).Valid);
        Assert.Equal("Launch 2 is invalid: The clients could not hold the rate.", Summarize(onTime, late).InvalidReasons[0]);
        Assert.False(Summarize(onTime, onTime, late.WithFaults("The clients could not hold the rate.", "An error occurred.")).Valid);
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

    [Theory, InlineData(999, null), InlineData(1_000, 9.0)]
    public void A_percentile_is_absent_when_all_sets_together_have_too_few_latencies_for_it(int count, double? p999)
    {
        RunResult run = SampleResults.OpenLoop.WithHistogram(HistogramOf(9_000, count));
        CaseSummary summary = CaseSummarizer.Summarize("Toy", [.. Launches(run)], isInterleaved: true).Summary!;
        Assert.Equal(p999, summary.P999Microseconds is { } found ? Math.Round(found.Median, 1) : null);
        Assert.NotNull(summary.P99Microseconds);
    }

    [Theory, InlineData(false, "Launch 2 failed: It hung."), InlineData(true, "In set 2 it failed: It hung.")]
    public void The_reason_of_an_invalid_case_names_the_launch_or_the_set(bool isInterleaved, string reason) => Assert.Equal(
        [reason], CaseSummarizer.Summarize("Toy", [.. Launches(Good(100)), new LaunchResult(2, null, "It hung.")], isInterleaved).InvalidReasons);

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
        var suiteCase = new SuiteCase("Load", plan, LibraryUnderTest.Create("Sockets").Info, new PingPong(), 1);
        var adapter = new AdapterAssembly("/build/x.dll", "x", "1", "0") { Replaces = true };
        SuiteCase built = suiteCase.With("1.2.3", adapter);
        Assert.Equal((name, adapter), (built.Name, Assert.Single(built.WithAdapter(plan).Assemblies!)));
    }
}
