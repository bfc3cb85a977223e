using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The coordinator's side of an agent. Disposing ends the process, by force if necessary.</summary>
internal sealed class AgentProcess : IAsyncDisposable
{
    private static readonly TimeSpan s_exitAllowance = TimeSpan.FromSeconds(1.5);

    // A library that does not stop is reported by its process before.
    private static readonly TimeSpan s_stopAllowance = TimeSpan.FromSeconds(5);

    private readonly RemoteHost? _host;
    private readonly TimeSpan _maxSilence = FrameChannel.MaxSilence;
    private readonly ChildProcess _process;
    private readonly Task<string> _errors;
    private readonly FrameChannel _channel;
    private readonly CancellationTokenSource _disposing = new();
    private readonly Dictionary<Type, Queue<TaskCompletionSource<Frame>>> _requests = [];
    private readonly TaskCompletionSource<Exception> _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private RunState _run = new();
    private volatile bool _suspended;
    private (TimeSpan Time, long At) _cpuRead;
    private double _usedCores = double.NaN;
    private long _resumedAt;
    private Task? _listening;
    private Task _stepping = Task.CompletedTask;

    public AgentProcess(AgentRole role, IReadOnlyList<int>? cores = null, string? build = null, RuntimePlan? runtime = null)
        : this(role, NameOf(role), AgentProgram.Start(build, runtime), cores)
    {
    }

    public AgentProcess(AgentRole role, ProcessStartInfo start, IReadOnlyList<int>? cores = null)
        : this(role, NameOf(role), start, cores)
    {
    }

    public AgentProcess(AgentRole role, RemoteHost host, IReadOnlyList<int>? cores = null, RuntimePlan? runtime = null)
        : this(role, $"{NameOf(role)} on {host.Name}", host.StartAgent(AgentProgram.Option, cores, runtime), cores: null) =>
        (_host, _maxSilence) = (host, RemoteHost.MaxSilence);

    private AgentProcess(AgentRole role, string name, ProcessStartInfo start, IReadOnlyList<int>? cores)
    {
        (Name, Role) = (name, role);
        _process = AgentProgram.Launch(name, start, cores);
        _errors = PrintableText.ReadEndAsync(_process.StandardError);
        _channel = new FrameChannel(Name, _process.StandardOutput.BaseStream, _process.StandardInput.BaseStream);
    }

    public string Name { get; }
    public AgentRole Role { get; }
    public ICoordinator? Coordinator { get; set; }

    public bool HasLiveFigures { get; set; }

    /// <summary>The cores that the process used between its last two heartbeats; null if they are not known.</summary>
    public double? UsedCores => Volatile.Read(ref _usedCores) is var cores && double.IsNaN(cores) ? null : cores;
    public string? Host => _host?.Name;
    public HostFacts? Facts { get; private set; }

    public bool StaysAfterRun { get; init; }
    public bool CanSuspend => _host is null && OperatingSystem.IsLinux();
    public Task<Exception> Broken => _broken.Task;

    /// <param name="cancellationToken">Ends the wait; it has no deadline of its own.</param>
    /// <returns>The end point on which the agent listens; null for an agent that does not listen.</returns>
    public async Task<string?> SendHelloAsync(RunPlan plan, string? target, TlsCredentials? credentials, CancellationToken cancellationToken)
    {
        RunState run = new();
        Volatile.Write(ref _run, run);
        _listening ??= Task.Run(ListenAsync, CancellationToken.None);
        var hello = new HelloFrame(HelloFrame.ProtocolVersion, Role, _host?.PlanThere(plan) ?? plan, target)
        {
            Build = HelloFrame.OwnBuild,
            Credentials = credentials,
            Payload = plan.Payload?.Content,
            HasOtherLoadGenerators = Coordinator is { HasOtherLoadGenerators: true },
            HasLiveFigures = HasLiveFigures || Coordinator is { HasLiveFigures: true },
            MayBeSuspended = CanSuspend,
            StaysAfterRun = StaysAfterRun,
        };
        Send(hello);
        return Role == AgentRole.Control ? null : await run.Ready.Task.OrFaultAsync(Broken).WaitAsync(cancellationToken);
    }

    /// <summary>The process answers requests of one type in their order.</summary>
    /// <param name="cancellationToken">Ends the wait. The answer that comes later is dropped.</param>
    public async Task<T> RequestAsync<T>(Frame request, CancellationToken cancellationToken)
        where T : Frame
    {
        var answer = new TaskCompletionSource<Frame>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_requests)
        {
            (CollectionsMarshal.GetValueRefOrAddDefault(_requests, typeof(T), out _) ??= new()).Enqueue(answer);
            Send(request);
        }

