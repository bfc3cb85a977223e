using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>All parameters that define one run. Immutable; validated before it reaches the runner; plain enough to serialize.</summary>
public sealed record RunPlan
{
    /// <summary>
    /// The largest payload of a UDP datagram over IPv4 (RFC 791): 65,535 less the headers of IP (20) and UDP (8). Over IPv6 (RFC 8200) it would be 65,527;
    /// the limit is the same for both, so that every load can be run over both.
    /// </summary>
    public const int LargestDatagram = 65_507;

    /// <summary>The largest message over a stream, in bytes: it must fit in memory as a whole.</summary>
    public const int LargestStreamMessage = 32 * 1024 * 1024;

    /// <summary>The least value of <see cref="SmallestMessage"/>, in bytes: that of the tag by which an answer is recognized.</summary>
    public const int SmallestOfRange = 16;

    private const int MinPushed = 64;

    /// <summary>The workload's name; empty for the default of the build.</summary>
    public string Test { get; init; } = string.Empty;

    /// <summary>The library's name.</summary>
    public required string Library { get; init; }

    /// <summary>
    /// The values of the library's settings by their names, as the library spells both. The command line names all of them. If one is missing, its
    /// default applies.
    /// </summary>
    public IReadOnlyDictionary<string, string> Settings { get; init => field = new EquatableDictionary(value); } = EquatableDictionary.Empty;

    /// <summary>Assemblies outside the program whose libraries and workloads the run can use; null if there are none.</summary>
    public IReadOnlyList<AdapterAssembly>? Assemblies { get; init => field = value is null ? null : new EquatableList<AdapterAssembly>(value); }

    /// <summary>The profile that determines <see cref="Settings"/> if the user did not choose.</summary>
    public Profile Profile { get; init; } = Profile.Default;

    /// <summary>The value of a setting by which the case differs from others of its library in a benchmark; null if there are no others.</summary>
    public string? Variant { get; init; }

    /// <summary>The transport.</summary>
    public Protocol Protocol { get; init; } = Protocol.Udp;

    /// <summary>How a stream is divided into messages; no effect on datagrams.</summary>
    public Framing Framing { get; init; } = Framing.Fixed;

    /// <summary>Heartbeats and reconnection.</summary>
    public LivenessPlan Liveness { get; init; } = new();

    /// <summary>The TLS settings.</summary>
    public TlsPlan Tls { get; init; } = new();

    /// <summary>The name of the library whose clients drive the server; null for the clients of the server's own library.</summary>
    public string? ClientLibrary { get; init; }

    /// <summary>The values of the settings of <see cref="ClientLibrary"/>; no effect if that is null.</summary>
    public IReadOnlyDictionary<string, string> ClientSettings { get; init => field = new EquatableDictionary(value); } = EquatableDictionary.Empty;

    /// <summary>
    /// The address of the interface that sends to and receives from a multicast group (<see cref="Address"/> is then the address of the group). The
    /// loopback by default, so that nothing leaves the machine.
    /// </summary>
    public string MulticastInterface { get; init; } = "127.0.0.1";

    /// <summary>The kind of delivery; always reliable over a stream.</summary>
    public Transmission Transmission { get; init; } = Transmission.Unreliable;

    /// <summary>The server's address as the user gave it: an IPv4 or IPv6 address, or a host name.</summary>
    public string Address { get; init; } = "127.0.0.1";

    /// <summary>The server's port; 0 lets the system choose one.</summary>
    public int Port { get; init; } = 3333;

    /// <summary>The number of clients that are connected at the same time.</summary>
    public int Clients { get; init; } = 1000;

    /// <summary>The number of server threads, each with its own socket; 1 or more, and not more than the library allows.</summary>
    public int ServerThreads { get; init; } = 1;

