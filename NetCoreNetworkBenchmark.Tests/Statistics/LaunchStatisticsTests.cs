namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class LaunchStatisticsTests
{
    private const int Repetitions = 4000;

    [Theory, InlineData(new double[] { 3, 1, 2 }, 2), InlineData(new double[] { 4, 1, 2, 3 }, 2.5), InlineData(new double[] { 7 }, 7)]
    public void Median_is_the_middle_launch_or_the_mean_of_both(double[] launches, double median)
    {
        LaunchStatistics statistics = LaunchStatistics.From(launches);
        Assert.Equal((launches.Length, median), (statistics.Count, statistics.Median));
    }

    [Fact]
    public void One_launch_has_no_interval()
    {
        LaunchStatistics statistics = LaunchStatistics.From([100]);
        Assert.Null(statistics.Lower);
        Assert.Null(statistics.Upper);
        Assert.Null(statistics.Coverage);
    }

    /// <summary>The quantiles 12.706, 4.3027, 3.1824 and 2.7764 are from any table of Student's t.</summary>
    [Theory]
    [InlineData(new[] { 0.9, 1.1 }, 12.706), InlineData(new[] { 0.9, 1, 1.1 }, 4.3027), InlineData(new[] { 0.9, 1, 1.1, 1.2 }, 3.1824)]
    [InlineData(new[] { 0.8, 0.9, 1, 1.1, 1.2 }, 2.7764)]
    public void Few_launches_get_the_t_interval_of_their_logarithms(double[] launches, double quantile)
    {
        double[] logarithms = [.. launches.Select(figure => Math.Log(figure))];
        double mean = logarithms.Average();
        double variance = logarithms.Sum(logarithm => Math.Pow(logarithm - mean, 2)) / (launches.Length - 1);
        double half = quantile * Math.Sqrt(variance / launches.Length);
        LaunchStatistics statistics = LaunchStatistics.From(launches);
        Assert.Equal(Math.Exp(mean - half), statistics.Lower!.Value, tolerance: 1e-3 * Math.Exp(mean - half));
        Assert.Equal(Math.Exp(mean + half), statistics.Upper!.Value, tolerance: 1e-3 * Math.Exp(mean + half));
        Assert.Equal(0.95, statistics.Coverage);
    }

    /// <summary>Ranks and coverages of Conover 1999, table A3 (the binomial distribution with p = 1/2).</summary>
    [Theory]
    [InlineData(6, 1, 0.9688), InlineData(7, 1, 0.9844), InlineData(8, 1, 0.9922), InlineData(9, 2, 0.9609), InlineData(10, 2, 0.9785)]
    [InlineData(15, 4, 0.9648), InlineData(20, 6, 0.9586)]
    public void Six_launches_and_more_get_the_interval_between_two_of_them(int count, int rank, double coverage)
    {
        double[] launches = [.. Enumerable.Range(1, count).Select(launch => (double)launch)];
        LaunchStatistics statistics = LaunchStatistics.From(launches);
        Assert.Equal((rank, count + 1 - rank), (statistics.Lower, statistics.Upper));
        Assert.Equal(coverage, statistics.Coverage!.Value, tolerance: 5e-5);
    }

    [Theory, InlineData(2), InlineData(3), InlineData(5), InlineData(6), InlineData(10)]
    public void The_interval_holds_the_true_median_as_often_as_it_says(int count)
    {
        var simulation = new SimulatedLaunches(seed: count);
        LaunchStatistics[] all = [.. Repeat(() => LaunchStatistics.From(simulation.Take(count, median: 100, noise: 0.1)))];
        double covered = all.Count(statistics => statistics.Lower <= 100 && statistics.Upper >= 100) / (double)Repetitions;

        // Three standard errors of a share of 95 % of the repetitions are 1 %.
        Assert.Equal(all[0].Coverage!.Value, covered, tolerance: 0.0105);
    }

    [Theory, InlineData(2), InlineData(3), InlineData(4), InlineData(5), InlineData(7)]
    public void The_interval_always_holds_the_median_that_is_quoted(int count)
    {
        var simulation = new SimulatedLaunches(seed: count);
        Assert.All(
            Repeat(() => LaunchStatistics.From(simulation.Take(count, median: 100, noise: 0.5, shareOfSlowerMode: 1 / 3.0))),
            statistics => Assert.InRange(statistics.Median, statistics.Lower!.Value, statistics.Upper!.Value));
    }

    [Fact]
    public void Launches_that_are_alike_have_an_interval_without_width()
    {
        LaunchStatistics statistics = LaunchStatistics.From([100, 100, 100]);
        Assert.Equal(0, (statistics.Upper - statistics.Lower)!.Value, tolerance: 1e-10);
    }

    [Fact]
    public void Order_does_not_matter() => Assert.Equivalent(LaunchStatistics.From([1, 2, 3, 9]), LaunchStatistics.From([9, 2, 1, 3]));

    [Fact]
    public void No_launch_is_refused() => Assert.Throws<ArgumentException>(() => LaunchStatistics.From([]));

    [Theory, InlineData(0), InlineData(-1), InlineData(double.NaN), InlineData(double.PositiveInfinity)]
    public void A_figure_without_a_logarithm_is_refused(double figure) => Assert.Throws<ArgumentOutOfRangeException>(() => LaunchStatistics.From([1, figure]));

    private static IEnumerable<LaunchStatistics> Repeat(Func<LaunchStatistics> once) => Enumerable.Range(0, Repetitions).Select(_ => once());
}

