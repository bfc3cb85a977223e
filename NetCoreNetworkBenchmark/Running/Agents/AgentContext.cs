using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal sealed class AgentContext(FrameChannel channel, Catalog catalog, HelloFrame hello, ProcessMeter meter, CancellationToken life)
    : ICoordinator
{
    private readonly ClockWatch _clock = new(TimeProvider.System);
    private RunProgress? _progress;
    private TaskCompletionSource _step = new();

    public HelloFrame Hello => hello;
    public RunPlan Plan => hello.Plan;
    public ProcessMeter Meter => meter;
    public RunProgress? Progress => Volatile.Read(ref _progress);

    public TimeSpan ClockStep => _clock.Step;

    public TimeSpan? CpuTime => hello.HasLiveFigures ? meter.CpuTime() : null;

    bool ICoordinator.HasOtherLoadGenerators => hello.HasOtherLoadGenerators;

    bool ICoordinator.HasLiveFigures => hello.HasLiveFigures;

    public void LoadAssemblies()
    {
        foreach (AdapterAssembly assembly in Plan.Assemblies ?? [])
        {
            string here = LibraryOptions.Describe(assembly.Path).Sha256;
            if (here != assembly.Sha256)
            {
                throw new BenchmarkException(
                    $"'{assembly.Path}' and the files that it loads are not those of the coordinator (SHA-256 {here} and {assembly.Sha256}).");
            }

            catalog.Load(assembly);
        }
    }

    public INetworkBenchmark CreateLibrary(string name)
    {
        INetworkBenchmark library = catalog.CreateLibrary(name) ?? throw new BenchmarkException($"{name} is not in the build of this process.");
        return library.Info.Unavailable is { } reason ? throw new BenchmarkException($"{name} cannot run here: {reason}.") : library;
    }

    public IWorkload FindWorkload() =>
        catalog.FindWorkload(Plan.Test) ?? throw new BenchmarkException($"{Plan.Test} is not in the build of this process.");

    public BenchmarkException Unexpected(Frame frame) =>
        new($"The coordinator sent a {frame.GetType().Name}, which the {hello.Role.ToString().ToLowerInvariant()} does not expect at this time.");

    public void Send(Frame frame) => channel.Send(frame);

    /// <summary>What every process answers alike is answered here, so that no role can leave it out.</summary>
    public async Task<Frame> ReceiveAsync()
    {
        while (true)
        {
            Frame next = await channel.ReceiveAsync(Deadlines.ForSilence(Plan), life);
            if (next is not CompilationFrame)
            {
                return next;
            }

            Send(CompilationFrame.OfThisProcess());
        }
    }

    /// <param name="work">Its token is cancelled when the coordinator requests the figures so far.</param>
    public async Task StoppableAsync(Func<CancellationToken, Task<Frame>> work)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(life);
        using var listenerLife = CancellationTokenSource.CreateLinkedTokenSource(life);
        Task listening = ListenAsync(stop, listenerLife.Token);
        Frame result;
        try
        {
            result = await work(stop.Token);
        }
        finally
        {
            // The next request follows the result at once, and is not for the listener.
            await listenerLife.CancelAsync();
            await listening;
        }

        Send(result);
    }

    void ICoordinator.Report(RunProgress progress) => Volatile.Write(ref _progress, progress);

    void ICoordinator.Enter(RunPhase phase) => Send(new PhaseFrame(phase));

    async Task ICoordinator.StepAsync(CancellationToken cancellationToken)
    {
        // The load continues on the thread that reads. The thread pool may be busy with the library.
        var all = new TaskCompletionSource();
        Volatile.Write(ref _step, all);
        Send(new StepFrame());
        await all.Task.WaitAsync(cancellationToken);
    }

    private async Task ListenAsync(CancellationTokenSource stop, CancellationToken done)
    {
        while (await ReceiveUntilAsync(done) is { } next)
        {
            if (next is StepFrame)
            {
                Volatile.Read(ref _step).TrySetResult();
                continue;
            }

            await stop.CancelAsync();
            if (next is not (StopFrame or ByeFrame))
            {
                throw Unexpected(next);
            }
        }
    }

    // Null if the work has ended first, or the coordinator has gone, which ends this process' life anyway.
    private async Task<Frame?> ReceiveUntilAsync(CancellationToken done)
    {
        try
        {
            return await channel.ReceiveAsync(Deadlines.ForLoad(Plan), done);
        }
        catch (Exception exception) when (exception is OperationCanceledException or BenchmarkException)
        {
            return null;
        }
    }
}
