using System.Reflection;

namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>The properties and capabilities of a library: the row of <c>--list</c>, and the limits that a plan is checked against.</summary>
public sealed record LibraryInfo
{
    /// <summary>The name by which the user selects the library (<c>-l</c>), compared without regard to case.</summary>
    public required string Name { get; init; }

    /// <summary>The version of the code that was actually loaded, read from that code.</summary>
    public required string Version { get; init; }

    /// <summary>The transports that the adapter offers.</summary>
    public required IReadOnlyList<Protocol> Protocols { get; init; }

    /// <summary>Transports that the adapter supports but cannot offer here, with the reason and the remedy.</summary>
    public IReadOnlyList<UnavailableProtocol> UnavailableProtocols { get; init; } = [];

    /// <summary>The transports over which the server can push. <see cref="IPeer.Wake"/> and <see cref="IPeer.IsCongested"/> work there.</summary>
    public IReadOnlyList<Protocol> ServerPushTransports { get; init; } = [];

    /// <summary>
    /// Whether the server can send to a multicast group (RFC 1112) over <see cref="Protocol.Udp"/>, and clients can join it. A client then takes two
    /// descriptors.
    /// </summary>
    public bool HasMulticastGroups { get; init; }

    /// <summary>
    /// Whether the server counts unsolicited datagrams (<see cref="WorkerStatistics.CountUnsolicitedDatagram"/>); false if the library discards them without a
    /// report.
    /// </summary>
    public bool CountsUnsolicitedDatagrams { get; init; } = true;

    /// <summary>
    /// The transports over which the library itself allocates memory for each message, so that a check cannot measure whether the adapter allocates too.
    /// </summary>
    public IReadOnlyList<Protocol> AllocatingTransports { get; init; } = [];

    /// <summary>
    /// The transports over which the clients can open one connection after the other (<see cref="IConnectionHandler"/>), with requests of HTTP/1.1 on them.
    /// </summary>
    public IReadOnlyList<Protocol> ConnectionTransports { get; init; } = [];

    /// <summary>
    /// The framings of streams that the library serves: all of them if its connections derive from <see cref="AdapterKit.Streams.StreamPeer"/>, and by default
    /// <see cref="Framing.Fixed"/>, for a library that divides its streams itself; <see cref="Framing.Http"/> alone for a server that answers requests by
    /// itself.
    /// </summary>
    public IReadOnlyList<Framing> Framings { get; init; } = [Framing.Fixed];

    /// <summary>
    /// The protocol that the library adds to its streams, such as <c>WebSocket</c>; null if there are only the framed messages on a stream. Clients drive
    /// servers of the same wire format alone.
    /// </summary>
    public string? WireFormat { get; init; }

    /// <summary>
    /// Whether a datagram over UDP is a message and nothing else, after the hello of <see cref="AdapterKit.Datagrams.DatagramHandshake"/>. The clients of
    /// another library with plain datagrams can then drive the server; otherwise, only the library's own clients can.
    /// </summary>
    public bool HasPlainDatagrams { get; init; }

    /// <summary>
    /// Whether the adapter exchanges messages. Otherwise, its server answers requests of HTTP by itself and does not report them, so that only an
    /// <see cref="IConnectionWorkload"/> can run with it.
    /// </summary>
    public bool CarriesMessages => Framings.Any(framing => framing != Framing.Http);

    /// <summary>Whether the library has clients. If it has none, the clients of another library drive its server.</summary>
    public bool HasClients { get; init; } = true;

    /// <summary>
    /// The rank of this library's clients for driving a server that has no clients of its own, over a stream. The clients of the library with the
    /// highest rank that offers the transport are chosen. 0 for a library that is never chosen in this way; the faster the clients, the higher the
    /// rank.
    /// </summary>
    public int ClientRank { get; init; }

    /// <summary>
    /// The kinds of delivery that the adapter offers over datagrams, with their cost and limit. Over a stream there is one kind, and it is the same
    /// for all libraries.
    /// </summary>
    public required IReadOnlyList<TransmissionInfo> Transmissions { get; init; }

    /// <summary>
    /// The addresses that the library supports. Others are refused before anything is started, and only the supported addresses of a name are used.
    /// </summary>
    public AddressSupport Addresses { get; init; }

    /// <summary>The largest number of clients that one server can hold by the library's protocol; null if only the machine limits it.</summary>
    public int? MaxClients { get; init; }

    /// <summary>The number of file descriptors that one client takes. With it, a limit is found before the run and not during the run.</summary>
    public int DescriptorsPerClient { get; init; } = 1;

    /// <summary>The reason why the library cannot run here although it is in this build, with the remedy; null if it can run.</summary>
    public string? Unavailable { get; init; }

    /// <summary>The largest number of channels of reliable delivery that a plan can request over UDP, each in an order of its own.</summary>
    public int Channels { get; init; } = 1;

    /// <summary>Whether the library is the raw sockets of the machine, to compare others with. It is not ranked among them.</summary>
    public bool IsBaseline { get; init; }

    /// <summary>The settings of the library that the user can choose.</summary>
    public IReadOnlyList<LibrarySetting> Settings { get; init; } = [];

