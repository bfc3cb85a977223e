using NetCoreNetworkBenchmark.Libraries.Sockets;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

public sealed class AgentPoolTests
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Test = "PingPong",
        Port = 0,
        Clients = 5,
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = TimeSpan.FromMilliseconds(200),
        AnyMachine = true,
    };

    private int _started;

    [Fact]
    public async Task A_second_run_has_the_processes_of_the_first_and_figures_of_its_own()
    {
        await using var pool = new AgentPool();
        RunResult first = await RunAsync(pool, s_plan);
        RunResult second = await RunAsync(pool, s_plan with { Clients = 3 });
        Assert.Equal(2, _started);
        Assert.All((RunResult[])[first, second], result => Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue));
        Assert.Equal(second.Totals.Sent, second.Totals.Received);
    }

    [Fact]
    public async Task Processes_that_the_next_benchmark_does_not_use_end()
    {
        await using var pool = new AgentPool();
        await RunAsync(pool, s_plan);
        await pool.KeepAsync([s_plan with { Library = "Another" }]);
        await RunAsync(pool, s_plan);
        Assert.Equal(4, _started);
    }

    [Fact]
    public async Task Processes_have_the_clients_of_one_library()
    {
        RunPlan plan = s_plan with { Protocol = Protocol.Tcp, Transmission = Transmission.Reliable };
        await using var pool = new AgentPool();
        await RunAsync(pool, plan);
        await pool.KeepAsync([plan with { ClientLibrary = "Epoll" }]);
        await RunAsync(pool, plan);
        Assert.Equal(3, _started);
    }

    [Fact]
    public async Task Processes_of_a_run_that_did_not_end_are_not_used_again()
    {
        await using var pool = new AgentPool();
        Run broken = await OpenAsync(pool, s_plan);
        await broken.DisposeAsync();
        await RunAsync(pool, s_plan);
        Assert.Equal(4, _started);
    }

    [Fact]
    public async Task A_process_on_another_host_starts_there_and_not_in_the_pool()
    {
        await using var pool = new AgentPool();
        RunPlan plan = s_plan with { Hosts = new HostsPlan { ServerHost = "nowhere", Launcher = Launcher.Namespaces } };
        await using ParticipantGroup participants = Placement.InFreshProcesses(plan, pool: pool);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => participants.Server.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains("on nowhere", exception.Message, StringComparison.Ordinal);
    }

    private async Task<RunResult> RunAsync(AgentPool pool, RunPlan plan)
    {
        Run run = await OpenAsync(pool, plan);
        await using (run)
        {
            await run.LoadAsync(TestContext.Current.CancellationToken);
            return await run.FinishAsync();
        }
    }

    private Task<Run> OpenAsync(AgentPool pool, RunPlan plan)
    {
        ParticipantGroup participants = AgentsUnderTest.In(pool, plan, () => Interlocked.Increment(ref _started));
        return new Run(plan, new SocketsBenchmark().Info, new PingPong(), participants).OpenAsync(TestContext.Current.CancellationToken);
    }
}
