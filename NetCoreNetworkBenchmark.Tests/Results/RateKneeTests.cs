namespace NetCoreNetworkBenchmark.Tests.Results;

public sealed class RateKneeTests
{
    private static readonly IterationResult s_first = Part(1_000);

    [Fact]
    public void All_steps_kept_pace_when_each_was_answered() =>
        Assert.Equal("All 3 steps kept pace, up to 3,000 msg/s.", RateKnee.ConclusionOf([s_first, Part(2_000), Part(3_000)]));

    [Fact]
    public void A_run_at_one_rate_has_no_conclusion() => Assert.Null(RateKnee.ConclusionOf([new IterationResult(1, 1_000)]));

    [Fact]
    public void The_first_step_that_did_not_keep_pace_is_named_with_its_reason_and_the_rate_before() => Assert.Equal(
        "The sides kept pace up to 1,000 msg/s, and no longer from 2,000 msg/s on (step 2 of 3): 5 of 2,000 messages were lost.",
        RateKnee.ConclusionOf([s_first, Part(2_000, lost: 5), Part(3_000, lost: 9)]));

    [Theory]
    [InlineData(0, 0, 20, null)]
    [InlineData(0, 0, 21, "1.1 % of the messages were sent late, so the clients were the limit")]
    [InlineData(1, 0, 21, "1.1 % of the messages were sent late, so the clients were the limit")]
    [InlineData(1, 0, 0, "1 of 2,000 messages were lost")]
    [InlineData(0, 20, 0, null)]
    [InlineData(0, 22, 0, "the answers fell behind by 1.1 % of the messages")]
    public void A_step_kept_pace_when_it_lost_nothing_and_at_most_1_percent_were_late_or_behind(long lost, long behind, long late, string? reason) =>
        Assert.Equal(reason, RateKnee.ReasonOf([s_first, Part(2_000, lost, behind, late, p50: 0)], 1));

    [Fact]
    public void More_messages_in_flight_at_the_same_latency_are_no_queue()
    {
        // 1,000 msg/s more for 100 ms each.
        Assert.Null(RateKnee.ReasonOf([s_first, Part(2_000, behind: 120, p50: 100_000)], 1));
        Assert.NotNull(RateKnee.ReasonOf([s_first, Part(2_000, behind: 121, p50: 100_000)], 1));
    }

    [Fact]
    public void Steps_of_several_load_generators_add_up()
    {
        RateStep sum = RateStep.Sum([Part(1_000, lost: 1, late: 2).Step!, Part(3_000, lost: 4, behind: 10).Step!])!;
        Assert.Equal((4_000, 4_000, 3_990, 5, 2), (sum.Rate, sum.Sent, sum.Answered, sum.Lost, sum.SentLate));
        Assert.Null(RateStep.Sum([]));
    }

    // A step of a second.
    private static IterationResult Part(double rate, long lost = 0, long behind = 0, long late = 0, double p50 = 100) => new(1, (long)rate)
    {
        Step = new RateStep(
            rate, (long)rate, (long)rate - behind, lost, late,
            new LatencyReport(new LatencySummary(p50, p50, p50, p50, p50, p50, p50, p50), Histograms.ReferenceVectors.Few)),
    };
}
