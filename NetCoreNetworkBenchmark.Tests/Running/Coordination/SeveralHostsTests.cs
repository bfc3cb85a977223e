using NetCoreNetworkBenchmark.Microbenchmarks.Memory;
using NetCoreNetworkBenchmark.Tests.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

/// <summary>A run over several hosts whose participants are fakes: one breaks, or they measure at different times.</summary>
public sealed class SeveralHostsTests
{
    // Longer than any time in which the coordinator could expect an answer at once.
    private static readonly TimeSpan s_slow = TimeSpan.FromSeconds(2);

    private static readonly RunPlan s_plan = new()
    {
        Library = "Memory",
        Clients = 20,
        Hosts = new HostsPlan { ServerHost = "host-a", ClientHosts = [new ClientHost("host-b", 3), new ClientHost("host-c", 1), new ClientHost("host-d", 1)] },
    };

    [Fact]
    public async Task LoadAsync_keeps_a_host_that_answers_late_and_names_each_host_without_a_result()
    {
        RunResult result = await RunAsync(
            new FakeServer(Task.FromResult<ServerReport?>(SampleFrames.Server)),
            new FakeLoadGenerator("host-b", async stopped =>
            {
                await stopped;
                await Task.Delay(s_slow);
                return ReportOf(12, 300);
            }),
            new FakeLoadGenerator("host-c", _ => throw new BenchmarkException("It is frozen.")),
            new FakeLoadGenerator("host-d", async stopped =>
            {
                await stopped;
                throw new BenchmarkException("It has no figures either.");
            }));
        Assert.Equal("It is frozen.", result.InvalidReasons[0]);
        Assert.Contains("host-c has no figures (4 clients).", result.InvalidReasons);
        Assert.Contains("host-d has no figures (4 clients): It has no figures either.", result.InvalidReasons);
        HostResult kept = Assert.Single(result.Hosts!.Clients);
        Assert.Equal(("host-b", 12, 300, 0.6, null), (kept.Host, kept.Clients, kept.Messages, kept.DueShare, kept.Share));
        Assert.Equal(["host-c", "host-d"], result.Hosts.Missing!.Select(host => host.Host));
    }

    [Fact]
    public async Task LoadAsync_names_the_server_that_does_not_report_after_a_fault()
    {
        RunResult result = await RunAsync(
            new FakeServer(Task.FromException<ServerReport?>(new BenchmarkException("It is frozen."))),
            new FakeLoadGenerator("host-b", async stopped =>
            {
                await stopped;
                return ReportOf(12, 300);
            }),
            new FakeLoadGenerator("host-c", async stopped =>
            {
                await stopped;
                return ReportOf(4, 100);
            }),
            new FakeLoadGenerator("host-d", _ => throw new BenchmarkException("The server is frozen.")));
        Assert.Contains("host-a has no figures (the server): It is frozen.", result.InvalidReasons);
        Assert.Equal(ServerKind.Own, result.ServerKind);
        Assert.Null(result.Hosts!.Server);
        Assert.Equal(["host-d", "host-a"], result.Hosts.Missing!.Select(host => host.Host));
    }

    [Fact]
    public async Task Server_counts_from_the_last_begin_to_the_last_end_of_the_load_generators()
    {
        var server = new FakeServer(Task.FromResult<ServerReport?>(SampleFrames.Server));
        var first = new FakeLoadGenerator("host-b", _ => Task.FromResult(ReportOf(10, 100)));
        var second = new FakeLoadGenerator("host-c", _ => Task.FromResult(ReportOf(10, 100)));
        var participants = new ParticipantGroup { Server = server, LoadGenerators = [first, second] };
        await using Run run = await RunOf(participants).OpenAsync(TestContext.Current.CancellationToken);
        await first.Coordinator!.EnterAsync(RunPhase.Measure);
        Assert.Empty(server.Entered);
        await second.Coordinator!.EnterAsync(RunPhase.Measure);
        Assert.Equal([RunPhase.Measure], server.Entered);
        await second.Coordinator.EnterAsync(RunPhase.Drain);
        Assert.Equal([RunPhase.Measure], server.Entered);
        await first.Coordinator.EnterAsync(RunPhase.Drain);
        Assert.Equal([RunPhase.Measure, RunPhase.Drain], server.Entered);
    }

    private static async Task<RunResult> RunAsync(IServerHost server, params ILoadGenerator[] drivers)
    {
        var participants = new ParticipantGroup { Server = server, LoadGenerators = drivers };
        return await RunOf(participants).RunAsync(TestContext.Current.CancellationToken)
            .WaitAsync(ChannelPair.Deadline, TestContext.Current.CancellationToken);
    }

    private static Run RunOf(ParticipantGroup participants) =>
        new(s_plan, new MemoryBenchmark().Info, new PingPong(), participants) { Fitness = new Fitness { Warnings = [] } };

    private static ClientReport ReportOf(int clients, long messages) => SampleFrames.Clients with
    {
        Clients = clients,
        Measured = new MessageCounters { ClientSent = messages, ClientReceived = messages },
        DurationSeconds = 1,
        Aborted = true,
    };

    private static HostReport HostOf(string name) => new(
        name,
        new HostFacts
        {
            ProcessId = 1,
            MachineName = name,
            BootId = name,
            Clock = DateTimeOffset.UnixEpoch,
            Environment = MachineInspector.Inspect(),
            Fitness = new Fitness { Warnings = [] },
        },
        TimeSpan.Zero);

    private abstract class FakeParticipant(string name) : IParticipant
    {
        public Task<Exception> Broken => Breaking.Task;
        public HostReport? Host { get; } = HostOf(name);
        protected TaskCompletionSource<Exception> Breaking { get; } = new();

        public Task DismissAsync() => Task.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    private sealed class FakeServer(Task<ServerReport?> report) : FakeParticipant("host-a"), IServerHost
    {
        public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) =>
            Task.FromResult(new ServerAddress(new IPEndPoint(IPAddress.Loopback, 1), null));

        public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public List<RunPhase> Entered { get; } = [];

        public Task EnterAsync(RunPhase phase)
        {
            Entered.Add(phase);
            return Task.CompletedTask;
        }

        public Task<ServerReport?> StopAsync() => report;
    }

    /// <param name="name">The name of the host.</param>
    /// <param name="load">The load. Its task ends when the load is to be ended.</param>
    private sealed class FakeLoadGenerator(string name, Func<Task, Task<ClientReport>> load) : FakeParticipant(name), ILoadGenerator
    {
        public ICoordinator? Coordinator { get; private set; }

        public Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken)
        {
            Coordinator = coordinator;
            return Task.CompletedTask;
        }

        public async Task<ClientReport> LoadAsync(CancellationToken stop)
        {
            var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            using CancellationTokenRegistration registration = stop.Register(stopped.SetResult);
            await Task.Yield();
            try
            {
                return await load(stopped.Task);
            }
            catch (BenchmarkException exception)
            {
                Breaking.TrySetResult(exception);
                throw;
            }
        }

        public Task<SliceReport> SliceAsync(SliceRequest request, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<ClientReport> ReportAsync() => throw new NotSupportedException();
    }
}
