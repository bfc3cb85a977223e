using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The objects that an agent's role works with.</summary>
internal sealed class AgentContext(FrameChannel channel, Catalog catalog, HelloFrame hello)
{
    private readonly Lazy<INetworkBenchmark> _library = new(() => Create(catalog, hello.Plan.Library));

    private readonly Lazy<INetworkBenchmark?> _clientLibrary = new(() => hello.Plan.ClientLibrary is { } name ? Create(catalog, name) : null);

    private readonly Lazy<IWorkload> _workload = new(() => catalog.FindWorkload(hello.Plan.Test)
        ?? throw new BenchmarkException($"{hello.Plan.Test} is not in the build of this process."));

    private readonly ClockWatch _clock = new(TimeProvider.System);

    private RunProgress? _progress;
    private TaskCompletionSource _step = new();

    public FrameChannel Channel => channel;

    public HelloFrame Hello => hello;

    public RunPlan Plan => hello.Plan;

    /// <summary>The library of the plan. Relay and control do not use it, and need not have it.</summary>
    /// <exception cref="BenchmarkException">The library is not in this build.</exception>
    public INetworkBenchmark Library => _library.Value;

    /// <summary>The library whose clients drive the server; null for the server's own library.</summary>
    /// <exception cref="BenchmarkException">The library is not in this build.</exception>
    public INetworkBenchmark? ClientLibrary => _clientLibrary.Value;

    /// <summary>The test of the plan.</summary>
    /// <exception cref="BenchmarkException">The test is not in this build.</exception>
    public IWorkload Workload => _workload.Value;

    /// <summary>The progress of the run. It is reported with the next sign of life.</summary>
    public RunProgress? Progress
    {
        get => Volatile.Read(ref _progress);
        set => Volatile.Write(ref _progress, value);
    }

    /// <summary>The time by which the clock of this host was set since the first frame.</summary>
    public TimeSpan ClockStep => _clock.Step;

    /// <summary>Waits for the next frame of the coordinator, unless a thread of the role's own breaks down.</summary>
    public async Task<Frame> NextAsync(Task<Exception> broken, CancellationToken cancellationToken)
    {
        Task<Frame> next = channel.ReceiveAsync(Deadlines.OfSilence(Plan), cancellationToken);
        if (await Task.WhenAny(next, broken).ConfigureAwait(false) == broken)
        {
            Exception fault = await broken.ConfigureAwait(false);
            throw new BenchmarkException($"The {hello.Role.ToString().ToLowerInvariant()} failed: {fault.Message}", fault);
        }

        return await next.ConfigureAwait(false);
    }

    /// <summary>Waits for a frame of the coordinator, and skips others.</summary>
    /// <exception cref="BenchmarkException">The frame did not come in time, or the coordinator has gone.</exception>
    public async Task WaitForAsync<T>(CancellationToken cancellationToken)
        where T : Frame
    {
        while (await channel.ReceiveAsync(Deadlines.OfSilence(Plan), cancellationToken).ConfigureAwait(false) is not T)
        {
            // A stop that arrives just after the load has ended by itself asks for work that is already done.
        }
    }

    /// <summary>Reports that this driver has done a step, and waits until all drivers have. Its load goes on meanwhile.</summary>
    public async Task StepAsync(CancellationToken cancellationToken)
    {
        // The load continues on the thread that reads. The thread pool may be busy with the library.
        var all = new TaskCompletionSource();
        Volatile.Write(ref _step, all);
        await channel.SendAsync(new StepFrame(), cancellationToken).ConfigureAwait(false);
        await all.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Does work that the coordinator may end early, or that is in step with other drivers, and sends the result.</summary>
    /// <param name="work">The work. Its token is cancelled when the coordinator requests the figures so far.</param>
    /// <param name="cancellationToken">The end of this process' life.</param>
    public async Task StoppableAsync(Func<CancellationToken, Task<Frame>> work, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var done = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task listening = StopWhenAskedAsync(stop, done.Token);
        Frame result;
        try
        {
            result = await work(stop.Token).ConfigureAwait(false);
        }
        finally
        {
            // The next request follows the result at once, and is not for the listener.
            await done.CancelAsync().ConfigureAwait(false);
            await listening.ConfigureAwait(false);
        }

        await channel.SendAsync(result, cancellationToken).ConfigureAwait(false);
    }

    private static INetworkBenchmark Create(Catalog catalog, string name)
    {
        INetworkBenchmark library = catalog.CreateLibrary(name) ?? throw new BenchmarkException($"{name} is not in the build of this process.");
        return library.Info.Unavailable is { } reason ? throw new BenchmarkException($"{name} cannot run here: {reason}.") : library;
    }

    private async Task StopWhenAskedAsync(CancellationTokenSource stop, CancellationToken done)
    {
        try
        {
            Frame next = await channel.ReceiveAsync(Deadlines.OfRun(Plan), done).ConfigureAwait(false);
            while (next is StepFrame)
            {
                Volatile.Read(ref _step).TrySetResult();
                next = await channel.ReceiveAsync(Deadlines.OfRun(Plan), done).ConfigureAwait(false);
            }

            if (next is StopFrame)
            {
                await stop.CancelAsync().ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or BenchmarkException)
        {
            // The work has ended first, or the coordinator has gone, which ends this process' life anyway.
            return;
        }
    }
}