    /// <summary>Whether <see cref="Profile.Tuned"/> differs from the default.</summary>
    public bool HasTunedProfile => Settings.Any(setting => setting.Tuned != setting.Default);

    /// <summary>
    /// The largest number of threads that a plan can request for the server; null if there is no limit. 1 if the library's server is one object on
    /// one thread, or if the library manages its threads itself.
    /// </summary>
    public int? MaxServerThreads { get; init; } = 1;

    /// <summary>
    /// The transports over which the library has a call that sends one message to all clients, such as <c>enet_host_broadcast</c>. The server offers it as a
    /// peer (<see cref="ServerSetup.SendsToAll"/>).
    /// </summary>
    public IReadOnlyList<Protocol> BroadcastTransports { get; init; } = [];

    /// <summary>
    /// The transports over which the harness runs the server's loop, so that a plan can request its updates (<see cref="RunPlan.ServerUpdateRate"/>).
    /// </summary>
    public IReadOnlyList<Protocol> UpdateTransports { get; init; } = [];

    /// <summary>
    /// Whether the clients have as many threads as the plan requests, as clients that the harness polls do; otherwise, the library decides.
    /// </summary>
    public bool ClientThreadsByPlan { get; init; }

    /// <summary>
    /// The transports over which the library manages its threads itself at both sides, even if a plan can request a number of threads over other
    /// transports.
    /// </summary>
    public IReadOnlyList<Protocol> OwnThreads { get; init; } = [];

    /// <summary>
    /// The library's own rules: returns the error, with the option, the fault and the remedy, of a plan that the library cannot carry out although all its
    /// other properties allow it, such as one with settings that exclude each other; null if there is no such fault.
    /// </summary>
    public Func<RunPlan, IWorkload, BenchmarkException?> FindFault { get; init; } = static (_, _) => null;

    /// <summary>Gets whether the clients of another library and this server understand each other over a transport.</summary>
    public bool HasFormatOf(LibraryInfo clients, Protocol protocol)
    {
        ArgumentNullException.ThrowIfNull(clients);
        return protocol.IsStream() ? WireFormat == clients.WireFormat : Name == clients.Name || (HasPlainDatagrams && clients.HasPlainDatagrams);
    }

    /// <summary>Gets a copy with the settings that have an effect over one transport, and with the limits on threads that apply there.</summary>
    public LibraryInfo Over(Protocol protocol)
    {
        LibraryInfo info = this with { OwnThreads = [], Settings = [.. Settings.Where(setting => setting.Protocols.Contains(protocol))] };
        return OwnThreads.Contains(protocol) ? info with { MaxServerThreads = 1, ClientThreadsByPlan = false } : info;
    }

    /// <summary>
    /// Gets the properties of this library's server when the clients of another library drive it, from which those that concern clients are taken; null for
    /// its own clients.
    /// </summary>
    public LibraryInfo DrivenBy(LibraryInfo? clients, Protocol protocol)
    {
        clients = (clients ?? this).Over(protocol);
        return Over(protocol) with
        {
            HasClients = clients.HasClients,
            DescriptorsPerClient = Math.Max(DescriptorsPerClient, clients.DescriptorsPerClient),
            ClientThreadsByPlan = clients.ClientThreadsByPlan,
        };
    }

    /// <summary>
    /// Gets the kinds of delivery over one transport. Over a stream, it is the reliable kind, which has no overhead except the records of TLS.
    /// </summary>
    public IReadOnlyList<TransmissionInfo> TransmissionsOver(Protocol protocol) =>
        protocol.IsStream() ? [new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestStreamMessage)] : Transmissions;

    /// <summary>Gets the cost and limit of one kind of delivery; null if the library does not offer it.</summary>
    public TransmissionInfo? Find(Protocol protocol, Transmission transmission) =>
        TransmissionsOver(protocol).FirstOrDefault(candidate => candidate.Transmission == transmission);

    /// <summary>Gets the version of the assembly of a type, such as one of the library, as its package has it and without the commit of its build.</summary>
    public static string VersionOf(Type type) =>
        type.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
            ?? type.Assembly.GetName().Version!.ToString();
}

/// <summary>The addresses that a library supports.</summary>
public enum AddressSupport
{
    /// <summary>All addresses of IPv4 and IPv6.</summary>
    All,

    /// <summary>All but addresses of IPv6 with a zone (RFC 4007), which names an interface.</summary>
    WithoutZone,

    /// <summary>Addresses of IPv4.</summary>
    IPv4,
}

/// <summary>One kind of delivery that a library offers.</summary>
/// <param name="Transmission">The kind of delivery.</param>
/// <param name="OverheadBytes">Bytes that the library adds to a message that travels alone in a packet, above UDP's own header.</param>
/// <param name="LargestMessage">The largest message in bytes.</param>
public sealed record TransmissionInfo(Transmission Transmission, int OverheadBytes, int LargestMessage)
{
    /// <summary>The parts of the overhead in the definition of the protocol, such as "2 of the header (protocol.h)"; null if there are none.</summary>
    public string? OverheadParts { get; init; }
}

/// <summary>A transport that a library cannot offer on this machine.</summary>
/// <param name="Protocol">The transport.</param>
/// <param name="Reason">The reason, with the remedy, without a full stop.</param>
public sealed record UnavailableProtocol(Protocol Protocol, string Reason);
