using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class ModeDetectorTests
{
    private const int Repetitions = 4000;

    [Theory]
    [InlineData(new[] { 100.0 })]
    [InlineData(new[] { 100.0, 160.0 })]
    [InlineData(new[] { 100.0, 101, 99, 102, 100 })]
    [InlineData(new[] { 100.0, 120, 140, 160, 180 })]
    [InlineData(new[] { 100.0, 200, 400 })]
    [InlineData(new[] { 100.0, 101, 124 })]
    public void Launches_that_do_not_fall_apart_are_one_mode(double[] launches)
    {
        LaunchStatistics statistics = LaunchStatistics.Of(launches);
        Assert.Equal([new SpreadMode(statistics.Median, launches.Length)], statistics.Modes);
    }

    [Fact]
    public void A_launch_far_from_its_close_neighbours_is_a_mode() =>
        Assert.Equal([new SpreadMode(6.55, 2), new SpreadMode(10.7, 1)], Rounded(LaunchStatistics.Of([6.5, 10.7, 6.6]).Modes));

    [Fact]
    public void Three_modes_are_found() => Assert.Equal(
        [new SpreadMode(100, 2), new SpreadMode(150, 3), new SpreadMode(240, 1)],
        Rounded(LaunchStatistics.Of([99, 101, 148, 150, 152, 240]).Modes));

    [Fact]
    public void A_gap_counts_as_a_ratio_in_either_unit()
    {
        double[] rates = [62, 63, 100, 101, 102];
        double[] times = [.. rates.Select(rate => 1 / rate)];
        Assert.Equal(LaunchStatistics.Of(rates).Modes.Select(mode => mode.Launches), LaunchStatistics.Of(times).Modes.Select(mode => mode.Launches).Reverse());
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
        [
            .. simulation.Take(count - (count / 3), median: 100, noise: 0.03),
            .. simulation.Take(count / 3, median: 100, noise: 0.03, shareOfSlowerMode: 1),
        ]);
        Assert.InRange(share, 0.98, 1);
    }

    private static double ShareWithTwoModes(Func<double[]> launches) =>
        Enumerable.Range(0, Repetitions).Count(_ => LaunchStatistics.Of(launches()).Modes.Count == 2) / (double)Repetitions;

    private static IEnumerable<SpreadMode> Rounded(IEnumerable<SpreadMode> modes) => modes.Select(mode => mode with { Centre = Math.Round(mode.Centre, 6) });
}
