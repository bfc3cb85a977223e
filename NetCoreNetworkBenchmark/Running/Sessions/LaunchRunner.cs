using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>Measures one case in fresh processes. What fails is the reason of its launch, and the others go on.</summary>
internal sealed class LaunchRunner : IStepRunner
{
    private static readonly TimeSpan s_controlDuration = TimeSpan.FromSeconds(0.5);
    private ParticipantGroup? _participants;

    /// <summary>Measures the speed of the machine before each launch; null if the load does not depend on it.</summary>
    public Func<HostsPlan, CancellationToken, Task<double>>? Control { get; init; }

    /// <summary>Null for a run in fresh processes.</summary>
    public Func<SuiteCase, Action<RunProgress>?, CancellationToken, Task<RunResult>>? Measure { get; init; }

    /// <summary>After the first launch of a case; null to count none.</summary>
    public PacketCount? Packets { get; init; }
    public bool HasLiveFigures { get; init; }
    public Func<RunPlan, TimeSpan> Deadline { get; init; } = Deadlines.ForRun;
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>An unexpected failure also belongs to its launch, unless it ends the session.</summary>
    public Func<Exception, bool> EndsSession { get; init; } = _ => false;

    public async Task<Measurement> MeasureAsync(Step step, CancellationToken cancellationToken)
    {
        SuiteCase suiteCase = step.Cases[0];
        long start = Stopwatch.GetTimestamp();
        LaunchResult launch = await LaunchAsync(suiteCase, step.Number, cancellationToken);
        TimeSpan duration = Stopwatch.GetElapsedTime(start);
        if (step.Number == 1 && launch.Result is not null && Packets is not null && !cancellationToken.IsCancellationRequested)
        {
            launch = await Packets.AddToAsync(launch, suiteCase, pool: null, cancellationToken);
        }

        return new Measurement([new CaseLaunch(suiteCase, launch)]) { Duration = duration };
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>Raw sockets, in a fresh process on the machine of the server, as every other measurement.</summary>
    /// <returns>Messages per second.</returns>
    public static async Task<double> MeasureSocketsAsync(HostsPlan hosts, CancellationToken cancellationToken)
    {
        await using AgentProcess process = hosts.ServerHost is { } host
            ? new AgentProcess(AgentRole.Control, new RemoteHost(hosts, host))
            : new AgentProcess(AgentRole.Control);
        var plan = new RunPlan { Library = string.Empty, Duration = s_controlDuration };
        await process.SendHelloAsync(plan, null, null, cancellationToken);
        return (await process.ResultAsync(Deadlines.ForLoad(plan), cancellationToken)).Control!.Value;
    }

    private async Task<LaunchResult> LaunchAsync(SuiteCase suiteCase, int launch, CancellationToken cancellationToken)
    {
        TimeSpan deadline = Deadline(suiteCase.Plan);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            // A control that fails indicates a problem of the machine at this moment, so the launch fails with it.
            double? control = Control is null ? null : await Control(suiteCase.Plan.Hosts, cancellationToken);
            over.CancelAfter(deadline);
            RunResult result = await (Measure ?? RunAsync)(suiteCase, Progress, over.Token);
            return over.IsCancellationRequested && !cancellationToken.IsCancellationRequested
                ? new LaunchResult(launch, null, Hung(deadline))
                : new LaunchResult(launch, result, result.Valid ? null : string.Join(' ', result.InvalidReasons), control);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            string reason = cancellationToken.IsCancellationRequested
                ? "It was aborted before anything was measured."
                : Hung(deadline);
            return new LaunchResult(launch, null, reason);
        }
        catch (Exception exception) when (!EndsSession(exception))
        {
            return new LaunchResult(launch, null, exception.Message);
        }
    }

    private Task<RunResult> RunAsync(SuiteCase suiteCase, Action<RunProgress>? progress, CancellationToken cancellationToken) =>
        new Run(suiteCase.Plan, suiteCase.Library, suiteCase.Workload, _participants = Placement.InFreshProcesses(suiteCase.Plan))
        {
            Progress = progress,
            HasLiveFigures = HasLiveFigures,
        }.RunAsync(cancellationToken);

    private string Hung(TimeSpan deadline) => Deadlines.Hung("The run", deadline, silent: _participants?.Silent ?? []).Message;
}
