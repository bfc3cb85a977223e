namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed class UpdateTimesTests
{
    private const long First = 1_000_000;
    private static readonly long s_interval = Stopwatch.Frequency / 100;
    private static readonly UpdateTimes s_updates = new(First, rate: 100);

    [Fact]
    public void AtOrAfter_gives_the_time_itself_or_that_of_the_next_update()
    {
        Assert.Equal((First, First + s_interval), (s_updates.AtOrAfter(First), s_updates.AtOrAfter(First + 1)));
        Assert.Equal((First + s_interval, First), (s_updates.AtOrAfter(First + s_interval), s_updates.AtOrAfter(First - s_interval + 1)));
        Assert.Equal(First - s_interval, s_updates.AtOrAfter(First - s_interval));
    }

    [Fact]
    public void After_gives_the_next_update_which_is_due_already_if_this_one_lasted_longer_than_the_interval()
    {
        Assert.Equal((First + s_interval, First + s_interval), (s_updates.After(First, First), s_updates.After(First, First + s_interval - 1)));
        Assert.Equal(First + s_interval, s_updates.After(First, First + s_interval + 1));
        Assert.Equal(First + (3 * s_interval), s_updates.After(First, First + (3 * s_interval) + 1));
    }

    [Fact]
    public void A_rate_is_above_0() => Assert.Throws<ArgumentOutOfRangeException>(() => new UpdateTimes(First, rate: 0));
}
