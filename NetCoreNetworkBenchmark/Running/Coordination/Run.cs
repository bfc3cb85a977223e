using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>One plan from its start to its result. Several runs may be open at a time. Disposing ends the participants.</summary>
/// <remarks>
/// The methods are called in one of two orders:
/// <code>
/// a whole run    RunAsync, which is OpenAsync, LoadAsync, FinishAsync and DisposeAsync
/// in slices      OpenAsync, SuspendAsync, WarmUpAsync until IsJitQuiet, SliceAsync for each slice, DrainAsync, CollectAsync, DisposeAsync
/// </code>
/// </remarks>
/// <param name="library">The server's library, as driven by the clients' library.</param>
/// <param name="participants">They end with the run, or at once if it cannot start.</param>
internal sealed class Run(RunPlan plan, LibraryInfo library, IWorkload workload, ParticipantGroup participants) : ICoordinator, IAsyncDisposable
{
    private static readonly TimeSpan s_burst = TimeSpan.FromSeconds(0.15);

    // The largest share of a burst and its rest in which the JIT compilers of a warm case run.
    private const double QuietShare = 0.1;

    // The JIT compilers begin after a tenth of a second without new code (TieredCompilation.BackgroundWorkerTimeoutMs).
    private static readonly TimeSpan s_rest = TimeSpan.FromSeconds(0.11);

    private readonly StepBarrier _barrier = new(participants.LoadGenerators.Count);
    private readonly Lock _entering = new();
    private readonly Dictionary<RunPhase, int> _entered = [];
    private readonly List<MissingHost> _missing = [];
    private readonly Dictionary<string, RunProgress> _watched = [];
    private Fitness? _fitness;
    private ServerAddress? _server;
    private ServerMemory? _memory;
    private ClientReport[]? _measured;
    private HostReport?[]? _measuredHosts;
    private long _firstMeasure;
    private TimeSpan? _startSkew;
    private string? _fault;
    private TimeSpan? _compiled;
    private bool _suspended;
    private bool _discardsEarlier;

    // A heartbeat that is late ends a connection.
    private bool MaySuspend => participants.CanSuspend && plan.Liveness.Heartbeat is null;

    public Fitness? Fitness { get; init; }
    public Action<RunProgress>? Progress { get; init; }

    public bool HasLiveFigures { get; init; }

    /// <summary>The processes are then suspended. Otherwise, the load is drained before each pause.</summary>
    public bool StaysInFlight => MaySuspend && workload.MayBeSuspendedInFlight(plan);
    public IReadOnlyList<ServerSlice> ServerSlices { get; private set; } = [];

    /// <summary>In the last burst of the warm-up; null without one.</summary>
    public bool? IsJitQuiet { get; private set; }

    bool ICoordinator.HasOtherLoadGenerators => participants.LoadGenerators.Count > 1;

    /// <param name="cancellationToken">Ends the current phase. The figures so far are kept, and the result is marked as aborted.</param>
    /// <exception cref="OperationCanceledException">The run was cancelled before anything was measured.</exception>
    public async Task<RunResult> RunAsync(CancellationToken cancellationToken)
    {
        await OpenAsync(cancellationToken);
        RunResult result;
        try
        {
            await LoadAsync(cancellationToken);
            result = await FinishAsync();
        }
        catch
        {
            await EndAfterFaultAsync();
            throw;
        }

        try
        {
            await DisposeAsync();
            return result;
        }
        catch (Exception exception)
        {
            // What was measured is kept.
            return result with { Verdict = result.Verdict with { Faults = [.. result.Verdict.Faults, ParticipantGroup.NotEnded(exception)] } };
        }
    }

    /// <exception cref="BenchmarkException">A participant could not start, or not all clients connected. All participants have ended.</exception>
    public async Task<Run> OpenAsync(CancellationToken cancellationToken)
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

