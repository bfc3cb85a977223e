namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class SteadyRateTests
{
    [Fact]
    public void IsSteady_needs_a_whole_second()
    {
        var rule = new SteadyRate();
        for (int bin = 0; bin < 9; bin++)
        {
            rule.Add(1000);
            Assert.False(rule.IsSteady);
        }

        rule.Add(1000);
        Assert.True(rule.IsSteady);
    }

    [Theory, InlineData(1000, 1053, false), InlineData(1000, 1051, true), InlineData(1000, 953, true), InlineData(1000, 949, false)]
    public void IsSteady_allows_five_per_cent_between_the_halves(double earlier, double later, bool steady) =>
        Assert.Equal(steady, RuleAfter([.. Enumerable.Repeat(earlier, 5), .. Enumerable.Repeat(later, 5)]).IsSteady);

    [Fact]
    public void IsSteady_looks_at_means_so_that_single_bins_may_differ() =>
        Assert.True(RuleAfter([500, 1500, 1000, 800, 1200, 1500, 500, 1200, 800, 1000]).IsSteady);

    [Fact]
    public void IsSteady_looks_at_the_last_second_only()
    {
        SteadyRate rule = RuleAfter([.. Enumerable.Range(1, 10).Select(bin => bin * 100.0)]);
        Assert.False(rule.IsSteady);
        for (int bin = 0; bin < 10; bin++)
        {
            rule.Add(1000);
        }

        Assert.True(rule.IsSteady);
    }

    [Fact]
    public void IsSteady_is_false_while_nothing_comes_back() => Assert.False(RuleAfter([.. Enumerable.Repeat(0.0, 20)]).IsSteady);

    [Fact]
    public void Add_leaves_out_a_bin_that_is_too_short()
    {
        SteadyRate rule = RuleAfter([.. Enumerable.Repeat(1000.0, 9)]);
        rule.Add(1000, TimeSpan.FromMicroseconds(20));
        rule.Add(1000, SteadyRate.Bin / 2.1);
        Assert.False(rule.IsSteady);
        rule.Add(1000, SteadyRate.Bin / 2);
        Assert.True(rule.IsSteady);
    }

    private static SteadyRate RuleAfter(double[] rates)
    {
        var rule = new SteadyRate();
        Array.ForEach(rates, rule.Add);
        return rule;
    }
}
