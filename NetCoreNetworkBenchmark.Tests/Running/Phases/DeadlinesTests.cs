namespace NetCoreNetworkBenchmark.Tests.Running.Phases;

public sealed class DeadlinesTests
{
    private static readonly RunPlan s_plan = new() { Library = "Sockets", ConnectDeadline = TimeSpan.FromSeconds(7) };

    [Fact]
    public void OfRun_allows_each_group_of_load_generators_that_starts_at_the_same_time_its_deadline()
    {
        TimeSpan group = Deadlines.Process + s_plan.ConnectDeadline;
        TimeSpan first = Deadlines.OfRun(s_plan);
        Assert.Equal(first, Deadlines.OfRun(OnHosts(1)));
        Assert.Equal(first, Deadlines.OfRun(OnHosts(Deadlines.MaxStarting)));
        Assert.Equal(first + group, Deadlines.OfRun(OnHosts(Deadlines.MaxStarting + 1)));
        Assert.Equal(first + (2 * group), Deadlines.OfRun(OnHosts(3 * Deadlines.MaxStarting)));
    }

    [Fact]
    public void OfRun_allows_the_server_and_the_relay_their_deadlines_beside_the_load() => Assert.InRange(
        Deadlines.OfRun(s_plan) - Deadlines.OfConnecting(s_plan, loadGenerators: 1) - Deadlines.OfLoad(s_plan),
        (2 * Deadlines.Process) + (2 * Deadlines.Result),
        TimeSpan.MaxValue);

    private static RunPlan OnHosts(int count) => s_plan with
    {
        Hosts = new HostsPlan { ServerHost = "server", ClientHosts = [.. Enumerable.Range(0, count).Select(number => new ClientHost($"host{number}"))] },
    };
}
