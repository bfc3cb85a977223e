using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>
/// The participants of one plan from their start to their reports. What happens between is a <see cref="Run"/>, or a <see cref="SlicedRun"/>. Several may be
/// open at a time. Disposing ends the participants.
/// </summary>
internal sealed class OpenRun(RunPlan plan, LibraryInfo library, IWorkload workload, ParticipantGroup participants) : ICoordinator, IAsyncDisposable
{
    private readonly StepBarrier _barrier = new(participants.LoadGenerators.Count);
    private readonly Lock _entering = new();
    private readonly Dictionary<RunPhase, int> _entered = [];
    private readonly Dictionary<string, RunProgress> _watched = [];
    private Fitness? _fitness;
    private ServerAddress? _server;
    private ServerMemory? _memory;
    private long _firstMeasure;
    private TimeSpan? _startSkew;

    public Fitness? Fitness { get; init; }
    public Action<RunProgress>? Progress { get; init; }

    public bool HasLiveFigures { get; init; }

    bool ICoordinator.HasOtherLoadGenerators => participants.LoadGenerators.Count > 1;

    /// <summary>Starts the server and connects the clients.</summary>
    /// <exception cref="BenchmarkException">A participant could not start, or not all clients connected. All participants have ended.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        _fitness = Fitness ?? FitnessInspector.Inspect(plan);
        participants.Server.HasLiveFigures = HasLiveFigures;
        try
        {
            _server = await participants.WaitForAsync(
                "The server's start", participants.Server.StartAsync(cancellationToken), Deadlines.Process, cancellationToken);
            ProcessMemory? unconnected = await ReadMemoryAsync(cancellationToken);
            await ConnectAsync(_server, cancellationToken);
            ProcessMemory? idle = await ReadMemoryAsync(cancellationToken);
            _memory = unconnected is null || idle is null
                ? null
                : new ServerMemory(unconnected.ResidentBytes, idle.ResidentBytes, unconnected.ManagedBytes, idle.ManagedBytes, plan.Clients);
            if (participants.Relay is { } relay)
            {
                // Before the first message, so that the relay counts the whole load.
                await participants.WaitForAsync("The begin of the relay", relay.BeginAsync(cancellationToken), Deadlines.Process, cancellationToken);
            }
        }
        catch
        {
            await EndAfterFaultAsync();
            throw;
        }
    }

    public Task<T[]> OfAllAsync<T>(string what, IEnumerable<Task<T>> answers, TimeSpan deadline) =>
        participants.AllAsync(what, participants.LoadGenerators, [.. answers], deadline, CancellationToken.None);

    /// <summary>The load generators then enter the phases once more.</summary>
    public void BeginSlice()
    {
        lock (_entering)
        {
            _entered.Clear();
        }
    }

    /// <summary>Stops the relay and the server. After a fault of the load, what a host does not report is missing.</summary>
    public async Task<RunMeasurements> StopAsync(LoadReports load)
    {
        List<MissingHost> missing = [.. load.Missing];
        RelayReport? relayed = participants.Relay is null ? null : await ReportOfAsync(participants.Relay.StopAsync(), host: null);
        ServerReport? served = await ReportOfAsync(participants.Server.StopAsync(), plan.Hosts.ServerHost);
        if (load.Fault is null)
        {
            participants.Dismiss();
        }

        return new RunMeasurements
        {
            Plan = plan,
            Library = library,
            Workload = workload,
            EndPoint = _server!.EndPoint,
            LoadGenerators = load.Clients,
            Server = served,
            ServerRemark = participants.Server.Remark,
            ServerMemory = _memory,
            OneProcess = participants.IsOneProcess,
            Relay = relayed,
            Fitness = _fitness!,
            ServerHost = participants.Server.Host,
            GeneratorHosts = load.Hosts,
            StartSkew = _startSkew,
            MissingHosts = missing,
            Fault = load.Fault,
        };

        // After a fault, every participant that lives is requested to report, and has the time that it needs. The wait for one that does not live ends by
        // itself.
        async Task<T?> ReportOfAsync<T>(Task<T> report, string? host)
            where T : class?
        {
            if (load.Fault is null)
            {
                return await participants.WaitForAsync("The report of a process", report, Deadlines.Result, CancellationToken.None);
            }

            try
            {
                return await report;
            }
            catch (BenchmarkException exception)
            {
                missing.AddRange(host is null ? [] : [new MissingHost(host, null, exception.Message)]);
                return null;
            }
        }
    }

    public ValueTask DisposeAsync() => participants.DisposeAsync();

    /// <summary>A participant that then cannot be ended must not hide the reason why the run failed.</summary>
    public async Task EndAfterFaultAsync() => await DisposeAsync().AsTask().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    void ICoordinator.Report(RunProgress progress) => Progress?.Invoke(
        progress.Figures is null ? progress : progress with { Figures = FiguresOfAll(progress) });

    void ICoordinator.Enter(RunPhase phase)
    {
        int entered;
        lock (_entering)
        {
            _entered[phase] = entered = _entered.GetValueOrDefault(phase) + 1;
            CountSkew(phase, entered);
        }

        if (entered == GeneratorsBefore(phase))
        {
            participants.Relay?.Enter(phase);
            participants.Server.Enter(phase);
        }
    }

    Task ICoordinator.StepAsync(CancellationToken cancellationToken) => _barrier.ArriveAsync().WaitAsync(cancellationToken);

    // The last figures of each host in the same phase.
    private LiveFigures FiguresOfAll(RunProgress progress)
    {
        lock (_watched)
        {
            _watched[progress.Host ?? string.Empty] = progress;
            var all = LiveFigures.Merge([.. _watched.Values.Where(other => other.Phase == progress.Phase).Select(other => other.Figures!)]);
            return participants.IsOneProcess
                ? all with { ClientCores = null, CoresOfBoth = all.ClientCores }
                : all with { ServerCores = participants.Server.UsedCores };
        }
    }

    // The number of load generators with which the server enters a phase: with the last or with the first one. So the server's figures are of the same length
    // as those of a load generator, all loads are full meanwhile, and its pauses are the time in which all are paused.
    private int GeneratorsBefore(RunPhase phase) => phase switch
    {
        RunPhase.Measure or RunPhase.Drain or RunPhase.Paused => participants.LoadGenerators.Count,

        // WarmUp ends a pause.
        _ => 1,
    };

    private void CountSkew(RunPhase phase, int entered)
    {
        bool isMeasure = phase == RunPhase.Measure;
        _firstMeasure = isMeasure && entered == 1 ? Stopwatch.GetTimestamp() : _firstMeasure;
        if (isMeasure && entered > 1 && entered == participants.LoadGenerators.Count)
        {
            TimeSpan skew = Stopwatch.GetElapsedTime(_firstMeasure);
            _startSkew = skew > _startSkew.GetValueOrDefault() ? skew : _startSkew;
        }
    }

    private async Task<ProcessMemory?> ReadMemoryAsync(CancellationToken cancellationToken) => workload.FindsMostClients
        ? await participants.WaitForAsync(
            "The reading of the server's memory", participants.Server.ReadMemoryAsync(cancellationToken), Deadlines.Result, cancellationToken)
        : null;

    private async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        IPEndPoint target = participants.Relay is not { } relay
            ? server.EndPoint
            : await participants.WaitForAsync(
                "The relay's start", relay.StartAsync(server.EndPoint, cancellationToken), Deadlines.Process, cancellationToken);
        TimeSpan deadline = Deadlines.ForConnecting(plan, participants.LoadGenerators.Count);
        await participants.ConnectAsync(server with { EndPoint = target }, this, deadline, cancellationToken);
    }
}

/// <param name="Clients">The reports of the load generators that have measured.</param>
/// <param name="Hosts">Their hosts; null for this machine.</param>
internal sealed record LoadReports(IReadOnlyList<ClientReport> Clients, IReadOnlyList<HostReport?> Hosts)
{
    /// <summary>Why one of several hosts has no report; null if all have one.</summary>
    public string? Fault { get; init; }

    public IReadOnlyList<MissingHost> Missing { get; init; } = [];

    public static LoadReports From(IReadOnlyList<(ClientReport Report, ILoadGenerator Generator)> loads) =>
        new([.. loads.Select(load => load.Report)], [.. loads.Select(load => load.Generator.Host)]);
}