    /// <summary>
    /// The number of threads that serve the clients, if the library leaves it to the plan; 1 or more. Never more than the number of clients are used
    /// (<see cref="UsedClientThreads"/>).
    /// </summary>
    public int ClientThreads { get; init; } = new PinningPlan().DefaultClientThreads;

    /// <summary>The number of threads that actually serve the clients: the requested number, but never more than there are clients.</summary>
    [JsonIgnore]
    public int UsedClientThreads => Math.Min(Clients, ClientThreads);

    /// <summary>
    /// The name or address that the server's certificate is for. The address of another host is not known before its server listens, so the name is the
    /// host's. The zone of an IPv6 address (RFC 4007) is not part of it.
    /// </summary>
    [JsonIgnore]
    public string ServerName => (Tls.ServerName ?? Hosts.ServerName ?? Address).Split('%')[0];

    /// <summary>The multicast group that the server sends to; null if the address is not that of a group.</summary>
    [JsonIgnore]
    public IPAddress? MulticastGroup => IPAddress.TryParse(Address, out IPAddress? address) && address.IsMulticastGroup() ? address : null;

    /// <summary>The number of messages that every client keeps in flight.</summary>
    public int ParallelMessages { get; init; } = 1;

    /// <summary>The size of a message in bytes; that of the largest if <see cref="SmallestMessage"/> is not null.</summary>
    public int MessageSize { get; init; } = 32;

    /// <summary>
    /// The size of the smallest message in bytes, if the sizes are uniformly distributed from it to <see cref="MessageSize"/> by <see cref="Seed"/>, or are
    /// those of a <see cref="Payload"/>; null if all messages have one size.
    /// </summary>
    public int? SmallestMessage { get; init; }

    /// <summary>Recorded messages, whose sizes are then the other values of this plan; null for messages of <see cref="MessageLoad"/>.</summary>
    public Payload? Payload { get; init; }

    /// <summary>The mean size of a message in bytes.</summary>
    [JsonIgnore]
    public double MeanMessageSize => Payload?.MeanSize ?? (MessageSize + (double)(SmallestMessage ?? MessageSize)) / 2;

    /// <summary>The content of a message.</summary>
    public MessageLoad MessageLoad { get; init; } = MessageLoad.Ones;

    /// <summary>The longest time for which the load runs before it counts. The warm-up ends earlier when the rate is steady.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The time for which the load runs and counts, over all iterations.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The number of equal parts of the duration, each with a rate of its own.</summary>
    public int Iterations { get; init; } = 1;

    /// <summary>
    /// The number of messages per second over all clients, sent on schedule whether or not answers arrive (open loop); null for a closed loop, in
    /// which <see cref="ParallelMessages"/> are kept in flight.
    /// </summary>
    public double? Rate { get; init; }

    /// <summary>
    /// The rate of the last of the <see cref="Iterations"/>, if the rate rises in equal steps from <see cref="Rate"/> to it; null if all have one rate.
    /// </summary>
    public double? LastRate { get; init; }

    /// <summary>The highest rate of an open loop; null for a closed loop.</summary>
    [JsonIgnore]
    public double? HighestRate => LastRate ?? Rate;

    /// <summary>When the messages of an open loop are due; no effect on a closed loop.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public Arrivals Arrivals { get; init; }

    /// <summary>
    /// The interval of the server's ticks, at which it sends to all clients; null if its messages are evenly spread. No effect on clients that send.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TimeSpan? Tick { get; init; }

    /// <summary>The channels of reliable delivery between a client and the server, each in an order of its own; 1 or more.</summary>
    public int Channels { get; init; } = 1;

    /// <summary>
    /// The updates per second of a server's loop that handles messages at its updates, as a game's does; null if it wakes for each message.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? ServerUpdateRate { get; init; }

    /// <summary>As <see cref="ServerUpdateRate"/>, for the loops of the clients, which also send at their updates.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? ClientUpdateRate { get; init; }

    /// <summary>The time for which each message in flight of a closed loop waits after its answer, before the next one is sent.</summary>
    public TimeSpan Think { get; init; }

