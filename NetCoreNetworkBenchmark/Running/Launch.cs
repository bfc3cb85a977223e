using System.Net;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// Runs one plan in fresh processes: server and clients apart, and a relay between them where the traffic is to be impaired. A
/// library that cannot be divided has both sides in one fresh process. No process outlives the launch.
/// </summary>
internal sealed class Launch(RunPlan plan, LibraryInfo library)
{
    /// <summary>What could disturb the run, as it was found before it; null to look again, without what other programs do.</summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Told now and then where the run is.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the plan. Cancelling keeps what was measured and marks it as aborted.</summary>
    /// <exception cref="BenchmarkException">The run could not start or broke off, such as by the end of a process.</exception>
    /// <exception cref="OperationCanceledException">Cancelled before anything was measured.</exception>
    public async Task<RunResult> RunAsync(CancellationToken cancellationToken)
    {
        await using var crew = new Crew(cancellationToken);
        return library.OneProcessOnly
            ? await RunTogetherAsync(crew).ConfigureAwait(false)
            : await RunApartAsync(crew).ConfigureAwait(false);
    }

    private async Task<RunResult> RunTogetherAsync(Crew crew)
    {
        AgentProcess both = crew.Add(new AgentProcess(AgentRole.Both) { Progress = Progress });
        await crew.GreetAsync(both, plan, null, Deadlines.Process).ConfigureAwait(false);
        ResultFrame result = await ResultOfAsync(crew, both).ConfigureAwait(false);
        return result.Run!;
    }

    private async Task<RunResult> RunApartAsync(Crew crew)
    {
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
        RunCredentials? credentials = RunCredentials.For(plan);
        AgentProcess server = crew.Add(new AgentProcess(AgentRole.Server, plan.Pinning.ServerCores));
        string serverAt = (await crew.GreetAsync(server, plan, null, Deadlines.Process, credentials?.Server).ConfigureAwait(false))!;
        var impaired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        AgentProcess? relay = plan.Impairment.IsNone ? null : crew.Add(new AgentProcess(AgentRole.Relay) { Entered = _ => Done(impaired) });
        string clientsTarget = relay is null ? serverAt : (await crew.GreetAsync(relay, plan, serverAt, Deadlines.Process).ConfigureAwait(false))!;
        AgentProcess clients = crew.Add(new AgentProcess(AgentRole.Client, plan.Pinning.ClientCores)
        {
            Progress = Progress,
            Entered = phase => EnterAsync(server, phase),
        });
        await crew.GreetAsync(clients, plan, clientsTarget, plan.ConnectDeadline + Deadlines.Process, credentials?.Clients).ConfigureAwait(false);
        if (relay is not null)
        {
            // Before the first message, so that the relay's account is that of the whole load.
            await relay.TellAsync(new GoFrame(), crew.Cancelled).ConfigureAwait(false);
            await crew.UnlessBrokenAsync(impaired.Task, Deadlines.Process, crew.Cancelled).ConfigureAwait(false);
        }

        await clients.TellAsync(new GoFrame(), crew.Cancelled).ConfigureAwait(false);
        ResultFrame measured = await ResultOfAsync(crew, clients).ConfigureAwait(false);
        ResultFrame? relayed = relay is null ? null : await crew.StopAsync(relay).ConfigureAwait(false);
        ResultFrame served = await crew.StopAsync(server).ConfigureAwait(false);
        await TellAsync(clients, new ByeFrame()).ConfigureAwait(false);
        await TellAsync(relay, new ByeFrame()).ConfigureAwait(false);
        await TellAsync(server, new ByeFrame()).ConfigureAwait(false);
        return ResultBuilder.Build(new RunEvidence
        {
            Plan = plan,
            Library = library,
            EndPoint = IPEndPoint.Parse(serverAt),
            Clients = measured.Clients!,
            Server = served.Server,
            Relay = relayed?.Relay,
            RelayRemarks = relayed?.Remarks ?? [],
            Fitness = fitness,
        });
    }

    // The server first: its figures begin and end with what it is told here.
    private async Task EnterAsync(AgentProcess server, PhaseFrame entered)
    {
        await server.TellAsync(entered, CancellationToken.None).ConfigureAwait(false);
        Progress?.Invoke(new RunProgress(entered.Phase, TimeSpan.Zero, null, 0));
    }

    private static Task Done(TaskCompletionSource source)
    {
        source.TrySetResult();
        return Task.CompletedTask;
    }

    private static Task TellAsync(AgentProcess? agent, Frame frame) => agent?.TellAsync(frame, CancellationToken.None) ?? Task.CompletedTask;

    // When the user ends the run, whoever measures is asked for what there is.
    private async Task<ResultFrame> ResultOfAsync(Crew crew, AgentProcess agent)
    {
        try
        {
            await crew.UnlessBrokenAsync(agent.Result, Deadlines.OfRun(plan), crew.Cancelled).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (crew.Cancelled.IsCancellationRequested)
        {
            await agent.TellAsync(new StopFrame(), CancellationToken.None).ConfigureAwait(false);
            await crew.UnlessBrokenAsync(agent.Result, FrameChannel.Patience, CancellationToken.None).ConfigureAwait(false);
        }

        return await agent.Result.ConfigureAwait(false);
    }
}
