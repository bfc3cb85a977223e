using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Tests.Statistics;

public sealed class SetRatioTests
{
    [Fact]
    public void A_quotient_has_the_errors_of_both()
    {
        SetRatio quotient = SetRatio.Quotient(SetRatio.Of(0.9, 0.03, 10), SetRatio.Of(1.2, 0.04, 10));
        Assert.Equal((0.75, 0.05), (Math.Round(quotient.Ratio, 12), Math.Round(quotient.StandardError!.Value, 12)));
        Assert.Equal(18.54, quotient.Degrees!.Value, tolerance: 0.01);
        Assert.Null(SetRatio.Quotient(quotient, new SetRatio(1, null, null, null, null)).Lower);
    }

    [Theory]
    [InlineData(0.9, 0.001, true, Verdict.Slower)]
    [InlineData(1.2, 0.001, true, Verdict.Faster)]
    [InlineData(0.9, 0.001, false, Verdict.Undecided)]
    [InlineData(0.99, 0.001, true, Verdict.Same)]
    [InlineData(1, 0.1, false, Verdict.Undecided)]
    public void A_ratio_is_judged_by_its_difference_and_by_its_interval(double ratio, double error, bool differs, Verdict verdict) =>
        Assert.Equal(verdict, SetRatio.Of(ratio, error, 10).Judge(differs, threshold: 0.05));

    [Fact]
    public void The_chance_of_a_ratio_is_that_of_Students_distribution()
    {
        // 2.228 is the quantile of 97.5 % with ten degrees of freedom.
        Assert.Equal(0.05, SetRatio.Of(Math.Exp(0.2228), 0.1, 10).ChanceIfEqual(), tolerance: 1e-4);
        Assert.Equal(1, new SetRatio(2, null, null, null, null).ChanceIfEqual());
        Assert.Equal((1, 0), (SetRatio.Of(1, 0, 3).ChanceIfEqual(), SetRatio.Of(2, 0, 3).ChanceIfEqual()));
    }

    [Fact]
    public void An_inverse_has_the_inverse_interval()
    {
        SetRatio inverse = SetRatio.Inverse(new SetRatio(2, 1, 4, 0.1, 5));
        Assert.Equal(new SetRatio(0.5, 0.25, 1, 0.1, 5), inverse);
    }
}
