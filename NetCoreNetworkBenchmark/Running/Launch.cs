using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// Runs one plan in fresh processes: the server and the clients in one each, and a relay between them if the traffic is to be impaired. A
/// library that cannot be divided has both sides in one fresh process. No process outlives the launch.
/// </summary>
internal sealed class Launch(RunPlan plan, LibraryInfo library)
{
    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Called now and then with the progress of the run.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the plan. Cancelling keeps the figures measured so far and marks the result as aborted.</summary>
    /// <exception cref="BenchmarkException">The run could not start or broke off, for example because a process ended.</exception>
    /// <exception cref="OperationCanceledException">The run was cancelled before anything was measured.</exception>
    public async Task<RunResult> RunAsync(CancellationToken cancellationToken)
    {
        await using var agents = new AgentGroup(cancellationToken);
        return library.OneProcessOnly
            ? await RunTogetherAsync(agents).ConfigureAwait(false)
            : await RunApartAsync(agents).ConfigureAwait(false);
    }

    private async Task<RunResult> RunTogetherAsync(AgentGroup agents)
    {
        AgentProcess both = agents.Add(new AgentProcess(AgentRole.Both) { Progress = Progress });
        await agents.GreetAsync(both, plan, null, Deadlines.Process).ConfigureAwait(false);
        ResultFrame result = await ResultOfAsync(agents, both).ConfigureAwait(false);
        return result.Run!;
    }

    private async Task<RunResult> RunApartAsync(AgentGroup agents)
    {
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
        RunCredentials? credentials = RunCredentials.For(plan);
        AgentProcess server = agents.Add(new AgentProcess(AgentRole.Server, plan.Pinning.ServerCores));
        string serverAt = (await agents.GreetAsync(server, plan, null, Deadlines.Process, credentials?.Server).ConfigureAwait(false))!;
        var impaired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        AgentProcess? relay = plan.Impairment.IsNone ? null : agents.Add(new AgentProcess(AgentRole.Relay) { Entered = _ => Done(impaired) });
        string clientsTarget = relay is null ? serverAt : (await agents.GreetAsync(relay, plan, serverAt, Deadlines.Process).ConfigureAwait(false))!;
        AgentProcess clients = agents.Add(new AgentProcess(AgentRole.Client, plan.Pinning.ClientCores)
        {
            Progress = Progress,
            Entered = phase => EnterAsync(server, phase),
        });
        await agents.GreetAsync(clients, plan, clientsTarget, plan.ConnectDeadline + Deadlines.Process, credentials?.Clients).ConfigureAwait(false);
        if (relay is not null)
        {
            // Before the first message, so that the relay counts the whole load.
            await relay.TellAsync(new GoFrame(), agents.Cancelled).ConfigureAwait(false);
            await agents.UnlessBrokenAsync(impaired.Task, Deadlines.Process, agents.Cancelled).ConfigureAwait(false);
        }

        await clients.TellAsync(new GoFrame(), agents.Cancelled).ConfigureAwait(false);
        ResultFrame measured = await ResultOfAsync(agents, clients).ConfigureAwait(false);
        ResultFrame? relayed = relay is null ? null : await agents.StopAsync(relay).ConfigureAwait(false);
        ResultFrame served = await agents.StopAsync(server).ConfigureAwait(false);
        await TellAsync(clients, new ByeFrame()).ConfigureAwait(false);
        await TellAsync(relay, new ByeFrame()).ConfigureAwait(false);
        await TellAsync(server, new ByeFrame()).ConfigureAwait(false);
        return ResultBuilder.Build(new RunMeasurements
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

    // The server comes first: its figures begin and end with this notification.
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

    // When the user ends the run, the measuring process is asked for the figures so far.
    private async Task<ResultFrame> ResultOfAsync(AgentGroup agents, AgentProcess agent)
    {
        try
        {
            await agents.UnlessBrokenAsync(agent.Result, Deadlines.OfRun(plan), agents.Cancelled).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (agents.Cancelled.IsCancellationRequested)
        {
            await agent.TellAsync(new StopFrame(), CancellationToken.None).ConfigureAwait(false);
            await agents.UnlessBrokenAsync(agent.Result, FrameChannel.Patience, CancellationToken.None).ConfigureAwait(false);
        }

        return await agent.Result.ConfigureAwait(false);
    }
}
