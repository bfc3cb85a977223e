using NetCoreNetworkBenchmark.Statistics;
using Pragmastat;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class ComparisonTests
{
    private const double TenPerCent = 0.1;

    private static readonly double[] s_five = [98, 99, 100, 101, 102];

    [Fact]
    public void Ratio_is_the_median_of_all_ratios_of_new_to_old()
    {
        Comparison comparison = Comparison.Of([1, 2, 4], [3], TenPerCent);
        Assert.Equal((2, 3), (comparison.OldMedian, comparison.NewMedian));
        Assert.Equal(1.5, comparison.Ratio, tolerance: 1e-12);
    }

    [Fact]
    public void Ratio_is_that_of_the_shift_estimator_on_logarithms()
    {
        double[] before = new SimulatedLaunches(seed: 1).Take(6, median: 100, noise: 0.3);
        double[] after = new SimulatedLaunches(seed: 2).Take(5, median: 90, noise: 0.3);
        double shift = Toolkit.Shift(new Sample([.. after.Select(figure => Math.Log(figure))]), new Sample([.. before.Select(figure => Math.Log(figure))]));
        Assert.Equal(Math.Exp(shift), Comparison.Of(before, after, TenPerCent).Ratio, tolerance: 1e-12);
    }

    /// <summary>The ranks are the critical values of U + 1 from any table for two sides and 5 %; the coverages are counts of 252, 70 and so on.</summary>
    [Theory]
    [InlineData(4, 4, 1, 1 - (2 / 70.0))]
    [InlineData(3, 5, 1, 1 - (2 / 56.0))]
    [InlineData(2, 8, 1, 1 - (2 / 45.0))]
    [InlineData(5, 5, 3, 1 - (8 / 252.0))]
    [InlineData(6, 6, 6, 1 - (2 * 19 / 924.0))]
    [InlineData(10, 10, 24, 0.9567)]
    public void Interval_is_between_the_ratios_that_the_distribution_of_U_allows(int old, int @new, int rank, double coverage)
    {
        double[] before = [.. Enumerable.Range(0, old).Select(launch => Math.Pow(2, launch))];
        double[] after = [.. Enumerable.Range(0, @new).Select(launch => Math.Pow(3, launch))];
        double[] ratios = [.. from one in before from other in after orderby other / one select other / one];
        Comparison comparison = Comparison.Of(before, after, TenPerCent);
        Assert.Equal(ratios[rank - 1], comparison.Lower!.Value, tolerance: 1e-9 * ratios[rank - 1]);
        Assert.Equal(ratios[^rank], comparison.Upper!.Value, tolerance: 1e-9 * ratios[^rank]);
        Assert.Equal(coverage, comparison.Coverage!.Value, tolerance: 1e-4);
    }

    [Theory, InlineData(1, 1), InlineData(3, 3), InlineData(3, 4), InlineData(2, 7), InlineData(1, 20)]
    public void Too_few_launches_have_no_interval_and_are_inconclusive(int old, int @new)
    {
        var simulation = new SimulatedLaunches(seed: 1);
        Comparison comparison = Comparison.Of(simulation.Take(old, median: 100, noise: 0.001), simulation.Take(@new, median: 10, noise: 0.001), TenPerCent);
        Assert.Null(comparison.Lower);
        Assert.Null(comparison.Upper);
        Assert.Null(comparison.Coverage);
        Assert.Equal(Verdict.Inconclusive, comparison.Verdict);
    }

    [Theory]
    [InlineData(0.8, Verdict.Slower)]
    [InlineData(0.9, Verdict.Inconclusive)]
    [InlineData(0.95, Verdict.Same)]
    [InlineData(1, Verdict.Same)]
    [InlineData(1.05, Verdict.Same)]
    [InlineData(1 / 0.9, Verdict.Inconclusive)]
    [InlineData(1.25, Verdict.Faster)]
    public void Verdict_follows_the_ratio_where_noise_is_small(double ratio, Verdict verdict) =>
        Assert.Equal(verdict, Comparison.Of(s_five, [.. s_five.Select(figure => figure * ratio)], TenPerCent).Verdict);

    [Fact]
    public void Old_and_new_changed_over_give_the_mirrored_verdict()
    {
        double[] slow = [.. s_five.Select(figure => figure * 0.8)];
        Comparison forward = Comparison.Of(s_five, slow, TenPerCent);
        Comparison backward = Comparison.Of(slow, s_five, TenPerCent);
        Assert.Equal((Verdict.Slower, Verdict.Faster), (forward.Verdict, backward.Verdict));
        Assert.Equal(1 / forward.Upper!.Value, backward.Lower!.Value, tolerance: 1e-12);
        Assert.Equal(1 / forward.Ratio, backward.Ratio, tolerance: 1e-12);
    }

    [Fact]
    public void Many_launches_go_on_where_the_exact_distribution_ends()
    {
        Comparison exact = Comparison.Of(Grid(30), Grid(30), TenPerCent);
        Comparison approximated = Comparison.Of(Grid(31), Grid(30), TenPerCent);
        Assert.InRange(exact.Coverage!.Value, 0.95, 0.952);
        Assert.InRange(approximated.Coverage!.Value, 0.95, 0.952);
        Assert.Equal(exact.Lower!.Value, approximated.Lower!.Value, tolerance: 0.02);
    }

    [Theory, InlineData(0), InlineData(1), InlineData(-0.1), InlineData(double.NaN)]
    public void A_threshold_that_is_no_share_is_refused(double threshold) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Comparison.Of(s_five, s_five, threshold));

    [Fact]
    public void Figures_that_cannot_be_compared_are_refused_by_their_name()
    {
        Assert.Equal("oldLaunches", Assert.Throws<ArgumentException>(() => Comparison.Of([], s_five, TenPerCent)).ParamName);
        Assert.Equal("newLaunches", Assert.Throws<ArgumentOutOfRangeException>(() => Comparison.Of(s_five, [0], TenPerCent)).ParamName);
    }

    private static double[] Grid(int count) => [.. Enumerable.Range(1, count).Select(launch => 1 + (launch / (count + 1.0)))];
}
