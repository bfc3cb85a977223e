using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal abstract class AgentParticipant(AgentSource source) : IParticipant
{
    private AgentProcess? _agent;

    public string Name => _agent?.Name ?? "A process that is yet to start";
    public Task<Exception> Broken => _agent?.Broken ?? Faults.Never;
    public HostReport? Host => _agent is { Host: { } name, Facts: { } facts } ? new HostReport(name, facts, ClockStep) : null;
    public virtual bool CanSuspend => _agent is { CanSuspend: true };

    // The difference between two clocks of the host, when the figures were sent.
    private TimeSpan ClockStep { get; set; }
    protected AgentProcess Agent => _agent ?? throw new InvalidOperationException("The process has not been started.");

    public void Suspend() => Agent.Suspend();

    public void Resume() => Agent.Resume();

    public async Task<TimeSpan> ReadCompilationTimeAsync(CancellationToken cancellationToken) =>
        TimeSpan.FromSeconds((await Agent.RequestAsync<CompilationFrame>(new CompilationFrame(), cancellationToken)).Seconds!.Value);

    public void Dismiss() => Agent.Dismiss();

    public ValueTask DisposeAsync() => _agent is null ? ValueTask.CompletedTask : source.ReturnAsync(_agent);

    protected AgentProcess Start() => _agent = source.Take();

    protected Task<ResultFrame> StopAgentAsync()
    {
        Agent.Send(new StopFrame());
        return ResultAsync(Deadlines.Result, CancellationToken.None);
    }

    protected async Task<ResultFrame> ResultAsync(TimeSpan deadline, CancellationToken cancellationToken)
    {
        ResultFrame result = await Agent.ResultAsync(deadline, cancellationToken);
        ClockStep = result.ClockStep;
        return result;
    }
}

internal sealed class ServerAgent(RunPlan plan, AgentSource source, RunCredentials? credentials = null) : AgentParticipant(source), IServerHost
{
    public bool HasLiveFigures { get; set; }
    public double? UsedCores => Agent.UsedCores;

    public async Task<ServerAddress> StartAsync(CancellationToken cancellationToken)
    {
        RunCredentials? used = credentials ?? RunCredentials.For(plan);
        AgentProcess agent = Start();
        agent.HasLiveFigures = HasLiveFigures;
        string? endPoint = await agent.SendHelloAsync(plan, null, used?.Server, cancellationToken);
        return new ServerAddress(IPEndPoint.Parse(endPoint!), used?.Clients);
    }

    public async Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) =>
        (await Agent.RequestAsync<MemoryFrame>(new MemoryFrame(), cancellationToken)).Memory!;

    public void Enter(RunPhase phase) => Agent.Send(new PhaseFrame(phase));

    public void DiscardSlices() => Agent.Send(new DiscardFrame());

    public async Task<ServerReport?> StopAsync() => (await StopAgentAsync()).Server;
}

internal sealed class LoadGeneratorAgent(RunPlan plan, AgentSource source) : AgentParticipant(source), ILoadGenerator
{
    public async Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken)
    {
        AgentProcess process = Start();
        process.Coordinator = coordinator;
        await process.SendHelloAsync(plan, server.EndPoint.ToString(), server.ForClients, cancellationToken);
    }

    // If the user ends the run, the figures so far are requested.
    public async Task<ClientReport> LoadAsync(CancellationToken stop)
    {
        Agent.Send(new GoFrame());
        try
        {
            return (await ResultAsync(Deadlines.ForLoad(plan), stop)).Clients!;
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return await ReportAsync();
        }
    }

    public async Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken) =>
        (await Agent.RequestAsync<SliceFrame>(new SliceFrame(command), cancellationToken)).Report!;

    public async Task<ClientReport> ReportAsync() => (await StopAgentAsync()).Clients!;
}

internal sealed class RelayAgent(RunPlan plan, AgentSource source) : AgentParticipant(source), IRelayHost
{
    // Suspending a relay would add the pause to its delays.
    public override bool CanSuspend => false;

    public async Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken) =>
        IPEndPoint.Parse((await Start().SendHelloAsync(plan, server.ToString(), null, cancellationToken))!);

    public Task BeginAsync(CancellationToken cancellationToken) => Agent.RequestAsync<GoFrame>(new GoFrame(), cancellationToken);

    public async Task<RelayReport> StopAsync()
    {
        ResultFrame result = await StopAgentAsync();
        return new RelayReport(result.Relay!, result.Remarks);
    }
}

/// <summary>Starts the process of a participant, or takes an idle one of the pool, to which it returns after the run.</summary>
internal sealed class AgentSource(Func<AgentProcess> start, AgentPool? pool = null, (AgentRole Role, string Code) key = default)
{
    public AgentProcess Take() => pool?.TryTake(key) ?? start();

    /// <exception cref="BenchmarkException">The library of a process outside of the pool did not stop.</exception>
    public async ValueTask ReturnAsync(AgentProcess process)
    {
        if (pool is not null)
        {
            await pool.ReturnAsync(key, process);
            return;
        }

        await using AgentProcess ended = process;
        await process.StopAsync();
    }
}

/// <summary>Disposing ends the processes. Their code is warm from the second benchmark on.</summary>
internal sealed class AgentPool : IAsyncDisposable
{
    private readonly ConcurrentDictionary<(AgentRole Role, string Code), AgentProcess> _idle = new();

    public AgentSource Of(AgentRole role, RunPlan plan, Func<AgentProcess> start) => new(start, this, KeyOf(role, plan));

    public AgentProcess? TryTake((AgentRole Role, string Code) key) => _idle.TryRemove(key, out AgentProcess? process) ? process : null;

    public async Task ReturnAsync((AgentRole Role, string Code) key, AgentProcess process)
    {
        if (!await process.IsReadyAgainAsync() || !_idle.TryAdd(key, process))
        {
            await process.DisposeAsync();
        }
    }

    public async Task KeepAsync(IReadOnlyCollection<RunPlan> next)
    {
        foreach ((AgentRole Role, string Code) key in _idle.Keys.Where(key => !next.Any(plan => KeyOf(key.Role, plan) == key)))
        {
            if (TryTake(key) is { } process)
            {
                await process.DisposeAsync();
            }
        }
    }

    public async ValueTask DisposeAsync() => await KeepAsync([]);

    // A process has the code of one library: what another one left in it, such as its profile of shared code, would be in the figures.
    private static (AgentRole Role, string Code) KeyOf(AgentRole role, RunPlan plan) =>
        (role, role == AgentRole.Client && plan.ClientLibrary is { } clients ? $"{LibraryResult.NameOf(plan)} by {clients}" : LibraryResult.NameOf(plan));
}
