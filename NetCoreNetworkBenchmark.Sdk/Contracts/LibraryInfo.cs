using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

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

    /// <summary>The transports over which the server can send unasked. <see cref="IPeer.Wake"/> and <see cref="IPeer.IsCongested"/> work there.</summary>
    public IReadOnlyList<Protocol> ServerPushTransports { get; init; } = [];

    /// <summary>
    /// Whether the server can send to a multicast group (RFC 1112) over <see cref="Protocol.Udp"/>, and clients can join it. A client then takes two
    /// descriptors.
    /// </summary>
    public bool HasMulticastGroups { get; init; }

    /// <summary>
    /// Whether the server counts datagrams of strangers (<see cref="RunRecorder.CountUnsolicited"/>); false if the library discards them without a
    /// report.
    /// </summary>
    public bool CountsUnsolicitedDatagrams { get; init; } = true;

    /// <summary>Whether these include empty ones. A library may take them from the socket before anything can count them.</summary>
    public bool CountsEmptyDatagrams { get; init; } = true;

    /// <summary>
    /// The transports over which the clients can open one connection after the other (<see cref="IConnectionHandler"/>), with requests of HTTP/1.1 on them.
    /// </summary>
    public IReadOnlyList<Protocol> ConnectionTransports { get; init; } = [];

    /// <summary>
    /// Whether the server answers requests of HTTP and nothing else, so that only a test that opens connections (<see cref="IWorkload.OpensConnections"/>)
    /// can run with it.
    /// </summary>
    public bool ServesHttpOnly { get; init; }

    /// <summary>Whether the server counts the messages that it receives and sends; false for a program that does not report them.</summary>
    public bool CountsMessages { get; init; } = true;

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
    /// Whether the library has no IPv6. An IPv6 address is then refused before anything is started, and only the IPv4 addresses of a name are used.
    /// </summary>
    public bool IPv4Only { get; init; }

    /// <summary>The largest number of clients that one server can hold by the library's protocol; null if only the machine limits it.</summary>
    public int? MostClients { get; init; }

    /// <summary>The number of file descriptors that one client takes. With it, a limit is found before the run and not during the run.</summary>
    public int DescriptorsPerClient { get; init; } = 1;

    /// <summary>The reason why the library cannot run here although it is in this build, with the remedy; null if it can run.</summary>
    public string? Unavailable { get; init; }

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
    public int? MostServerThreads { get; init; } = 1;

    /// <summary>
    /// Whether the clients have as many threads as the plan requests, as clients that the harness polls do; otherwise, the library decides.
    /// </summary>
    public bool ClientThreadsByPlan { get; init; }

    /// <summary>
    /// The transports over which the library manages its threads itself at both sides, even if a plan can request a number of threads over other
    /// transports.
    /// </summary>
    public IReadOnlyList<Protocol> OwnThreads { get; init; } = [];

    /// <summary>Determines the properties of the library over one transport.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>A copy with the settings that have an effect there, and with the limits on threads that apply there.</returns>
    public LibraryInfo Over(Protocol protocol)
    {
        LibraryInfo there = this with { OwnThreads = [], Settings = [.. Settings.Where(setting => setting.Protocols.Contains(protocol))] };
        return OwnThreads.Contains(protocol) ? there with { MostServerThreads = 1, ClientThreadsByPlan = false } : there;
    }

    /// <summary>Determines the properties of this library's server when the clients of another library drive it.</summary>
    /// <param name="clients">The other library; null if the library's own clients drive the server.</param>
    /// <param name="protocol">The transport.</param>
    /// <returns>The properties over that transport; those that concern clients are taken from the other library.</returns>
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

    /// <summary>Gets the kinds of delivery over one transport.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>The kinds that the adapter offers, for datagrams. Over a stream, the reliable kind, which has no overhead except the records of TLS.</returns>
    public IReadOnlyList<TransmissionInfo> TransmissionsOver(Protocol protocol) =>
        protocol.IsStream() ? [new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestStreamMessage)] : Transmissions;

    /// <summary>Finds one kind of delivery among those that the adapter offers.</summary>
    /// <param name="protocol">The transport.</param>
    /// <param name="transmission">The kind of delivery.</param>
    /// <returns>Its cost and limit, or null if the library does not offer it.</returns>
    public TransmissionInfo? Find(Protocol protocol, Transmission transmission) =>
        TransmissionsOver(protocol).FirstOrDefault(candidate => candidate.Transmission == transmission);
}

/// <summary>One kind of delivery that a library offers.</summary>
/// <param name="Transmission">The kind of delivery.</param>
/// <param name="OverheadBytes">Bytes that the library adds to a message that travels alone in a packet, above UDP's own header.</param>
/// <param name="LargestMessage">The largest message in bytes.</param>
public sealed record TransmissionInfo(Transmission Transmission, int OverheadBytes, int LargestMessage);

/// <summary>A transport that a library cannot offer on this machine.</summary>
/// <param name="Protocol">The transport.</param>
/// <param name="Reason">The reason, with the remedy, without a full stop.</param>
public sealed record UnavailableProtocol(Protocol Protocol, string Reason);