        return (T)await answer.Task.OrFaultAsync(Broken).WaitAsync(cancellationToken);
    }

    public async Task<ResultFrame> ResultAsync(TimeSpan deadline, CancellationToken cancellationToken)
    {
        try
        {
            return await _run.Result.Task.OrFaultAsync(Broken).WaitAsync(deadline, cancellationToken);
        }
        catch (TimeoutException exception)
        {
            throw Deadlines.Hung(Name, deadline, exception);
        }
    }

    /// <summary>If the process has ended, <see cref="Broken"/> reports it.</summary>
    public void Send(Frame frame) => _channel.Send(frame);

    public void Dismiss()
    {
        Send(new ByeFrame());
        _run.IsDismissed = true;
    }

    /// <exception cref="BenchmarkException">The role failed in its end, such as by a library that does not stop.</exception>
    public async Task StopAsync()
    {
        if (_run.IsDismissed && await Task.WhenAny(_run.Ended.Task, Broken, Task.Delay(s_stopAllowance)) == Broken)
        {
            throw await Broken;
        }
    }

    public async Task<bool> IsReadyAgainAsync() =>
        StaysAfterRun && _run.IsDismissed
        && await Task.WhenAny(_run.Ended.Task, Broken, Task.Delay(s_exitAllowance)) == _run.Ended.Task;

    /// <summary>A suspended process also ends with this one.</summary>
    /// <exception cref="BenchmarkException">The process has ended.</exception>
    public void Suspend()
    {
        _suspended = true;
        Signal(SysSignal.SIGSTOP);
    }

    /// <exception cref="BenchmarkException">The process has ended.</exception>
    public void Resume()
    {
        Signal(SysSignal.SIGCONT);
        Volatile.Write(ref _resumedAt, Stopwatch.GetTimestamp());
        _suspended = false;
    }

    public async ValueTask DisposeAsync()
    {
        // A suspended process cannot end by its own will. One that has ended meanwhile has no need to.
        _ = _suspended && TrySignal(SysSignal.SIGCONT);

        await _disposing.CancelAsync();
        try
        {
            await _channel.DisposeAsync();
        }
        finally
        {
            await EndAsync();
        }

        await (_listening ?? Task.CompletedTask);
        await _stepping;
        _process.Dispose();
        _disposing.Dispose();
    }

    private bool TrySignal(int signal) => !_process.HasExited && SysSignal.kill(_process.Id, signal) == 0;

    private void Signal(int signal)
    {
        if (!TrySignal(signal))
        {
            throw new BenchmarkException($"{Name} has ended.");
        }
    }

    private async Task EndAsync()
    {
        // A process that has already failed is not waited for.
        if (await _process.ExitsAsync(Broken.IsCompleted ? TimeSpan.Zero : s_exitAllowance))
        {
            return;
        }

        if (_host is not null && Facts is { ProcessId: var process })
        {
            // The program that reaches the host lives, so the host can be reached, and the agent on it may be stopped.
            await _host.TryEndAsync(process);
        }

        _process.Kill(entireProcessTree: true);
        await _process.ExitsAsync(Deadlines.Process);
    }

    private async Task StepAsync()
    {
        try
        {
            await Coordinator!.StepAsync(_disposing.Token);
            Send(new StepFrame());
        }
        catch (OperationCanceledException) when (_disposing.IsCancellationRequested)
        {
            return;
        }
        catch (BenchmarkException exception)
        {
            _broken.TrySetResult(exception);
        }
    }

    private static string NameOf(AgentRole role) => role switch
    {
        AgentRole.Client => "The clients' process",
        _ => $"The {role.ToString().ToLowerInvariant()}'s process",
    };

    private string OnHost(string reason) => _host is null ? reason : $"On {_host.Name}: {reason}";

    private void Answer(Frame answer)
    {
        lock (_requests)
        {
            if (_requests.GetValueOrDefault(answer.GetType()) is { Count: > 0 } waiting)
            {
                waiting.Dequeue().TrySetResult(answer);
            }
        }
    }

    private async Task ListenAsync()
    {
        try
        {
            // The first frame comes when the runtime has started.
            TimeSpan maxSilence = Deadlines.Process;
            while (await TakeNextAsync(maxSilence))
            {
                maxSilence = _maxSilence;
            }
        }
        catch (OperationCanceledException) when (_disposing.IsCancellationRequested)
        {
            return;
        }
        catch (Exception exception)
        {
            _broken.TrySetResult(_channel.HasNoMore ? await ExplainEndAsync() : exception);
        }
    }

    // Returns whether more frames are to come.
    private async Task<bool> TakeNextAsync(TimeSpan maxSilence)
    {
        switch (await ReceiveAsync(maxSilence))
        {
            case ReadyFrame ready:
                _run.Ready.TrySetResult(ready.EndPoint);
                return true;
            case ProgressFrame { Progress: { } progress }:
                Coordinator?.Report(progress with { Host = Host });
                return true;
            case ProgressFrame { CpuTime: { } cpu }:
                long now = Stopwatch.GetTimestamp();
                Volatile.Write(ref _usedCores, _cpuRead.At == 0 ? double.NaN : (cpu - _cpuRead.Time) / Stopwatch.GetElapsedTime(_cpuRead.At, now));
                _cpuRead = (cpu, now);
                return true;
            case PhaseFrame { Phase: var phase } when Coordinator is not null:
                // The clients go on meanwhile. Their next heartbeat comes up to a second later.
                Coordinator.Enter(phase);
                Coordinator.Report(new RunProgress(phase, TimeSpan.Zero, null, 0));
                return true;
            case HostFrame { Facts: { } facts } when Facts is null:
                Facts = facts;
                if (Role == AgentRole.Inspector)
                {
                    _run.Ready.TrySetResult(null);
                }

                return true;
            case StepFrame when Coordinator is not null:
                // The steps of the other load generators, and other frames of this one, arrive meanwhile.
                _stepping = StepAsync();
                return true;
            case (MemoryFrame or CompilationFrame or SliceFrame or HostFrame or GoFrame) and var answer:
                Answer(answer);
                return true;
            case ResultFrame result:
                _run.Result.TrySetResult(result);
                return true;
            case FailureFrame failure:
                string output = _host is null && !failure.IsBadInput ? await ReadPrintedAsync() : string.Empty;
                _broken.TrySetResult(new BenchmarkException(OnHost(failure.Reason) + output) { IsBadInput = failure.IsBadInput });
                return false;
            case ByeFrame:
                _run.Ended.TrySetResult();
                return StaysAfterRun;
            case ProgressFrame:
                return true;
            case var other:
                throw new BenchmarkException($"{Name} sent a {other.GetType().Name}, which the coordinator does not expect at this time.");
        }
    }

    // A suspended process sends nothing, and its silence is no fault.
    private async Task<Frame> ReceiveAsync(TimeSpan maxSilence)
    {
        while (true)
        {
            long start = Stopwatch.GetTimestamp();
            try
            {
                return await _channel.ReceiveBesideHeartbeatsAsync(maxSilence, _disposing.Token);
            }
            catch (BenchmarkException) when (!_channel.HasNoMore && (_suspended || Volatile.Read(ref _resumedAt) > start))
            {
                continue;
            }
        }
    }

    private async Task<BenchmarkException> ExplainEndAsync()
    {
        if (!await _process.ExitsAsync(s_exitAllowance))
        {
            return new BenchmarkException($"{Name} sent a line that is not a frame.");
        }

        string reason = PrintableText.LastLineOf(await ReadErrorsAsync()) ?? "it printed no error";
        return new BenchmarkException(
            _host is not null && Facts is null
                ? $"{_host.Launcher} could not start {Name.Replace("The ", "the ", StringComparison.Ordinal)} " +
                    $"(exit code {_process.ExitCode}): {reason}."
                : $"{Name} failed with exit code {_process.ExitCode}: {reason}.");
    }

    // A child of the process that outlives it may hold standard error open.
    private async Task<string> ReadErrorsAsync() => await Task.WhenAny(_errors, Task.Delay(s_exitAllowance)) == _errors
        ? await _errors
        : string.Empty;

    // A process that failed ends at once, unless its library holds it.
    private async Task<string> ReadPrintedAsync() => PrintableText.LastLinesOf(await ReadErrorsAsync()) is { Length: > 0 } lines
        ? $" The last lines that its process printed: {lines}"
        : string.Empty;

    private sealed class RunState
    {
        public TaskCompletionSource<string?> Ready { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
        public TaskCompletionSource<ResultFrame> Result { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
        public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
        public bool IsDismissed { get; set; }
    }
}
