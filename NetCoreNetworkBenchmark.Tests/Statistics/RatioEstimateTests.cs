using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class RatioEstimateTests
{
    private const int Repetitions = 4_000;
    private const double TwoPerCent = 0.02;

    [Fact]
    public void Of_is_the_geometric_mean_with_Students_interval()
    {
        // The logarithms are -0.1, 0 and 0.1: mean 0, standard deviation 0.1, and the quantile of t with 2 degrees of freedom is 4.303.
        var estimate = RatioEstimate.Of([Math.Exp(-0.1), 1, Math.Exp(0.1)], TwoPerCent);
        Assert.Equal((3, Verdict.Inconclusive), (estimate.Count, estimate.Verdict));
        Assert.Equal(1, estimate.Ratio, 12);
        Assert.Equal(Math.Exp(-4.3027 * 0.1 / Math.Sqrt(3)), estimate.Lower!.Value, 4);
        Assert.Equal(Math.Exp(4.3027 * 0.1 / Math.Sqrt(3)), estimate.Upper!.Value, 4);
    }

    [Fact]
    public void One_set_has_no_interval_and_no_verdict()
    {
        var estimate = RatioEstimate.Of([0.5], TwoPerCent);
        Assert.Equal((0.5, null, null, Verdict.Inconclusive), (estimate.Ratio, estimate.Lower, estimate.Upper, estimate.Verdict));
    }

    [Theory]
    [InlineData(0.95, 0.951, 0.949, Verdict.Slower)]
    [InlineData(1.05, 1.051, 1.049, Verdict.Faster)]
    [InlineData(1, 1.001, 0.999, Verdict.Same)]
    [InlineData(0.985, 0.986, 0.984, Verdict.Same)]
    [InlineData(0.9, 1.1, 1, Verdict.Inconclusive)]
    public void The_verdict_follows_from_estimate_interval_and_threshold(double one, double two, double three, Verdict verdict) =>
        Assert.Equal(verdict, RatioEstimate.Of([one, two, three, one], TwoPerCent).Verdict);

    [Theory]
    [InlineData(Verdict.Slower, Verdict.Faster, Verdict.Slower)]
    [InlineData(Verdict.Faster, Verdict.Slower, Verdict.Faster)]
    [InlineData(Verdict.Same, Verdict.Slower, Verdict.Slower)]
    [InlineData(Verdict.Inconclusive, Verdict.Faster, Verdict.Faster)]
    [InlineData(Verdict.Same, Verdict.Inconclusive, Verdict.Same)]
    [InlineData(Verdict.Inconclusive, Verdict.Same, Verdict.Inconclusive)]
    [InlineData(Verdict.Same, null, Verdict.Same)]
    public void Together_counts_a_difference_of_the_rate_before_one_of_the_CPU_time(Verdict rate, Verdict? perCpuSecond, Verdict verdict) =>
        Assert.Equal(verdict, RatioEstimate.Together(rate, perCpuSecond));

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void A_ratio_that_is_not_positive_and_finite_is_refused(double ratio) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => RatioEstimate.Of([1, ratio], TwoPerCent));

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_threshold_outside_0_and_1_is_refused(double threshold) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => RatioEstimate.Of([1, 1], threshold));

    [Theory]
    [InlineData(3, 10, 0)]
    [InlineData(5, 5, 0.05)]
    [InlineData(8, 20, 0.05)]
    [InlineData(12, 24, 0.05)]
    public void The_interval_holds_the_truth_95_times_in_100_on_a_machine_that_drifts(int sets, int rounds, double slowMode)
    {
        const double Truth = 0.93;
        var machine = new SimulatedMachine(seed: 7);
        int held = Enumerable.Range(0, Repetitions).Count(_ =>
            RatioEstimate.Of(machine.Ratios(sets, rounds, Truth, slowMode), TwoPerCent) is var found && found.Lower <= Truth && Truth <= found.Upper);

        // Three standard errors of the share are 1 %.
        Assert.InRange((double)held / Repetitions, 0.94, 0.97);
    }

    [Fact]
    public void A_loss_of_five_per_cent_is_found_by_eight_sets_and_equal_builds_are_hardly_ever_different()
    {
        Assert.InRange(ShareOf(ratio: 0.95, Verdict.Slower), 0.9, 1);
        Assert.InRange(ShareOf(ratio: 1, Verdict.Slower, Verdict.Faster), 0, 0.01);
    }

    private static double ShareOf(double ratio, params Verdict[] verdicts)
    {
        var machine = new SimulatedMachine(seed: 8);
        return (double)Enumerable.Range(0, Repetitions)
            .Count(_ => verdicts.Contains(RatioEstimate.Of(machine.Ratios(sets: 8, rounds: 20, ratio, slowMode: 0.02), TwoPerCent).Verdict)) / Repetitions;
    }
}
