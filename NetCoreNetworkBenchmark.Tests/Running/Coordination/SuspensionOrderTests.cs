using NetCoreNetworkBenchmark.Microbenchmarks.Memory;

namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

/// <summary>The order in which a slice ends and its processes are suspended, with fakes for both sides.</summary>
public sealed class SuspensionOrderTests
{
    [Fact]
    public async Task SliceAsync_suspends_the_server_after_it_has_handled_the_end_of_the_measurement()
    {
        var server = new FakeServer();
        var participants = new ParticipantGroup { Server = server, LoadGenerators = [new FakeLoadGenerator()] };
        var plan = new RunPlan { Library = "Memory", Clients = 1 };
        await using Run run = await new Run(plan, new MemoryBenchmark().Info, new PingPong(), participants) { Fitness = new Fitness { Warnings = [] } }
            .OpenAsync(TestContext.Current.CancellationToken);
        await run.SliceAsync(TimeSpan.Zero, TimeSpan.Zero, TestContext.Current.CancellationToken);
        Assert.Equal([nameof(RunPhase.Measure), nameof(RunPhase.Drain), nameof(FakeServer.Suspend)], server.Handled);
    }

    private abstract class FakeParticipant : IParticipant
    {
        public Task<Exception> Broken { get; } = new TaskCompletionSource<Exception>().Task;
        public bool CanSuspend => true;

        public virtual void Suspend()
        {
        }

        public void Resume()
        {
        }

        public virtual Task<TimeSpan> ReadCompilationTimeAsync(CancellationToken cancellationToken) => Task.FromResult(TimeSpan.Zero);

        public Task DismissAsync() => Task.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    /// <summary>As a process does, it takes a phase at once, and handles it before it answers what it is asked later.</summary>
    private sealed class FakeServer : FakeParticipant, IServerHost
    {
        private readonly Queue<RunPhase> _taken = new();

        public List<string> Handled { get; } = [];

        public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) =>
            Task.FromResult(new ServerAddress(new IPEndPoint(IPAddress.Loopback, 1), null));

        public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task EnterAsync(RunPhase phase)
        {
            _taken.Enqueue(phase);
            return Task.CompletedTask;
        }

        public override Task<TimeSpan> ReadCompilationTimeAsync(CancellationToken cancellationToken)
        {
            while (_taken.TryDequeue(out RunPhase phase))
            {
                Handled.Add($"{phase}");
            }

            return base.ReadCompilationTimeAsync(cancellationToken);
        }

        public override void Suspend() => Handled.Add(nameof(Suspend));

        public Task<ServerReport?> StopAsync() => throw new NotSupportedException();
    }

    private sealed class FakeLoadGenerator : FakeParticipant, ILoadGenerator
    {
        private ICoordinator? _coordinator;

        public Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken)
        {
            _coordinator = coordinator;
            return Task.CompletedTask;
        }

        public async Task<SliceReport> SliceAsync(SliceRequest request, CancellationToken cancellationToken)
        {
            await _coordinator!.EnterAsync(RunPhase.Measure);
            await _coordinator.EnterAsync(RunPhase.Drain);
            return new SliceReport(1, 1, 0, 0, 0);
        }

        public Task<ClientReport> LoadAsync(CancellationToken stop) => throw new NotSupportedException();

        public Task<ClientReport> ReportAsync() => throw new NotSupportedException();
    }
}
