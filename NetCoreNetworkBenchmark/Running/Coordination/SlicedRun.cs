using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>One plan, measured in slices with pauses between: warmed up, then the slices, drained, and its reports collected.</summary>
internal sealed class SlicedRun : IAsyncDisposable
{
    private static readonly TimeSpan s_burst = TimeSpan.FromSeconds(0.15);

    // The largest share of a burst and its rest in which the JIT compilers of a warm case run.
    private const double QuietShare = 0.1;

    // The JIT compilers begin after a tenth of a second without new code (TieredCompilation.BackgroundWorkerTimeoutMs).
    private static readonly TimeSpan s_rest = TimeSpan.FromSeconds(0.11);

    private readonly RunPlan _plan;
    private readonly IWorkload _workload;
    private readonly ParticipantGroup _participants;
    private readonly OpenRun _run;
    private TimeSpan? _compiled;
    private bool _suspended;
    private bool _discardsEarlier;

    private SlicedRun(RunPlan plan, IWorkload workload, ParticipantGroup participants, OpenRun run) =>
        (_plan, _workload, _participants, _run) = (plan, workload, participants, run);

    /// <summary>The processes are then suspended. Otherwise, the load is drained before each pause.</summary>
    public bool StaysInFlight => MaySuspend && _workload.MayBeSuspendedInFlight(_plan);

    /// <summary>None before <see cref="CollectAsync"/>.</summary>
    public IReadOnlyList<ServerSlice> ServerSlices { get; private set; } = [];

    /// <summary>In the last burst of the warm-up; null without one.</summary>
    public bool? IsJitQuiet { get; private set; }

    // A heartbeat that is late ends a connection.
    private bool MaySuspend => _participants.CanSuspend && _plan.Liveness.Heartbeat is null;

    /// <summary>Starts and connects the participants, which are then suspended: libraries that poll would take the cores from cases that still start.</summary>
    /// <exception cref="BenchmarkException">A participant could not start, or not all clients connected. All participants have ended.</exception>
    public static async Task<SlicedRun> OpenAsync(
        RunPlan plan, LibraryInfo library, IWorkload workload, ParticipantGroup participants, CancellationToken cancellationToken)
    {
        var open = new OpenRun(plan, library, workload, participants);
        await open.StartAsync(cancellationToken);
        var run = new SlicedRun(plan, workload, participants, open);
        try
        {
            await run.SuspendAsync(cancellationToken);
            return run;
        }
        catch
        {
            await open.EndAfterFaultAsync();
            throw;
        }
    }

    /// <summary>The figures of the burst are discarded. After a rest, <see cref="IsJitQuiet"/> is set.</summary>
    public async Task<TimeSpan> WarmUpAsync(CancellationToken cancellationToken)
    {
        ResumeProcesses();
        _compiled ??= await _participants.ReadCompilationTimeAsync(cancellationToken);
        long begin = Stopwatch.GetTimestamp();
        if (_workload.EndsWhenDone(_plan))
        {
            await RunSliceAsync(new WarmUpCommand(), s_burst, cancellationToken);
        }
        else
        {
            await RunSliceAsync(new MeasureCommand(0, s_burst.TotalSeconds, StaysInFlight, DiscardsEarlier: false), s_burst, cancellationToken);
            _discardsEarlier = true;
        }

        await Task.Delay(s_rest, cancellationToken);
        TimeSpan compiled = await _participants.ReadCompilationTimeAsync(cancellationToken);
        TimeSpan duration = Stopwatch.GetElapsedTime(begin);
        (IsJitQuiet, _compiled) = (compiled - _compiled <= QuietShare * duration, compiled);
        await SuspendAsync(cancellationToken);
        return duration;
    }

    /// <param name="cancellationToken">Ends the wait for the slice. The run can then only be disposed.</param>
    public async Task<SliceReport> SliceAsync(TimeSpan settle, TimeSpan length, CancellationToken cancellationToken)
    {
        ResumeProcesses();
        if (_discardsEarlier)
        {
            _participants.Server.DiscardSlices();
        }

        var command = new MeasureCommand(settle.TotalSeconds, length.TotalSeconds, StaysInFlight, _discardsEarlier);
        SliceReport report = await RunSliceAsync(command, settle + length, cancellationToken);
        _discardsEarlier = false;
        await SuspendAsync(cancellationToken);
        return report;
    }

    public Task DrainAsync()
    {
        ResumeProcesses();
        return StaysInFlight ? RunSliceAsync(new EndCommand(), TimeSpan.Zero, CancellationToken.None) : Task.CompletedTask;
    }

    /// <summary>The load ran in slices and is drained.</summary>
    public async Task<RunResult> CollectAsync()
    {
        IReadOnlyList<ILoadGenerator> generators = _participants.LoadGenerators;
        ClientReport[] reports = await _run.OfAllAsync("The clients' report", generators.Select(generator => generator.ReportAsync()), Deadlines.Result);
        RunMeasurements measurements = await _run.StopAsync(LoadReports.From([.. reports.Zip(generators)]));
        ServerSlices = measurements.Server?.Slices ?? [];
        RunResult result = ResultBuilder.Build(measurements);
        return IsJitQuiet is { } isQuiet ? result with { Clients = result.Clients with { WarmUpSteady = isQuiet } } : result;
    }

    public ValueTask DisposeAsync() => _run.DisposeAsync();

    private async Task SuspendAsync(CancellationToken cancellationToken)
    {
        if (!MaySuspend || _suspended)
        {
            return;
        }

        // The server answers when it has handled the end of the measurement, which would otherwise contain the suspension.
        await _participants.WaitForAsync(
            "The server's slice", _participants.Server.ReadCompilationTimeAsync(cancellationToken), Deadlines.Result, cancellationToken);
        _participants.Suspend();
        _suspended = true;
    }

    private void ResumeProcesses()
    {
        if (_suspended)
        {
            _participants.Resume();
            _suspended = false;
        }
    }

    private async Task<SliceReport> RunSliceAsync(SliceCommand command, TimeSpan length, CancellationToken cancellationToken)
    {
        _run.BeginSlice();
        IEnumerable<Task<SliceReport>> slices = _participants.LoadGenerators.Select(generator => generator.SliceAsync(command, cancellationToken));
        return SliceReport.Merge(await _run.OfAllAsync("A slice", slices, length + Deadlines.ForLoad(_plan)));
    }
}
