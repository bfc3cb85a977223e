using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

/// <summary>The rates at which a verdict is wrong, and at which a difference is found, over many simulated comparisons.</summary>
public sealed class ComparisonErrorRateTests
{
    private const int Repetitions = 4000;
    private const double TenPerCent = 0.1;
    private const double OneInThree = 1 / 3.0;

    [Theory]
    [InlineData(4, 0.03, 0)]
    [InlineData(5, 0.03, 0)]
    [InlineData(5, 0.03, OneInThree)]
    [InlineData(5, 0.2, OneInThree)]
    [InlineData(10, 0.03, OneInThree)]
    [InlineData(10, 0.5, 0)]
    public void The_same_code_is_hardly_ever_slower_or_faster(int launches, double noise, double slowerMode)
    {
        Dictionary<Verdict, double> shares = Shares(launches, ratio: 1, noise, slowerMode);
        Assert.InRange(shares[Verdict.Slower] + shares[Verdict.Faster], 0, 0.05);
    }

    [Theory, InlineData(5, 0.03, 0), InlineData(5, 0.1, 0), InlineData(5, 0.03, OneInThree), InlineData(10, 0.1, OneInThree)]
    public void A_loss_of_just_the_threshold_is_called_same_or_slower_in_five_per_cent(int launches, double noise, double slowerMode)
    {
        Dictionary<Verdict, double> shares = Shares(launches, ratio: 1 - TenPerCent, noise, slowerMode);

        // Each has a chance of 2.5 %, and three standard errors of it are 0.75 %.
        Assert.InRange(shares[Verdict.Same], 0, 0.0325);
        Assert.InRange(shares[Verdict.Slower], 0, 0.0325);
    }

    [Fact]
    public void A_loss_of_twice_the_threshold_is_slower_for_five_launches_at_three_per_cent_noise() =>
        Assert.InRange(Shares(5, ratio: 0.8, noise: 0.03)[Verdict.Slower], 0.98, 1);

    [Fact]
    public void The_same_code_is_same_for_five_launches_at_three_per_cent_noise() => Assert.InRange(Shares(5, ratio: 1, noise: 0.03)[Verdict.Same], 0.95, 1);

    [Theory, InlineData(1), InlineData(0.8), InlineData(1.25)]
    public void Huge_noise_is_inconclusive_and_never_same(double ratio)
    {
        Dictionary<Verdict, double> shares = Shares(5, ratio, noise: 1);
        Assert.Equal(0, shares[Verdict.Same]);
        Assert.InRange(shares[Verdict.Inconclusive], 0.9, 1);
    }

    private static Dictionary<Verdict, double> Shares(int launches, double ratio, double noise, double slowerMode = 0)
    {
        var simulation = new SimulatedLaunches(seed: 20);
        Dictionary<Verdict, double> shares = Enum.GetValues<Verdict>().ToDictionary(verdict => verdict, _ => 0.0);
        for (int repetition = 0; repetition < Repetitions; repetition++)
        {
            double[] before = simulation.Take(launches, median: 100, noise, slowerMode);
            double[] after = simulation.Take(launches, median: 100 * ratio, noise, slowerMode);
            shares[Comparison.Of(before, after, TenPerCent).Verdict] += 1.0 / Repetitions;
        }

        return shares;
    }
}
