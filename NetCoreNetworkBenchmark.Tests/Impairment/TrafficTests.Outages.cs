namespace NetCoreNetworkBenchmark.Tests.Impairment;

public sealed partial class TrafficTests
{
    [Fact]
    public void An_outage_loses_what_arrives_within_it_in_both_directions_and_nothing_else()
    {
        Traffic traffic = Begun(new ImpairmentPlan { Outage = new Interruption(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100)) });
        for (int millisecond = 0; millisecond < 300; millisecond++)
        {
            Arrive(FlowOf(traffic), millisecond);
            Arrive(new DatagramFlow(traffic.ToClients, Leave), -millisecond);
            Pass(traffic, 1);
        }

        int[] passed = [.. Enumerable.Range(0, 300).Where(millisecond => millisecond < 100 || millisecond % 100 >= 20)];
        Assert.Equal(passed.SelectMany(millisecond => (int[])[millisecond, -millisecond]), _left);
        Assert.Equal((40, 40, 2), (traffic.ToServer.Count(null).Dropped, traffic.ToClients.Count(null).Dropped, traffic.Outages.CountAt(_now - 1)));
        traffic.End(_now);
        _now += 10 * s_millisecond;
        Arrive(FlowOf(traffic), 1_000);
        Pass(traffic, 0);
        Assert.Equal(1_000, _left[^1]);
    }

    [Fact]
    public void What_arrived_before_an_outage_leaves_in_it()
    {
        var traffic = new Traffic(new ImpairmentPlan
        {
            Delay = TimeSpan.FromMilliseconds(10),
            Outage = new Interruption(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100)),
        });
        traffic.Begin(_now);
        Pass(traffic, 99);
        Arrive(FlowOf(traffic), 1);
        Pass(traffic, 10);
        Assert.Equal([1], _left);
    }

    [Fact]
    public void An_outage_does_not_change_the_fate_of_what_arrives_before_and_after_it()
    {
        var plan = new ImpairmentPlan { Loss = 0.2, LossBurst = 2, Duplicate = 0.2, Seed = 5 };
        int[] without = LeftOf(new Traffic(plan), 300, apart: 1);
        var outage = new Interruption(TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(100));
        int[] with = LeftOf(new Traffic(plan with { Outage = outage }), 300, apart: 1);
        Assert.Equal(without.Where(number => number < 100 || number % 100 >= 50), with);
        Assert.NotEqual(without, with);
    }
}
