using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>
/// Takes one plan through its phases: the server starts, the clients connect, warm up, measure and drain, and all participants end. It does not
/// depend on the places of the participants or on the number of drivers, and several coordinators may be active at a time.
/// </summary>
/// <param name="plan">The plan.</param>
/// <param name="library">The server's library, as driven by the clients' library.</param>
/// <param name="workload">The test of the plan.</param>
internal sealed class Coordinator(RunPlan plan, LibraryInfo library, IWorkload workload)
{
    private int _measuring;
    private bool _drains;

    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Called now and then with the progress of the run.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the plan, and ends the participants.</summary>
    /// <param name="participants">The participants of this run.</param>
    /// <param name="cancellationToken">Ends the current phase. The figures so far are kept, and the result is marked as aborted.</param>
    /// <exception cref="BenchmarkException">The run could not start or broke off.</exception>
    /// <exception cref="OperationCanceledException">The run was cancelled before anything was measured.</exception>
    public async Task<RunResult> RunAsync(ParticipantGroup participants, CancellationToken cancellationToken)
    {
        await using (participants.ConfigureAwait(false))
        {
            Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
            ServerAddress server = await participants.UnlessBrokenAsync(
                participants.Server.StartAsync(cancellationToken), Deadlines.Process, cancellationToken).ConfigureAwait(false);
            ProcessMemory? unconnected = await ReadMemoryAsync(participants, cancellationToken).ConfigureAwait(false);
            await ConnectAsync(participants, server, cancellationToken).ConfigureAwait(false);
            ProcessMemory? idle = await ReadMemoryAsync(participants, cancellationToken).ConfigureAwait(false);
            if (participants.Relay is { } relay)
            {
                // Before the first message, so that the relay counts the whole load.
                await participants.UnlessBrokenAsync(relay.BeginAsync(cancellationToken), Deadlines.Process, cancellationToken).ConfigureAwait(false);
            }

            ClientReport[] measured = await LoadAsync(participants, cancellationToken).ConfigureAwait(false);
            RelayReport? relayed = participants.Relay is null ? null : await StopAsync(participants, participants.Relay.StopAsync()).ConfigureAwait(false);
            ServerReport? served = await StopAsync(participants, participants.Server.StopAsync()).ConfigureAwait(false);
            await participants.DismissAsync().ConfigureAwait(false);
            return ResultBuilder.Build(new RunMeasurements
            {
                Plan = plan,
                Library = library,
                Workload = workload,
                EndPoint = server.EndPoint,
                Drivers = measured,
                Server = served,
                ServerMemory = unconnected is null || idle is null ? null : ServerMemoryOf(unconnected, idle),
                OneProcess = participants.OneProcess,
                Relay = relayed,
                Fitness = fitness,
            });
        }
    }

    private static Task<T> StopAsync<T>(ParticipantGroup participants, Task<T> stopping) =>
        participants.UnlessBrokenAsync(stopping, Deadlines.Result, CancellationToken.None);

    private static ServerMemory ServerMemoryOf(ProcessMemory unconnected, ProcessMemory idle) =>
        new(unconnected.ResidentBytes, idle.ResidentBytes, unconnected.ManagedBytes, idle.ManagedBytes);

    private async Task<ProcessMemory?> ReadMemoryAsync(ParticipantGroup participants, CancellationToken cancellationToken) => workload.MeasuresIdleClients
        ? await participants.UnlessBrokenAsync(
            participants.Server.ReadMemoryAsync(cancellationToken), Deadlines.Result, cancellationToken).ConfigureAwait(false)
        : null;

    private async Task ConnectAsync(ParticipantGroup participants, ServerAddress server, CancellationToken cancellationToken)
    {
        IPEndPoint target = participants.Relay is not { } relay
            ? server.EndPoint
            : await participants.UnlessBrokenAsync(relay.StartAsync(server.EndPoint, cancellationToken), Deadlines.Process, cancellationToken)
                .ConfigureAwait(false);
        var events = new DriverEvents(progress => Progress?.Invoke(progress), phase => EnterAsync(participants, phase));
        Task connecting = Task.WhenAll(participants.Drivers.Select(driver =>
            driver.ConnectAsync(server with { EndPoint = target }, events, cancellationToken)));
        try
        {
            await participants.UnlessBrokenAsync(connecting, plan.ConnectDeadline + Deadlines.Process, cancellationToken).ConfigureAwait(false);
        }
        catch (BenchmarkException exception) when (connecting.IsFaulted)
        {
            throw participants.Server.Explain(exception);
        }
    }

    // If the user ends the run, the drivers return the figures so far.
    private Task<ClientReport[]> LoadAsync(ParticipantGroup participants, CancellationToken cancellationToken) => participants.UnlessBrokenAsync(
        Task.WhenAll(participants.Drivers.Select(driver => driver.LoadAsync(cancellationToken))), Deadlines.OfRun(plan), CancellationToken.None);

    // The server's figures cover the time in which all drivers measure.
    private async Task EnterAsync(ParticipantGroup participants, RunPhase phase)
    {
        if (phase == RunPhase.Measure ? Interlocked.Increment(ref _measuring) == participants.Drivers.Count : !Interlocked.Exchange(ref _drains, true))
        {
            await participants.Server.EnterAsync(phase).ConfigureAwait(false);
        }
    }
}
