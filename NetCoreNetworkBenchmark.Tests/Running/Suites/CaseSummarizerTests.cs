using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

public sealed class CaseSummarizerTests
{
    [Fact]
    public void Summarize_quotes_the_median_with_its_interval()
    {
        CaseResult caseResult = Summarize(Good(100), Good(102), Good(98), Good(101), Good(99));
        Spread rate = caseResult.Summary!.MessagesPerSecond;
        Assert.True(caseResult.Valid);
        Assert.Equal(100, rate.Median);
        Assert.InRange(rate.Lower!.Value, 97, 99);
        Assert.InRange(rate.Upper!.Value, 101, 103);
        Assert.Empty(rate.Modes);
        Assert.Equal(100, caseResult.MedianLaunch()!.MessagesPerSecond);
    }

    [Fact]
    public void Summarize_names_the_modes()
    {
        CaseResult caseResult = Summarize(Good(100), Good(101), Good(60), Good(102), Good(61));
        Assert.Equal([(60.5, 2), (101, 3)], caseResult.Summary!.MessagesPerSecond.Modes.Select(mode => (mode.Centre, mode.Launches)));
    }

    [Fact]
    public void Round_trips_that_a_coarse_clock_cannot_see_are_no_reason_to_fail()
    {
        RunResult result = Good(100) with { Histogram = null, LatencyMicroseconds = new LatencySummary(0, 0, 0, 0, 1, 1, 1, 1) };
        Assert.Equal((0, 1), (Summarize(result, result).Summary!.P50Microseconds!.Median, Summarize(result, result).Summary!.P99Microseconds!.Median));
    }

    // An aborted launch, which was requested to end when its measurement began.
    [Theory]
    [InlineData(0)]
    [InlineData(double.PositiveInfinity)]
    public void A_launch_that_measured_no_time_has_no_figures_and_takes_none_away(double rate)
    {
        RunResult none = Good(rate) with { Valid = false, Aborted = true };
        Assert.Null(Summarize(none).Summary);
        Assert.Equal(100, Summarize(Good(100), none).Summary!.MessagesPerSecond.Median);
    }

    [Fact]
    public void One_launch_has_no_interval() => Assert.Null(Summarize(Good(100)).Summary!.MessagesPerSecond.Lower);

    [Fact]
    public void A_launch_with_a_fault_of_its_own_makes_the_case_invalid_and_is_left_out()
    {
        CaseResult caseResult = Summarize(Good(100), Good(100) with { Valid = false, InvalidReasons = ["It lost something."] }, Good(200));
        Assert.False(caseResult.Valid);
        Assert.Equal(["Launch 2 is invalid: It lost something."], caseResult.InvalidReasons.Take(1));
        Assert.Equal(150, caseResult.Summary!.MessagesPerSecond.Median);
    }

    [Fact]
    public void A_failed_launch_makes_the_case_invalid()
    {
        CaseResult caseResult = CaseSummarizer.Summarize("Toy", [new LaunchResult(1, Good(100), null), new LaunchResult(2, null, "It hung.")]);
        Assert.False(caseResult.Valid);
        Assert.Contains("Launch 2 failed: It hung.", caseResult.InvalidReasons);
    }

    [Fact]
    public void Fewer_than_half_of_the_launches_may_be_disturbed()
    {
        RunResult disturbed = Good(50) with { Valid = false, Disturbed = true, InvalidReasons = ["Other programs took 30 % of the CPU time."] };
        CaseResult caseResult = Summarize(Good(100), Good(101), Good(102), disturbed, disturbed);
        Assert.True(caseResult.Valid);
        Assert.Equal(101, caseResult.Summary!.MessagesPerSecond.Median);
        Assert.StartsWith(
            "Other programs disturbed 2 of 4 launches (limit: fewer than half). The last time: ",
            Summarize(Good(100), Good(101), disturbed, disturbed).InvalidReasons[0],
            StringComparison.Ordinal);
    }

    [Fact]
    public void Launches_that_differ_much_have_a_wide_interval_and_are_valid()
    {
        CaseResult caseResult = Summarize(Good(100), Good(200), Good(400));
        Assert.True(caseResult.Valid);
        Assert.InRange(caseResult.Summary!.MessagesPerSecond.RelativeHalfWidth!.Value, 0.5, double.MaxValue);
    }

    [Fact]
    public void A_load_of_which_no_round_trip_could_be_timed_has_a_rate_and_no_latency()
    {
        CaseSummary summary = Summarize(Good(100) with { LatencyMicroseconds = null, Histogram = null }).Summary!;
        Assert.Equal((100, null, null), (summary.MessagesPerSecond.Median, summary.P50Microseconds, summary.P99Microseconds));
    }

    [Fact]
    public void Summarize_does_not_judge_interleaved_sets_by_their_own_rates() =>
        Assert.True(CaseSummarizer.Summarize("Toy", [.. Launches(Good(100), Good(200), Good(400))], tookTurns: true).Valid);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_latencies_of_launches_and_sets_are_percentiles_of_all_together(bool tookTurns)
    {
        RunResult fast = Good(100) with { Histogram = HistogramOf(1_000, count: 98) };
        RunResult slow = Good(100) with { Histogram = HistogramOf(9_000, count: 2) };
        CaseSummary summary = CaseSummarizer.Summarize("Toy", [.. Launches(fast, slow)], tookTurns).Summary!;
        Assert.Equal(1, summary.P50Microseconds!.Median, tolerance: 0.01);
        Assert.Equal(9, summary.P99Microseconds!.Median, tolerance: 0.09);
    }

    [Fact]
    public void The_delivery_of_an_impaired_open_loop_is_of_all_launches_together()
    {
        RunResult open = SampleResults.OpenLoop;
        RunResult first = open with { Histogram = HistogramOf(20_000_000, count: 999), Totals = open.Totals with { Sent = 1_000, Lost = 1 } };
        RunResult second = open with { Histogram = HistogramOf(220_000_000, count: 1), Totals = open.Totals with { Sent = 4, Lost = 3 } };
        DeliverySummary delivery = Summarize(first, second).Summary!.Delivery!;
        Assert.Equal((1_004, 4), (delivery.Sent, delivery.Lost));
        Assert.Equal(20_000, delivery.Microseconds.P99, tolerance: 20);
        Assert.Equal(20_000, delivery.Microseconds.P999, tolerance: 20);
        Assert.Equal(220_000, delivery.Microseconds.P9999, tolerance: 220);
        Assert.Null(Summarize(first, second with { Impairment = null }).Summary!.Delivery);
        Assert.Null(Summarize(first, second with { Schedule = null }).Summary!.Delivery);
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

    private static RunResult Good(double rate) => SampleResults.Valid with { MessagesPerSecond = rate };
}
