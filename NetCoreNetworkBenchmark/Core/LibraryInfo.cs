namespace NetCoreNetworkBenchmark.Core;

/// <summary>What a library is and can do: the row of <c>--list</c>, and the limits that a plan is checked against.</summary>
public sealed record LibraryInfo
{
    /// <summary>The name by which the user asks for it (<c>-l</c>), compared without regard to case.</summary>
    public required string Name { get; init; }

    /// <summary>The version of the code that was really loaded, read from that code.</summary>
    public required string Version { get; init; }

    /// <summary>The transports that the adapter offers.</summary>
    public required IReadOnlyList<Protocol> Protocols { get; init; }

    /// <summary>Transports that the adapter has and cannot offer here, with the reason and the remedy.</summary>
    public IReadOnlyList<UnavailableProtocol> UnavailableProtocols { get; init; } = [];

    /// <summary>The transports over which the server can send without being asked: <see cref="IPeer.Wake"/> and <see cref="IPeer.IsCongested"/> work there.</summary>
    public IReadOnlyList<Protocol> SendsUnasked { get; init; } = [];

    /// <summary>
    /// Whether the server can send to a multicast group (RFC 1112) over <see cref="Protocol.Udp"/>, and clients can join it
    /// (<see cref="MulticastGroup"/>). A client takes two descriptors then.
    /// </summary>
    public bool HasMulticastGroups { get; init; }

    /// <summary>
    /// Whether the server counts datagrams of strangers (<see cref="ForeignTraffic.Datagrams"/>); false where the library passes over them and
    /// reports it to nobody.
    /// </summary>
    public bool CountsForeignDatagrams { get; init; } = true;

    /// <summary>Whether the library has clients; where it has none, another's drive its server.</summary>
    public bool HasClients { get; init; } = true;

    /// <summary>
    /// Whose clients drive a server that has none of its own, over a stream: those of the library with the highest rank that offers the
    /// transport. 0 for a library that is never chosen so; the faster its clients, the higher.
    /// </summary>
    public int ClientRank { get; init; }

    /// <summary>The kinds of delivery that the adapter offers over datagrams, with their cost and limit. Over a stream there is one, and it is the same for all.</summary>
    public required IReadOnlyList<TransmissionInfo> Transmissions { get; init; }

    /// <summary>Whether the library has no IPv6. An IPv6 address is refused before anything is started, and of a name's addresses only those of IPv4 are used.</summary>
    public bool IPv4Only { get; init; }

    /// <summary>The most clients that one server can hold by the library's protocol; null where only the machine limits it.</summary>
    public int? MostClients { get; init; }

    /// <summary>File descriptors that one client takes, so that a limit is found before the run and not in it.</summary>
    public int DescriptorsPerClient { get; init; } = 1;

    /// <summary>Why the library cannot run here although it is in this build, with the remedy; null where it can.</summary>
    public string? Unavailable { get; init; }

    /// <summary>Whether server and clients must be in one process, because nothing but its memory joins them.</summary>
    public bool OneProcessOnly { get; init; }

    /// <summary>Whether the predefined benchmark leaves the library out, so that it runs only by its name.</summary>
    public bool OnlyWhenAsked { get; init; }

    /// <summary>What the user can choose of how the library works.</summary>
    public IReadOnlyList<LibrarySetting> Settings { get; init; } = [];

    /// <summary>Whether <see cref="Profile.Tuned"/> differs from the default.</summary>
    public bool HasTunedProfile => Settings.Any(setting => setting.Tuned != setting.Default);

    /// <summary>
    /// The most threads that a plan can ask for at the server; null where any number can be had. 1 where the library's server is one object
    /// on one thread, or where its threads are its own.
    /// </summary>
    public int? MostServerThreads { get; init; } = 1;

    /// <summary>
    /// Whether the clients have as many threads as the plan asks for, as a <see cref="Polling.PolledClientGroup"/> has; otherwise the
    /// library decides.
    /// </summary>
    public bool ClientThreadsByPlan { get; init; }

    /// <summary>The transports over which the library's threads are its own at both sides, whatever it lets a plan ask for over others.</summary>
    public IReadOnlyList<Protocol> OwnThreads { get; init; } = [];

    /// <summary>What is true of the library over one transport.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>The same with the settings that have an effect there, and the threads that a plan can ask for there.</returns>
    public LibraryInfo Over(Protocol protocol)
    {
        LibraryInfo there = this with { OwnThreads = [], Settings = [.. Settings.Where(setting => setting.Protocols.Contains(protocol))] };
        return OwnThreads.Contains(protocol) ? there with { MostServerThreads = 1, ClientThreadsByPlan = false } : there;
    }

    /// <summary>What there is to know of this library's server where another library's clients drive it.</summary>
    /// <param name="clients">The other library; null where the library's own clients do.</param>
    /// <param name="protocol">The transport.</param>
    /// <returns>What is true over that transport, with what concerns clients taken from the other.</returns>
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

    /// <summary>The kinds of delivery over one transport.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>What the adapter says of datagrams; over a stream the reliable one, which costs nothing but TLS' own records.</returns>
    public IReadOnlyList<TransmissionInfo> TransmissionsOver(Protocol protocol) =>
        protocol.IsStream() ? [new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestStreamMessage)] : Transmissions;

    /// <summary>Finds what the adapter says of one kind of delivery.</summary>
    /// <param name="protocol">The transport.</param>
    /// <param name="transmission">The kind of delivery.</param>
    /// <returns>Its cost and limit, or null where the library does not offer it.</returns>
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
/// <param name="Reason">Why, with the remedy, without a full stop.</param>
public sealed record UnavailableProtocol(Protocol Protocol, string Reason);
