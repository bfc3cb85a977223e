using Pragmastat;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class LaunchRatioTests
{
    private const double TenPerCent = 0.1;

    private static readonly double[] s_five = [98, 99, 100, 101, 102];

    [Fact]
    public void Ratio_is_the_median_of_all_ratios_of_new_to_old() => Assert.Equal(1.5, LaunchRatio.From([1, 2, 4], [3]).Ratio, tolerance: 1e-12);

    [Fact]
    public void Ratio_is_that_of_the_shift_estimator_on_logarithms()
    {
        double[] before = new SimulatedLaunches(seed: 1).Take(6, median: 100, noise: 0.3);
        double[] after = new SimulatedLaunches(seed: 2).Take(5, median: 90, noise: 0.3);
        double shift = Toolkit.Shift(new Sample([.. after.Select(figure => Math.Log(figure))]), new Sample([.. before.Select(figure => Math.Log(figure))]));
        Assert.Equal(Math.Exp(shift), LaunchRatio.From(before, after).Ratio, tolerance: 1e-12);
    }

    /// <summary>The ranks are the critical values of U + 1 from any table for two sides and 5 % or 1 %.</summary>
    [Theory]
    [InlineData(4, 4, 0.95, 1), InlineData(3, 5, 0.95, 1), InlineData(2, 8, 0.95, 1), InlineData(5, 5, 0.95, 3), InlineData(6, 6, 0.95, 6)]
    [InlineData(10, 10, 0.95, 24), InlineData(5, 5, 0.99, 1), InlineData(10, 10, 0.99, 17)]
    public void Interval_is_between_the_ratios_that_the_distribution_of_U_allows(int old, int @new, double confidence, int rank)
    {
        double[] before = [.. Enumerable.Range(0, old).Select(launch => Math.Pow(2, launch))];
        double[] after = [.. Enumerable.Range(0, @new).Select(launch => Math.Pow(3, launch))];
        double[] ratios = [.. from one in before from other in after orderby other / one select other / one];
        RatioInterval interval = LaunchRatio.From(before, after).IntervalAt(confidence)!;
        Assert.Equal(ratios[rank - 1], interval.Lower, tolerance: 1e-9 * ratios[rank - 1]);
        Assert.Equal(ratios[^rank], interval.Upper, tolerance: 1e-9 * ratios[^rank]);
    }

    /// <summary>The chances are counts of the 252 orders of 5 and 5 launches, and of the 70 of 4 and 4.</summary>
    [Theory]
    [InlineData(5, 2, 0, 2 / 252.0), InlineData(4, 0.5, 0, 2 / 70.0), InlineData(4, 0.5, 0.45, 2 / 70.0), InlineData(4, 0.5, 0.6, 1), InlineData(5, 1, 0, 1)]
    public void PValueAt_counts_the_ratios_on_the_wrong_side_of_the_threshold(int launches, double factor, double threshold, double chance)
    {
        double[] before = s_five[..launches];
        Assert.Equal(chance, LaunchRatio.From(before, [.. before.Select(figure => figure * factor)]).PValueAt(threshold), tolerance: 1e-9);
    }

    [Fact]
    public void A_ratio_is_decided_exactly_if_its_interval_is_beyond_the_threshold()
    {
        var simulation = new SimulatedLaunches(seed: 3);
        for (int repetition = 0; repetition < 500; repetition++)
        {
            var ratio = LaunchRatio.From(simulation.Take(6, median: 100, noise: 0.1), simulation.Take(6, median: 75, noise: 0.1));
            Assert.Equal(ratio.PValueAt(TenPerCent) <= 0.01, ratio.Judge(confidence: 0.99, TenPerCent) is Verdict.Slower or Verdict.Faster);
        }
    }

    [Theory, InlineData(1, 1), InlineData(3, 3), InlineData(3, 4), InlineData(2, 7), InlineData(1, 20)]
    public void Too_few_launches_have_no_interval_and_are_undecided(int old, int @new)
    {
        var simulation = new SimulatedLaunches(seed: 1);
        var ratio = LaunchRatio.From(simulation.Take(old, median: 100, noise: 0.001), simulation.Take(@new, median: 10, noise: 0.001));
        Assert.Equal((null, null, Verdict.Undecided), (ratio.Lower, ratio.Upper, ratio.Judge(confidence: 0.95, TenPerCent)));
    }

    [Theory]
    [InlineData(0.8, Verdict.Slower), InlineData(0.9, Verdict.Undecided), InlineData(0.95, Verdict.Same), InlineData(1, Verdict.Same)]
    [InlineData(1.05, Verdict.Same), InlineData(1 / 0.9, Verdict.Undecided), InlineData(1.25, Verdict.Faster)]
    public void Verdict_follows_the_ratio_where_noise_is_small(double ratio, Verdict verdict) =>
        Assert.Equal(verdict, LaunchRatio.From(s_five, [.. s_five.Select(figure => figure * ratio)]).Judge(confidence: 0.99, TenPerCent));

    [Fact]
    public void Old_and_new_changed_over_give_the_mirrored_verdict()
    {
        double[] slow = [.. s_five.Select(figure => figure * 0.8)];
        var forward = LaunchRatio.From(s_five, slow);
        var backward = LaunchRatio.From(slow, s_five);
        Assert.Equal((Verdict.Slower, Verdict.Faster), (forward.Judge(0.99, TenPerCent), backward.Judge(0.99, TenPerCent)));
        Assert.Equal(1 / forward.Upper!.Value, backward.Lower!.Value, tolerance: 1e-12);
        Assert.Equal(1 / forward.Ratio, backward.Ratio, tolerance: 1e-12);
    }

    [Fact]
    public void Many_launches_go_on_where_the_exact_distribution_ends()
    {
        var exact = LaunchRatio.From(Grid(30), Grid(30));
        Assert.Equal(exact.Lower!.Value, LaunchRatio.From(Grid(31), Grid(30)).Lower!.Value, tolerance: 0.02);
    }

    [Fact]
    public void Figures_that_cannot_be_compared_are_refused_by_their_name()
    {
        Assert.Equal("oldLaunches", Assert.Throws<ArgumentException>(() => LaunchRatio.From([], s_five)).ParamName);
        Assert.Equal("newLaunches", Assert.Throws<ArgumentOutOfRangeException>(() => LaunchRatio.From(s_five, [0])).ParamName);
    }

    private static double[] Grid(int count) => [.. Enumerable.Range(1, count).Select(launch => 1 + (launch / (count + 1.0)))];
}

