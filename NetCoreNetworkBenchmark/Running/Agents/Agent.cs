using NetCoreNetworkBenchmark.Conformance;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The process's own side. It ends when its input ends, or when the coordinator has not acknowledged a heartbeat in time.</summary>
internal sealed class Agent(FrameChannel channel, Catalog catalog)
{
    private AgentContext? _context;
    private bool _isIdle;
    private bool _isUnanswered;

    /// <summary>A coordinator on this machine may be paused (Ctrl+Z): its end ends this process' input. Of another host, only silence is known.</summary>
    public static TimeSpan MaxSilenceFor(RunPlan plan) => plan.Hosts.IsNone ? Deadlines.ForSilence(plan) : FrameChannel.MaxSilence;

    public async Task<bool> RunAsync()
    {
        using var life = new CancellationTokenSource();
        Task outlived = CancelWhenEndedAsync(life);
        Task heartbeats = Task.CompletedTask;
        TimeSpan maxSilence = FrameChannel.MaxSilence;
        try
        {
            HelloFrame hello = await ReceiveHelloAsync(Deadlines.Hello, life.Token);
            if (hello.MayBeSuspended && SysPrctl.prctl(SysPrctl.PR_SET_PDEATHSIG, SysSignal.SIGKILL) != 0)
            {
                throw new BenchmarkException("prctl failed, so this process would outlive the coordinator.");
            }

            // A library may keep the thread pool busy for seconds.
            maxSilence = MaxSilenceFor(hello.Plan);
            heartbeats = OwnThread.RunAsync(() => SendHeartbeats(life, maxSilence));
            Task runs = RunAllAsync(hello, life.Token);
            await (await Task.WhenAny(runs, heartbeats) == heartbeats && heartbeats.IsFaulted ? heartbeats : runs);
            return true;
        }
        catch (OperationCanceledException) when (life.IsCancellationRequested)
        {
            if (Volatile.Read(ref _isUnanswered))
            {
                // A coordinator that has only been slow, or stood still, reports it.
                string reason = Invariant($"The coordinator acknowledged no heartbeat for {maxSilence.TotalSeconds:0} s.");
                channel.Send(new FailureFrame(reason, IsBadInput: false));
            }

            return _isIdle;
        }
        catch (BenchmarkException) when (channel.Ended.IsCompleted)
        {
            // No peer is left to notify.
            return _isIdle;
        }
        catch (Exception exception)
        {
            if (channel.Ended.IsCompleted)
            {
                throw;
            }

            channel.Send(new FailureFrame(exception.Message, exception is BenchmarkException { IsBadInput: true }));
            return false;
        }
        finally
        {
            await life.CancelAsync();
            await Task.WhenAll(outlived, heartbeats);
        }
    }

    private async Task RunAllAsync(HelloFrame hello, CancellationToken cancellationToken)
    {
        await RunAsync(hello, new ProcessMeter(), cancellationToken);
        while (hello.StaysAfterRun)
        {
            hello = await ReceiveHelloAsync(Deadlines.ForSilence(hello.Plan), cancellationToken);
            _isIdle = false;
            await RunAsync(hello, ProcessMeter.ForNextRun(), cancellationToken);
        }
    }

    private async Task RunAsync(HelloFrame hello, ProcessMeter meter, CancellationToken cancellationToken)
    {
        // The first step of a role can take long, and the channel's thread is needed.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        var context = new AgentContext(channel, catalog, hello, meter, cancellationToken);
        context.LoadAssemblies();
        Volatile.Write(ref _context, context);
        if (hello.Role == AgentRole.Inspector || !hello.Plan.Hosts.IsNone)
        {
            channel.Send(new HostFrame(HostFacts.Read(hello.Plan)));
        }

        await (hello.Role switch
        {
            AgentRole.Server => ServerRole.RunAsync(context, cancellationToken),
            AgentRole.Client => ClientRole.RunAsync(context, cancellationToken),
            AgentRole.Relay => RelayRole.RunAsync(context),
            AgentRole.Control => MeasureControlAsync(context, cancellationToken),
            AgentRole.Inspector => InspectAsync(context),
            AgentRole.Check => CheckAsync(context),
            _ => throw new InvalidOperationException($"{hello.Role} is not a role of an agent."),
        });

        // The coordinator may end this process as soon as it has the frame.
        _isIdle = hello.StaysAfterRun;
        channel.Send(new ByeFrame());
    }

    private static async Task MeasureControlAsync(AgentContext context, CancellationToken cancellationToken)
    {
        double rate = await ControlLoop.MeasureAsync(context.Plan.Duration, cancellationToken);
        context.Send(new ResultFrame { Control = rate });
    }

    // A check that fails throws its reason, as every role does.
    private static async Task CheckAsync(AgentContext context)
    {
        context.Send(new ReadyFrame());
        INetworkBenchmark library = context.CreateLibrary(context.Plan.Library);
        INetworkBenchmark clients = context.Plan.ClientLibrary is { } name ? context.CreateLibrary(name) : library;
        await ConformanceChecks.Find(context.Hello.Target!).RunAsync(new CheckSubject(library, clients, context.Plan, context.Hello.Credentials));
        context.Send(new ResultFrame());
    }

    // Once for each request, until the coordinator ends this process.
    private static async Task InspectAsync(AgentContext context)
    {
        while (await context.ReceiveAsync() is not ByeFrame)
        {
            context.Send(new HostFrame(HostFacts.Read(context.Plan)));
        }
    }

    private async Task<HelloFrame> ReceiveHelloAsync(TimeSpan deadline, CancellationToken cancellationToken)
    {
        Frame first = await channel.ReceiveAsync(deadline, cancellationToken);
        HelloFrame hello = first as HelloFrame ?? throw new BenchmarkException("The coordinator did not send hello first.");
        return hello.HasFramesOfThisBuild()
            ? hello with { Plan = hello.Plan with { Payload = hello.Plan.Payload is { } payload ? payload with { Content = hello.Payload! } : null } }
            : throw new BenchmarkException(
                $"The coordinator's protocol is {hello.Version} and this one's {HelloFrame.ProtocolVersion}. Use builds whose frames are the same.");
    }

    private async Task CancelWhenEndedAsync(CancellationTokenSource life)
    {
        await Task.WhenAny(channel.Ended, Task.Delay(Timeout.InfiniteTimeSpan, life.Token));
        await life.CancelAsync();
    }

    // Until the run is over, or the coordinator does not answer. Heartbeats are counted, since the time also passes for a process that is suspended.
    private void SendHeartbeats(CancellationTokenSource life, TimeSpan maxSilence)
    {
        for (int unanswered = 0; !life.Token.WaitHandle.WaitOne(FrameChannel.HeartbeatInterval) && unanswered * FrameChannel.HeartbeatInterval < maxSilence;)
        {
            unanswered = channel.HasReceived() ? 1 : unanswered + 1;
            AgentContext? context = Volatile.Read(ref _context);
            channel.Send(new ProgressFrame(context?.Progress, context?.CpuTime));
        }

        Volatile.Write(ref _isUnanswered, !life.IsCancellationRequested);
        life.Cancel();
    }
}
