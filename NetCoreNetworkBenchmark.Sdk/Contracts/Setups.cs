namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>The parameters with which an adapter starts a server.</summary>
public sealed record ServerSetup
{
    /// <summary>The address to bind to; port 0 lets the system choose.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>
    /// Whether other sockets of this server have the same port, so that this socket must be allowed to share it (SO_REUSEPORT). Only for a plan with
    /// several server threads.
    /// </summary>
    public bool SharesPort { get; init; }

    /// <summary>
    /// The multicast group that is an additional peer of the server (<see cref="IPeer.IsGroup"/>). Its port is the server's own port. Null for none.
    /// Only for libraries with <see cref="LibraryInfo.HasMulticastGroups"/>. The plan names the interface.
    /// </summary>
    public IPAddress? Group { get; init; }

    /// <summary>
    /// Whether the workload sends each message to all clients by one call. The server then has an additional peer that represents all clients
    /// (<see cref="IPeer.IsGroup"/>). Only for libraries with such a call (<see cref="LibraryInfo.BroadcastTransports"/>), and for a plan with one server
    /// thread.
    /// </summary>
    public bool SendsToAll { get; init; }

    /// <summary>
    /// Returns the most stream connections that may be open at the same time. If no descriptor is left, the runtime cannot open a file of /proc, reports
    /// "Out of memory" and ends the process. So a server leaves descriptors free, also when its limit is changed while it runs (prlimit(2)).
    /// </summary>
    public Func<int> MaxConnections { get; init; } = () => int.MaxValue;

    /// <summary>The plan of the run.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>
    /// The server's certificate and key, and the authority that it trusts; null unless the plan's transport has TLS (<see cref="ProtocolRules.HasTls"/>).
    /// </summary>
    public TlsCredentials? Credentials { get; init; }

    /// <summary>The handler that is called.</summary>
    public required IServerHandler Handler { get; init; }

    /// <summary>The recorder of statistics and errors.</summary>
    public required RunRecorder Recorder { get; init; }
}

/// <summary>The parameters with which an adapter connects a group of clients.</summary>
public sealed record ClientSetup
{
    /// <summary>The shortest interval between two calls of <see cref="IClientHandler.OnTick"/>.</summary>
    public static readonly TimeSpan TickInterval = TimeSpan.FromMilliseconds(50);

    /// <summary>The address on which the server listens.</summary>
    public required IPEndPoint EndPoint { get; init; }

    /// <summary>
    /// The multicast group that each client joins in addition to its connection, on the server's port; null for none. Messages from the group go to
    /// the same <see cref="IPeerHandler.OnMessage"/>.
    /// </summary>
    public IPAddress? Group { get; init; }

    /// <summary>
    /// Whether the server pushes and the clients listen. The plan's rate then applies to the server, and the clients have no schedule.
    /// </summary>
    public bool Listens { get; init; }

    /// <summary>The plan of the run; it contains the number of clients.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>
    /// The authority that the clients trust, and the certificate that they present; null unless the plan's transport has TLS
    /// (<see cref="ProtocolRules.HasTls"/>).
    /// </summary>
    public TlsCredentials? Credentials { get; init; }

    /// <summary>
    /// The schedule by which clients send, in an open loop; null in a closed loop, and if the clients only listen. <see cref="IClientHandler.OnDue"/>
    /// follows it. By default that of the plan, unless the clients listen.
    /// </summary>
    public SendSchedule? Schedule
    {
        get => field ?? (Listens ? null : SendSchedule.From(Plan));
        init;
    }

    /// <summary>The handler that is called, unless the clients open connections.</summary>
    public IClientHandler Handler
    {
        get => field ?? NoHandler();
        init;
    }

    /// <summary>The handler of clients that open one connection after the other; null for clients that exchange messages.</summary>
    public IConnectionHandler? Connections { get; init; }

    /// <summary>The recorder of statistics and errors.</summary>
    public required RunRecorder Recorder { get; init; }

    private static IClientHandler NoHandler() => throw new InvalidOperationException("The clients open connections, so the setup has no handler of messages.");
}

/// <summary>
/// Certificates and keys of a run, in PEM (RFC 7468), so that they can be handed to another process and to any TLS library. A side is not required to
/// have the parts that it does not use.
/// </summary>
public sealed record TlsCredentials
{
    /// <summary>The certificate of the authority that signs the other certificates. Both sides verify against it.</summary>
    public required string Authority { get; init; }

    /// <summary>The server's certificate, followed by the certificates between it and the authority.</summary>
    public string? ServerCertificate { get; init; }

    /// <summary>The key of the server's certificate (PKCS #8, not encrypted).</summary>
    public string? ServerKey { get; init; }

    /// <summary>The clients' certificate; null if clients present none.</summary>
    public string? ClientCertificate { get; init; }

    /// <summary>The key of the clients' certificate (PKCS #8, not encrypted).</summary>
    public string? ClientKey { get; init; }

    /// <summary>Gets the part that clients need.</summary>
    /// <returns>A copy without the server's certificate and key.</returns>
    public TlsCredentials ForClients() => this with { ServerCertificate = null, ServerKey = null };

    /// <summary>Returns a text that contains no key, because keys must not be printed or logged.</summary>
    public override string ToString() => "TLS credentials";
}