/// <summary>The rates at which a verdict is wrong, and at which a difference is found, over many simulated comparisons.</summary>
public sealed class LaunchRatioErrorRateTests
{
    private const int Repetitions = 4000;
    private const double TenPerCent = 0.1;
    private const double OneInThree = 1 / 3.0;

    // That of a single case, and of the last of several.
    private const double Confidence = 1 - HolmProcedure.ComparisonLevel;

    [Theory]
    [InlineData(4, 0.03, 0), InlineData(5, 0.03, 0), InlineData(5, 0.03, OneInThree), InlineData(5, 0.2, OneInThree), InlineData(10, 0.03, OneInThree)]
    [InlineData(10, 0.5, 0)]
    public void The_same_code_is_hardly_ever_slower_or_faster(int launches, double noise, double slowerMode)
    {
        Dictionary<Verdict, double> shares = Shares(launches, ratio: 1, noise, slowerMode);
        Assert.InRange(shares[Verdict.Slower] + shares[Verdict.Faster], 0, HolmProcedure.ComparisonLevel);
    }

    [Theory, InlineData(5, 0.03, 0), InlineData(5, 0.1, 0), InlineData(5, 0.03, OneInThree), InlineData(10, 0.1, OneInThree)]
    public void A_loss_of_just_the_threshold_is_hardly_ever_called_same_or_slower(int launches, double noise, double slowerMode)
    {
        Dictionary<Verdict, double> shares = Shares(launches, ratio: 1 - TenPerCent, noise, slowerMode);

        // The chances are 2.5 and 0.5 %, and three standard errors of them are 0.75 and 0.35 %.
        Assert.InRange(shares[Verdict.Same], 0, 0.0325);
        Assert.InRange(shares[Verdict.Slower], 0, 0.0085);
    }

