using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>The coordinator's end of the channel to one participant of a run. Disposing ends the participant, unless it was started separately.</summary>
internal interface IParticipant : IAsyncDisposable
{
    /// <summary>The subject of a sentence about the participant, such as "The server's process".</summary>
    string Name { get; }

    /// <summary>Ends with the reason when the participant cannot go on; otherwise, never ends.</summary>
    Task<Exception> Broken { get; }

    /// <summary>Null if the participant is on the coordinator's machine, or has not reported.</summary>
    HostReport? Host => null;

    bool CanSuspend => false;

    /// <summary>The process then uses no core. Its sockets keep what arrives.</summary>
    void Suspend() => throw new NotSupportedException("This participant cannot be suspended.");

    void Resume() => throw new NotSupportedException("This participant cannot be suspended.");

    Task<TimeSpan> ReadCompilationTimeAsync(CancellationToken cancellationToken) => Task.FromResult(TimeSpan.Zero);

    /// <summary>Notifies that the run is over and that connections end now.</summary>
    void Dismiss()
    {
        // Most have no connection whose end would count as lost.
    }
}

internal interface IServerHost : IParticipant
{
    string IParticipant.Name => "The server";

    string? Remark => null;

    /// <summary>Set before the start, so that <see cref="UsedCores"/> is followed.</summary>
    bool HasLiveFigures { get => false; set { } }

    /// <summary>The cores that the server's process used in the last second; null if they are not known.</summary>
    double? UsedCores => null;

    Task<ServerAddress> StartAsync(CancellationToken cancellationToken);

    Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Figures begin with <see cref="RunPhase.Measure"/> and end with <see cref="RunPhase.Drain"/>, and those of several slices add up. Pauses begin with
    /// <see cref="RunPhase.Paused"/> and end with <see cref="RunPhase.WarmUp"/>.
    /// </summary>
    void Enter(RunPhase phase)
    {
        // A server that was started separately has no figures.
    }

    /// <summary>The slices so far were a part of the warm-up. Their figures are discarded.</summary>
    void DiscardSlices()
    {
        // A server that was started separately has no slices.
    }

    /// <returns>The figures; null for a server that was started separately.</returns>
    Task<ServerReport?> StopAsync();

    Task<BenchmarkException> ExplainAsync(BenchmarkException connecting) => Task.FromResult(connecting);
}

internal interface ILoadGenerator : IParticipant
{
    string IParticipant.Name => "The clients";

    Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken);

    /// <summary>The clients are still connected when the task ends.</summary>
    Task<ClientReport> LoadAsync(CancellationToken stop);

    Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken);

    /// <summary>No slice can follow.</summary>
    Task<ClientReport> ReportAsync();
}

internal interface IRelayHost : IParticipant
{
    Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken);

    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>Called with the same phases as <see cref="IServerHost.Enter"/>.</summary>
    void Enter(RunPhase phase)
    {
        // The counts of a relay alone are of the whole load.
    }

    Task<RelayReport> StopAsync();
}
