using System.Net;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>What an adapter needs to start a server.</summary>
public sealed record ServerSetup
{
    /// <summary>Where to bind; port 0 lets the system choose.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>
    /// Whether other sockets of this server have the same port, so that this one must be allowed to share it
    /// (<see cref="SharedPort.Enable"/>). Only for a plan with several server threads.
    /// </summary>
    public bool SharesPort { get; init; }

    /// <summary>
    /// The multicast group that is one more peer of the server (<see cref="IPeer.IsGroup"/>), to be sent to on the server's own port; null for
    /// none. Only for libraries that say <see cref="LibraryInfo.HasMulticastGroups"/>. The plan names the interface.
    /// </summary>
    public IPAddress? Group { get; init; }

    /// <summary>
    /// Whether the workload sends the same to all clients. A library that has a call of its own for that then offers one peer more, which is all of
    /// them (<see cref="IPeer.IsGroup"/>); without such a peer the workload sends to each client by itself.
    /// </summary>
    public bool SendsToAll { get; init; }

    /// <summary>The plan of the run.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>The server's certificate and key, and whom it trusts; null unless the plan's transport is <see cref="Protocol.Ssl"/>.</summary>
    public TlsCredentials? Credentials { get; init; }

    /// <summary>Whom to call.</summary>
    public required IServerHandler Handler { get; init; }

    /// <summary>Where statistics and errors go.</summary>
    public required RunRecorder Recorder { get; init; }
}

/// <summary>What an adapter needs to connect a group of clients.</summary>
public sealed record ClientSetup
{
    /// <summary>How often <see cref="IClientHandler.OnTick"/> comes at the least distance.</summary>
    public static readonly TimeSpan TickInterval = TimeSpan.FromMilliseconds(50);

    /// <summary>Where the server listens.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>
    /// The multicast group that each client joins beside its connection, on the server's port; null for none. What comes from there goes to the
    /// same <see cref="IPeerHandler.OnMessage"/>.
    /// </summary>
    public IPAddress? Group { get; init; }

    /// <summary>Whether the server sends unasked and the clients listen: the plan's rate is the server's then, and theirs has no schedule.</summary>
    public bool Listens { get; init; }

    /// <summary>The plan of the run; it says how many clients.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>Whom the clients trust, and what they show; null unless the plan's transport is <see cref="Protocol.Ssl"/>.</summary>
    public TlsCredentials? Credentials { get; init; }

    /// <summary>The name or address that the server's certificate must be for. The zone of an IPv6 address (RFC 4007) is no part of it.</summary>
    public string ServerName => Plan.Tls.ServerName ?? Plan.Address.Split('%')[0];

    /// <summary>When clients are to send, in an open loop; null in a closed loop, and where they listen. <see cref="IClientHandler.OnDue"/> follows it.</summary>
    public SendSchedule? Schedule => Plan.Rate is { } rate && !Listens ? new SendSchedule(rate, Plan.Clients) : null;

    /// <summary>Whom to call.</summary>
    public required IClientHandler Handler { get; init; }

    /// <summary>Where statistics and errors go.</summary>
    public required RunRecorder Recorder { get; init; }
}