    [Theory, InlineData(0.8, Verdict.Slower, 0.92), InlineData(1, Verdict.Same, 0.95)]
    public void Five_launches_at_three_per_cent_noise_find_a_loss_of_twice_the_threshold_and_the_same_code(double ratio, Verdict verdict, double min) =>
        Assert.InRange(Shares(5, ratio, noise: 0.03)[verdict], min, 1);

    [Theory, InlineData(0.05, 1), InlineData(0.1, 1), InlineData(0.1, 0.8)]
    public void The_launches_that_are_forecast_decide_most_of_the_undecided_comparisons(double noise, double ratio)
    {
        const int First = 6;
        var simulation = new SimulatedLaunches(seed: 21);
        LaunchRatio Of(int launches) => LaunchRatio.From(simulation.Take(launches, median: 100, noise), simulation.Take(launches, median: 100 * ratio, noise));
        int[] needed =
        [
            .. from first in Enumerable.Range(0, 150).Select(_ => Of(First)).ToArray()
               where first.Judge(Confidence, TenPerCent) == Verdict.Undecided
               select first.LaunchesToDecide(Confidence, TenPerCent, First, First)!.Value,
        ];
        Assert.All(needed, launches => Assert.InRange(launches, First + 1, 1_600));
        double decided = needed.Average(launches => Of(Math.Min(launches, 50)).Judge(Confidence, TenPerCent) == Verdict.Undecided ? 0 : 1);
        Assert.InRange(decided, 0.5, 1);
    }

    [Fact]
    public void As_many_launches_are_forecast_as_the_interval_requires()
    {
        var ratio = LaunchRatio.From([100, 100.1], [50, 50.1]);
        Assert.Equal((int?[])[5, 6, 8], ((double[])[0.99, 0.995, 1 - (0.01 / 64)]).Select(confidence => ratio.LaunchesToDecide(confidence, TenPerCent, 2, 2)));
    }

    [Theory, InlineData(1), InlineData(0.8), InlineData(1.25)]
    public void Huge_noise_is_undecided_and_never_same(double ratio)
    {
        Dictionary<Verdict, double> shares = Shares(5, ratio, noise: 1);
        Assert.Equal(0, shares[Verdict.Same]);
        Assert.InRange(shares[Verdict.Undecided], 0.9, 1);
    }

    private static Dictionary<Verdict, double> Shares(int launches, double ratio, double noise, double slowerMode = 0)
    {
        var simulation = new SimulatedLaunches(seed: 20);
        Dictionary<Verdict, double> shares = Enum.GetValues<Verdict>().ToDictionary(verdict => verdict, _ => 0.0);
        for (int repetition = 0; repetition < Repetitions; repetition++)
        {
            double[] before = simulation.Take(launches, median: 100, noise, slowerMode);
            double[] after = simulation.Take(launches, median: 100 * ratio, noise, slowerMode);
            shares[LaunchRatio.From(before, after).Judge(Confidence, TenPerCent)] += 1.0 / Repetitions;
        }

        return shares;
    }
}

public sealed class SetRatioTests
{
    [Theory, InlineData(1e-9), InlineData(1), InlineData(1e9)]
    public void An_interval_that_excludes_nothing_has_ends_that_a_file_can_hold(double ratio)
    {
        RatioInterval interval = SetRatio.From(ratio, 4, degrees: 1).IntervalAt(0.9999)!;
        Assert.All(
            (double[])[interval.Lower, interval.Upper, 1 / interval.Lower, 1 / interval.Upper],
            end => Assert.InRange(end, double.Epsilon, double.MaxValue));
    }

    [Theory, InlineData(0.02, 4, 5), InlineData(0.05, 4, 15), InlineData(0.05, 16, 50)]
    public void As_many_sets_are_forecast_as_make_the_interval_narrow_enough(double error, int sets, int expected) =>
        Assert.Equal(expected, SetRatio.From(1, error, degrees: 6).LaunchesToDecide(confidence: 0.99, threshold: 0.1, sets, sets));