public sealed class ModeDetectorTests
{
    private const int Repetitions = 4000;

    [Theory]
    [InlineData(new[] { 100.0 }), InlineData(new[] { 100.0, 160.0 }), InlineData(new[] { 100.0, 101, 99, 102, 100 })]
    [InlineData(new[] { 100.0, 120, 140, 160, 180 }), InlineData(new[] { 100.0, 200, 400 }), InlineData(new[] { 100.0, 101, 124 })]
    public void Launches_that_do_not_fall_apart_are_one_mode(double[] launches)
    {
        LaunchStatistics statistics = LaunchStatistics.From(launches);
        Assert.Equal([new SpreadMode(statistics.Median, launches.Length)], statistics.Modes);
    }

    [Fact]
    public void A_launch_far_from_its_close_neighbours_is_a_mode() =>
        Assert.Equal([new SpreadMode(6.55, 2), new SpreadMode(10.7, 1)], Rounded(LaunchStatistics.From([6.5, 10.7, 6.6]).Modes));

    [Fact]
    public void Three_modes_are_found() => Assert.Equal(
        [new SpreadMode(100, 2), new SpreadMode(150, 3), new SpreadMode(240, 1)],
        Rounded(LaunchStatistics.From([99, 101, 148, 150, 152, 240]).Modes));

    [Fact]
    public void A_gap_counts_as_a_ratio_in_either_unit()
    {
        double[] rates = [62, 63, 100, 101, 102];
        double[] times = [.. rates.Select(rate => 1 / rate)];
        Assert.Equal(
            LaunchStatistics.From(rates).Modes.Select(mode => mode.Launches),
            LaunchStatistics.From(times).Modes.Select(mode => mode.Launches).Reverse());
    }

    [Theory, InlineData(3), InlineData(5), InlineData(10)]
    public void Noise_of_five_per_cent_is_not_taken_for_modes(int count)
    {
        var simulation = new SimulatedLaunches(seed: count);
        Assert.InRange(ShareWithTwoModes(() => simulation.Take(count, median: 100, noise: 0.05)), 0, 0.003);
    }

    [Theory, InlineData(3), InlineData(5), InlineData(10)]
    public void A_slower_mode_is_found_in_noise_of_three_per_cent(int count)
    {
        var simulation = new SimulatedLaunches(seed: count);
        double share = ShareWithTwoModes(() =>
            [.. simulation.Take(count - (count / 3), median: 100, noise: 0.03), .. simulation.Take(count / 3, median: 100, noise: 0.03, shareOfSlowerMode: 1)]);
        Assert.InRange(share, 0.98, 1);
    }

    private static double ShareWithTwoModes(Func<double[]> launches) =>
        Enumerable.Range(0, Repetitions).Count(_ => LaunchStatistics.From(launches()).Modes.Count == 2) / (double)Repetitions;

    private static IEnumerable<SpreadMode> Rounded(IEnumerable<SpreadMode> modes) => modes.Select(mode => mode with { Centre = Math.Round(mode.Centre, 6) });
}
