using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class VariancePriorTests
{
    private const int Sets = 10;

    [Fact]
    public void Two_variances_do_not_show_how_much_they_differ() => Assert.Null(VariancePrior.Of([(1, 2), (2, 2)]));

    [Fact]
    public void Equal_variances_weigh_as_much_as_all_of_them_tell()
    {
        var prior = VariancePrior.Of([(4, 2), (4, 2), (4, 2), (4, 2)])!;

        // Of the 8 degrees of freedom, 8 / (1 + 3 / 4) are not shared.
        Assert.Equal(4.571, prior.Degrees, tolerance: 0.001);
        (double variance, double degrees) = prior.Moderate(4, 2);
        Assert.Equal(4.571, degrees, tolerance: 0.001);
        Assert.InRange(variance, 2, 8);
    }

    [Fact]
    public void Moderate_is_the_mean_weighted_by_the_degrees_of_freedom() =>
        Assert.Equal((2.5, 8), new VariancePrior(2, 6, 9).Moderate(4, 2));

    // The distribution that Smyth's method assumes, with many cases.
    [Theory]
    [InlineData(4, 0.01)]
    [InlineData(20, 2)]
    public void The_parameters_of_simulated_variances_are_found(double degrees, double typical)
    {
        var random = new Random(3);
        (double, double)[] observed =
        [
            .. Enumerable.Range(0, 20_000).Select(_ =>
            {
                double truth = typical * degrees / ChiSquare(random, (int)degrees);
                return (truth * ChiSquare(random, Sets - 1) / (Sets - 1), Sets - 1.0);
            }),
        ];
        var prior = VariancePrior.Of(observed)!;
        Assert.InRange(prior.Variance / typical, 0.95, 1.05);
        Assert.InRange(prior.Degrees / degrees, 0.8, 1.25);
    }

    private static double ChiSquare(Random random, int degrees) => Enumerable.Range(0, degrees).Sum(_ => Math.Pow(random.NextNormal(), 2));
}
