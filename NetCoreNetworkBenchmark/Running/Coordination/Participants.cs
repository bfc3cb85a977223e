using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>
/// The coordinator's end of the channel to one participant of a run. The participant is in this process, in a process that was started for it, or is a server
/// that was started apart. Disposing ends it, unless it was started apart.
/// </summary>
internal interface IParticipant : IAsyncDisposable
{
    /// <summary>Ends with the reason when the participant cannot go on; otherwise, never ends.</summary>
    Task<Exception> Broken { get; }

    /// <summary>The host of the participant; null if it is on the coordinator's machine, or has not reported.</summary>
    HostReport? Host => null;

    /// <summary>Whether <see cref="Suspend"/> is possible: the participant is a process of its own on this machine, and the system can stop one.</summary>
    bool CanSuspend => false;

    /// <summary>Stops the process where it is, so that it uses no core. Its sockets keep what arrives.</summary>
    void Suspend() => throw new NotSupportedException("This participant cannot be suspended.");

    /// <summary>Lets a suspended process go on.</summary>
    void Resume() => throw new NotSupportedException("This participant cannot be suspended.");

    /// <summary>Reads the time in which the JIT compiler has worked so far; zero if there is none.</summary>
    Task<TimeSpan> ReadCompilationTimeAsync(CancellationToken cancellationToken) => Task.FromResult(TimeSpan.Zero);

    /// <summary>Notifies that the run is over and that connections end now.</summary>
    Task DismissAsync();
}

/// <summary>The server of a run.</summary>
internal interface IServerHost : IParticipant
{
    /// <summary>A remark about the server for the result; null if there is none.</summary>
    string? Remark => null;

    /// <summary>Starts the server. It answers when the task ends.</summary>
    /// <exception cref="BenchmarkException">The server cannot be started.</exception>
    Task<ServerAddress> StartAsync(CancellationToken cancellationToken);

    /// <summary>Reads the current memory use of the server's process.</summary>
    Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Notifies that the clients have entered a phase. Figures begin with <see cref="RunPhase.Measure"/> and end with <see cref="RunPhase.Drain"/>; those
    /// of several slices add up. Pauses begin with <see cref="RunPhase.Paused"/> and end with <see cref="RunPhase.WarmUp"/>.
    /// </summary>
    Task EnterAsync(RunPhase phase);

    /// <summary>Requests the figures.</summary>
    /// <returns>The figures; null for a server that was started apart.</returns>
    Task<ServerReport?> StopAsync();

    /// <summary>Returns the sentence for the user if no client could connect to this server.</summary>
    Task<BenchmarkException> ExplainAsync(BenchmarkException connecting) => Task.FromResult(connecting);
}

/// <summary>The address of a server, and the credentials that its clients need.</summary>
/// <param name="EndPoint">The end point to connect to.</param>
/// <param name="ForClients">The authority to trust and the certificate to show; null without TLS.</param>
internal sealed record ServerAddress(IPEndPoint EndPoint, TlsCredentials? ForClients);

/// <summary>Some of the clients of a run, or all of them.</summary>
internal interface ILoadGenerator : IParticipant
{
    /// <summary>Connects the clients.</summary>
    /// <exception cref="BenchmarkException">Not all clients connected before the deadline.</exception>
    Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken);

    /// <summary>Runs the load. The clients are still connected when the task ends.</summary>
    /// <param name="stop">Ends the load early. The figures so far are returned.</param>
    /// <exception cref="BenchmarkException">The load broke off.</exception>
    Task<ClientReport> LoadAsync(CancellationToken stop);

    /// <summary>Runs the load for a while.</summary>
    /// <param name="request">The lengths of its parts, and whether it is paused afterwards.</param>
    /// <param name="cancellationToken">Ends the wait for the slice.</param>
    /// <exception cref="BenchmarkException">The load broke off.</exception>
    Task<SliceReport> SliceAsync(SliceRequest request, CancellationToken cancellationToken);

    /// <summary>Returns the figures of all slices. No slice can follow.</summary>
    Task<ClientReport> ReportAsync();
}

/// <summary>The relay that impairs the traffic between clients and server.</summary>
internal interface IRelayHost : IParticipant
{
    /// <summary>Starts the relay, which passes traffic unchanged at first.</summary>
    /// <returns>The end point to which clients connect.</returns>
    Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken);

    /// <summary>Begins to impair the traffic and to count it.</summary>
    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>Ends the impairment and requests the counts.</summary>
    Task<RelayReport> StopAsync();
}