    /// <summary>The time after which a message without an answer is counted as lost and replaced.</summary>
    public TimeSpan LossDeadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The time in which all clients together must connect.</summary>
    public TimeSpan ConnectDeadline { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>The time in which the server and the clients must end after the run.</summary>
    public TimeSpan StopDeadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The bounds of the run's figures; null if there are none.</summary>
    public IReadOnlyList<RunLimit>? Limits { get; init => field = value is null ? null : new EquatableList<RunLimit>(value); }

    /// <summary>
    /// Whether a run counts as valid regardless of other activity of the machine, as on shared machines. The activity is recorded all the same.
    /// </summary>
    public bool AnyMachine { get; init; }

    /// <summary>The impairments that a relay between clients and server applies to their traffic.</summary>
    public ImpairmentPlan Impairment { get; init; } = new();

    /// <summary>The cores that each side is bound to.</summary>
    public PinningPlan Pinning { get; init; } = new();

    /// <summary>Settings of .NET's runtime for the processes that measure.</summary>
    public RuntimePlan Runtime { get; init; } = new();

    /// <summary>The hosts of the processes.</summary>
    public HostsPlan Hosts { get; init; } = new();

    /// <summary>The seed of everything pseudo-random in the load.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The values of the options that belong to the workload, by the options' names.</summary>
    public IReadOnlyDictionary<string, string> WorkloadOptions { get; init => field = new EquatableDictionary(value); } = EquatableDictionary.Empty;

    /// <summary>Whether the end of a connection before the end of the run is no error.</summary>
    internal bool ExpectsDisconnects => Liveness.Reconnect is not null || Impairment.MayEndConnections;

    /// <summary>Gets whether the plan has a bound of a figure.</summary>
    /// <param name="kind">The figure.</param>
    public bool HasLimit(LimitKind kind) => BoundOf(kind) is not null;

    /// <summary>Gets the first bound of a figure; null if the plan has none.</summary>
    /// <param name="kind">The figure.</param>
    public double? BoundOf(LimitKind kind) => Limits?.FirstOrDefault(limit => limit.Kind == kind)?.Bound;

    /// <summary>Gets the plan with the value of an option that belongs to the workload.</summary>
    /// <param name="option">The option's name.</param>
    /// <param name="text">The value, as the command of a result contains it.</param>
    /// <returns>The plan.</returns>
    public RunPlan WithWorkloadOption(string option, string text) =>
        this with { WorkloadOptions = new SortedDictionary<string, string>(WorkloadOptions.ToDictionary(), StringComparer.Ordinal) { [option] = text } };

    /// <summary>Gets the plan for the adapter that drives the clients.</summary>
    /// <returns>The plan with that adapter's name and settings as the library's.</returns>
    public RunPlan ForClients() => ClientLibrary is { } library ? this with { Library = library, Settings = ClientSettings } : this;

    // Adapters size their batches and buffers by the messages that can be in flight. For server push, the user gives no such number.
    internal RunPlan ForAdapters(bool isServerPush) => isServerPush ? this with { ParallelMessages = Math.Max(ParallelMessages, MinPushed) } : this;

    /// <summary>Gets the value of one of the library's settings, or its default if the plan does not contain it.</summary>
    public string SettingOf(LibrarySetting setting) =>
        Settings.FirstOrDefault(pair => pair.Key.Equals(setting.Name, StringComparison.OrdinalIgnoreCase)).Value ?? setting.Default;
}

/// <summary>The content of a message, after the tag that the workload itself needs.</summary>
public enum MessageLoad
{
    /// <summary>Pseudo-random bytes, identical for the same <see cref="RunPlan.Seed"/>.</summary>
    Random,

    /// <summary>Every byte is 0x00.</summary>
    Zeros,

    /// <summary>Every byte is 0xFF.</summary>
    Ones,
}