            return this;
        }
        catch
        {
            await EndAfterFaultAsync();
            throw;
        }
    }

    /// <summary>If the user ends the run, or one of several hosts fails, the figures so far are kept.</summary>
    public async Task LoadAsync(CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<ClientReport>[] loads = [.. participants.LoadGenerators.Select(generator => generator.LoadAsync(stop.Token))];
        try
        {
            _measured = await OfAllAsync("The load", loads, Deadlines.ForLoad(plan));
            _measuredHosts = [.. participants.LoadGenerators.Select(generator => generator.Host)];
        }
        catch (BenchmarkException exception) when (!plan.Hosts.IsNone)
        {
            _fault = exception.Message;
            await stop.CancelAsync();
            await KeepFiguresOfOthersAsync(loads);
            if (_measured!.All(report => report.DurationSeconds == 0))
            {
                throw;
            }
        }
    }

    /// <summary>The figures of the burst are discarded. After a rest, <see cref="IsJitQuiet"/> is set.</summary>
    public async Task<TimeSpan> WarmUpAsync(CancellationToken cancellationToken)
    {
        ResumeProcesses();
        _compiled ??= await participants.ReadCompilationTimeAsync(cancellationToken);
        long begin = Stopwatch.GetTimestamp();
        if (workload.EndsWhenDone(plan))
        {
            await RunSliceAsync(new WarmUpCommand(), s_burst, cancellationToken);
        }
        else
        {
            await SliceAsync(TimeSpan.Zero, s_burst, isWarmUp: true, cancellationToken);
            _discardsEarlier = true;
        }

        await Task.Delay(s_rest, cancellationToken);
        TimeSpan compiled = await participants.ReadCompilationTimeAsync(cancellationToken);
        TimeSpan duration = Stopwatch.GetElapsedTime(begin);
        (IsJitQuiet, _compiled) = (compiled - _compiled <= QuietShare * duration, compiled);
        await SuspendAsync(cancellationToken);
        return duration;
    }

    /// <param name="cancellationToken">Ends the wait for the slice. The run can then only be disposed.</param>
    public async Task<SliceReport> SliceAsync(TimeSpan settle, TimeSpan length, CancellationToken cancellationToken)
    {
        ResumeProcesses();
        SliceReport report = await SliceAsync(settle, length, isWarmUp: false, cancellationToken);
        await SuspendAsync(cancellationToken);
        return report;
    }

    public async Task SuspendAsync(CancellationToken cancellationToken)
    {
        if (!MaySuspend || _suspended)
        {
            return;
        }

        // The server answers when it has handled the end of the measurement, which would otherwise contain the suspension.
        await participants.WaitForAsync(
            "The server's slice", participants.Server.ReadCompilationTimeAsync(cancellationToken), Deadlines.Result, cancellationToken);
        participants.Suspend();
        _suspended = true;
    }

    public Task DrainAsync()
    {
        ResumeProcesses();
        return StaysInFlight ? RunSliceAsync(new EndCommand(), TimeSpan.Zero, CancellationToken.None) : Task.CompletedTask;
    }

    /// <summary>The load ran in slices and is drained.</summary>
    public async Task<RunResult> CollectAsync()
    {
        _measured = await OfAllAsync("The clients' report", participants.LoadGenerators.Select(generator => generator.ReportAsync()), Deadlines.Result);
        return await FinishAsync();
    }

    public async Task<RunResult> FinishAsync()
    {
        RelayReport? relayed = participants.Relay is null ? null : await StopAsync(participants.Relay.StopAsync(), host: null);
        ServerReport? served = await StopAsync(participants.Server.StopAsync(), plan.Hosts.ServerHost);
        if (_fault is null)
        {
            participants.Dismiss();
        }

        ServerSlices = served?.Slices ?? [];
        RunResult result = ResultBuilder.Build(new RunMeasurements
        {
            Plan = plan,
            Library = library,
            Workload = workload,
            EndPoint = _server!.EndPoint,
            LoadGenerators = _measured ?? throw new InvalidOperationException("Nothing was measured."),
            Server = served,
            ServerRemark = participants.Server.Remark,
            ServerMemory = _memory,
            OneProcess = participants.IsOneProcess,
            Relay = relayed,
            Fitness = _fitness!,
            ServerHost = participants.Server.Host,
            GeneratorHosts = _measuredHosts ?? [.. participants.LoadGenerators.Select(generator => generator.Host)],
            StartSkew = _startSkew,
            MissingHosts = _missing,
            Fault = _fault,
        });
        return IsJitQuiet is { } isQuiet ? result with { Clients = result.Clients with { WarmUpSteady = isQuiet } } : result;
    }

    public ValueTask DisposeAsync() => participants.DisposeAsync();

    // A participant that then cannot be ended must not hide the reason why the run failed.
    private async Task EndAfterFaultAsync() => await DisposeAsync().AsTask().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    void ICoordinator.Report(RunProgress progress) => Progress?.Invoke(
        progress.Figures is null ? progress : progress with { Figures = FiguresOfAll(progress) });

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

    // The number of load generators with which the server enters a phase: with the last or with the first one. So the server's figures are of the same length
    // as those of a load generator, all loads are full meanwhile, and its pauses are the time in which all are paused.
    private int GeneratorsBefore(RunPhase phase) => phase switch
    {
        RunPhase.Measure or RunPhase.Drain or RunPhase.Paused => participants.LoadGenerators.Count,

        // WarmUp ends a pause.
        _ => 1,
    };

    Task ICoordinator.StepAsync(CancellationToken cancellationToken) => _barrier.ArriveAsync().WaitAsync(cancellationToken);

    private async Task<SliceReport> SliceAsync(TimeSpan settle, TimeSpan length, bool isWarmUp, CancellationToken cancellationToken)
    {
        bool discardsEarlier = _discardsEarlier && !isWarmUp;
        if (discardsEarlier)
        {
            participants.Server.DiscardSlices();
        }

        var command = new MeasureCommand(settle.TotalSeconds, length.TotalSeconds, StaysInFlight, discardsEarlier);
        SliceReport report = await RunSliceAsync(command, settle + length, cancellationToken);
        _discardsEarlier &= isWarmUp;
        return report;
    }

    private void ResumeProcesses()
    {
        if (_suspended)
        {
            participants.Resume();
            _suspended = false;
        }
    }

    private async Task<SliceReport> RunSliceAsync(SliceCommand command, TimeSpan length, CancellationToken cancellationToken)
    {
        lock (_entering)
        {
            _entered.Clear();
        }

        IEnumerable<Task<SliceReport>> slices = participants.LoadGenerators.Select(generator => generator.SliceAsync(command, cancellationToken));
        return SliceReport.Merge(await OfAllAsync("A slice", slices, length + Deadlines.ForLoad(plan)));
    }

    // After a fault, every participant that lives is requested to report, and has the time that it needs. The wait for one that does not live ends by itself.
    private async Task<T?> StopAsync<T>(Task<T> report, string? host)
        where T : class?
    {
        if (_fault is null)
        {
            return await participants.WaitForAsync("The report of a process", report, Deadlines.Result, CancellationToken.None);
        }

        try
        {
            return await report;
        }
        catch (BenchmarkException exception)
        {
            _missing.AddRange(host is null ? [] : [new MissingHost(host, null, exception.Message)]);
            return null;
        }
    }

    private async Task KeepFiguresOfOthersAsync(Task<ClientReport>[] loads)
    {
        await ((Task)Task.WhenAll(loads)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        (Task<ClientReport> Load, ILoadGenerator Generator)[] kept =
            [.. loads.Zip(participants.LoadGenerators).Where(pair => pair.First.IsCompletedSuccessfully)];
        _measured = [.. kept.Select(pair => pair.Load.Result)];
        _measuredHosts = [.. kept.Select(pair => pair.Generator.Host)];
        _missing.AddRange(
            from pair in loads.Zip(plan.Hosts.PartsOf(plan.Clients))
            where !pair.First.IsCompletedSuccessfully
            select new MissingHost(pair.Second.Host, pair.Second.Clients, pair.First.Exception?.GetBaseException().Message ?? _fault!));
    }

    private Task<T[]> OfAllAsync<T>(string what, IEnumerable<Task<T>> answers, TimeSpan deadline) =>
        participants.AllAsync(what, participants.LoadGenerators, [.. answers], deadline, CancellationToken.None);

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
}
