namespace NetCoreNetworkBenchmark.Tests.Running.Phases;

public sealed class DeadlinesTests
{
    private static readonly RunPlan s_plan = new() { Library = "Sockets", ConnectDeadline = TimeSpan.FromSeconds(7) };

    [Fact]
    public void ForRun_allows_each_group_of_load_generators_that_starts_at_the_same_time_its_deadline()
    {
        TimeSpan group = Deadlines.Process + s_plan.ConnectDeadline;
        TimeSpan first = Deadlines.ForRun(s_plan);
        Assert.Equal(first, Deadlines.ForRun(OnHosts(1)));
        Assert.Equal(first, Deadlines.ForRun(OnHosts(Deadlines.MaxStarting)));
        Assert.Equal(first + group, Deadlines.ForRun(OnHosts(Deadlines.MaxStarting + 1)));
        Assert.Equal(first + (2 * group), Deadlines.ForRun(OnHosts(3 * Deadlines.MaxStarting)));
    }

    [Fact]
    public void ForRun_allows_the_server_and_the_relay_their_deadlines_beside_the_load() => Assert.InRange(
        Deadlines.ForRun(s_plan) - Deadlines.ForConnecting(s_plan, loadGenerators: 1) - Deadlines.ForLoad(s_plan),
        (2 * Deadlines.Process) + (2 * Deadlines.Result),
        TimeSpan.MaxValue);

    [Fact]
    public void ForLossInSlices_is_short_for_an_open_loop_without_retransmission_and_has_the_round_trip_of_the_path()
    {
        var path = new ImpairmentPlan
        {
            Loss = 0.01,
            Delay = TimeSpan.FromMilliseconds(100),
            Jitter = TimeSpan.FromMilliseconds(50),
            Stall = new Interruption(TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(1)),
        };
        RunPlan lossy = s_plan with { Rate = 100, Impairment = path };
        Assert.Equal(TimeSpan.FromMilliseconds(1_320), Deadlines.ForLossInSlices(lossy));
        RunPlan[] others =
        [
            lossy with { Rate = null },
            lossy with { Transmission = Transmission.Reliable },
            lossy with { Impairment = new ImpairmentPlan() },
            lossy with { Impairment = path with { BandwidthBitsPerSecond = 1_000_000 } },
            lossy with { Impairment = path with { Delay = TimeSpan.FromSeconds(10) } },
        ];
        Assert.All(others, plan => Assert.Equal(s_plan.LossDeadline, Deadlines.ForLossInSlices(plan)));
    }

    private static RunPlan OnHosts(int count) => s_plan with
    {
        Hosts = new HostsPlan { ServerHost = "server", ClientHosts = [.. Enumerable.Range(0, count).Select(number => new ClientHost($"host{number}"))] },
    };
}