    [Fact]
    public void A_quotient_has_the_errors_of_both()
    {
        SetRatio quotient = SetRatio.Quotient(SetRatio.From(0.9, 0.03, 10), SetRatio.From(1.2, 0.04, 10));
        Assert.Equal((0.75, 0.05), (Math.Round(quotient.Ratio, 12), Math.Round(quotient.StandardError!.Value, 12)));
        Assert.Equal(18.54, quotient.Degrees!.Value, tolerance: 0.01);
        Assert.Null(SetRatio.Quotient(quotient, new SetRatio(1, null, null, null, null)).Lower);
    }

    [Theory]
    [InlineData(0.9, 0.001, Verdict.Slower), InlineData(1.2, 0.001, Verdict.Faster), InlineData(0.94, 0.01, Verdict.Undecided)]
    [InlineData(0.95, 0.001, Verdict.Undecided), InlineData(0.99, 0.001, Verdict.Same), InlineData(1, 0.1, Verdict.Undecided)]
    public void A_ratio_has_a_verdict_if_its_whole_interval_is_beyond_or_within_the_threshold(double ratio, double error, Verdict verdict) =>
        Assert.Equal(verdict, SetRatio.From(ratio, error, 10).Judge(confidence: 0.99, threshold: 0.05));

    [Fact]
    public void A_loss_at_the_threshold_is_hardly_ever_called_slower()
    {
        var random = new Random(7);
        SetRatio Measured() => SetRatio.From(0.9 * Math.Exp(0.02 * random.NextNormal()), 0.02, 1_000);
        Assert.InRange(Enumerable.Range(0, 2_000).Count(_ => HolmProcedure.Decide([Measured()], threshold: 0.1)[0]), 0, 25);
    }

    [Fact]
    public void The_chance_of_a_ratio_is_that_of_Students_distribution()
    {
        // 2.228 is the quantile of 97.5 % with ten degrees of freedom.
        Assert.Equal(0.05, SetRatio.From(Math.Exp(0.2228), 0.1, 10).PValueAt(0), tolerance: 1e-4);
        Assert.Equal((1, 1, 0), (new SetRatio(2, null, null, null, null).PValueAt(0), SetRatio.From(1, 0, 3).PValueAt(0), SetRatio.From(2, 0, 3).PValueAt(0)));
    }

    [Fact]
    public void An_inverse_has_the_inverse_interval() => Assert.Equal(new SetRatio(0.5, 0.25, 1, 0.1, 5), SetRatio.Inverse(new SetRatio(2, 1, 4, 0.1, 5)));
}

/// <summary>Launches as observed on real machines: log-normal noise, and a share of launches that are in a slower mode as a whole.</summary>
internal sealed class SimulatedLaunches(int seed)
{
    private const double SlowerMode = 1.6;

    private readonly Random _random = new(seed);

    public double[] Take(int count, double median, double noise, double shareOfSlowerMode = 0) =>
        [.. Enumerable.Range(0, count).Select(_ => Next(median, noise, shareOfSlowerMode))];

    private double Next(double median, double noise, double shareOfSlowerMode)
    {
        double figure = median * Math.Exp(noise * _random.NextNormal());
        return _random.NextDouble() < shareOfSlowerMode ? figure / SlowerMode : figure;
    }
}

internal static class NormalRandom
{
    /// <summary>Box and Muller 1958.</summary>
    public static double NextNormal(this Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}

/// <summary>The count of what happens to each of many trials by chance, such as packets that are lost.</summary>
internal static class BinomialCount
{
    /// <summary>Asserts that a count is within five standard deviations of its expectation. Chance exceeds them once in a million.</summary>
    public static void AssertNear(double probability, long trials, long count)
    {
        double expected = trials * probability;
        double bound = 5 * Math.Sqrt(expected * (1 - probability));
        Assert.InRange(count, expected - bound, expected + bound);
    }
}
