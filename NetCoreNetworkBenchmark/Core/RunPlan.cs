using System.Collections.ObjectModel;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>Everything that defines one run. Immutable; validated before it reaches the runner; plain enough to serialize.</summary>
public sealed record RunPlan
{
    /// <summary>
    /// The largest payload of a UDP datagram over IPv4 (RFC 791): 65,535 less the headers of IP (20) and UDP (8). Over IPv6 (RFC 8200) it would be 65,527;
    /// the limit is the same for both, so that every load can be run over both.
    /// </summary>
    public const int LargestDatagram = 65_507;

    /// <summary>The largest message over a stream, in bytes: it has to be in memory as a whole.</summary>
    public const int LargestStreamMessage = 32 * 1024 * 1024;

    /// <summary>The name of the workload that is run for more and more clients, to find the most that hold.</summary>
    public const string MaxClients = "MaxClients";

    /// <summary>The name of the workload whose server sends unasked.</summary>
    public const string Multicast = "Multicast";

    /// <summary>The workload's name.</summary>
    public string Test { get; init; } = "PingPong";

    /// <summary>The library's name.</summary>
    public required string Library { get; init; }

    /// <summary>
    /// The values of the library's settings by their names, as the library spells both. The command line names all of them; where one is
    /// missing its default holds.
    /// </summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = ReadOnlyDictionary<string, string>.Empty;

    /// <summary>What <see cref="Settings"/> have where the user did not choose.</summary>
    public Profile Profile { get; init; } = Profile.Default;

    /// <summary>The transport.</summary>
    public Protocol Protocol { get; init; } = Protocol.Udp;

    /// <summary>How a stream is divided into messages; without effect for datagrams.</summary>
    public Framing Framing { get; init; } = Framing.Fixed;

    /// <summary>What there is to say of TLS.</summary>
    public TlsPlan Tls { get; init; } = new();

    /// <summary>The name of the library whose clients drive the server; null for the server's own.</summary>
    public string? ClientLibrary { get; init; }

    /// <summary>The values of the settings of <see cref="ClientLibrary"/>; without effect where that is null.</summary>
    public IReadOnlyDictionary<string, string> ClientSettings { get; init; } = ReadOnlyDictionary<string, string>.Empty;

    /// <summary>
    /// The address of the interface that sends to and receives from a multicast group (<see cref="Address"/> is one then). The loopback by
    /// default, so that nothing leaves the machine.
    /// </summary>
    public string MulticastInterface { get; init; } = "127.0.0.1";

    /// <summary>The kind of delivery; always reliable over a stream.</summary>
    public Transmission Transmission { get; init; } = Transmission.Unreliable;

    /// <summary>The server's address as the user gave it: an IPv4 or IPv6 address, or a host name.</summary>
    public string Address { get; init; } = "127.0.0.1";

    /// <summary>The server's port; 0 lets the system choose one.</summary>
    public int Port { get; init; } = 3333;

    /// <summary>Clients that are connected at the same time.</summary>
    public int Clients { get; init; } = 1000;

    /// <summary>Threads of the server, each with a socket of its own; 1 or more, and not more than the library allows.</summary>
    public int ServerThreads { get; init; } = 1;

    /// <summary>
    /// Threads that serve the clients, where the library leaves that to the plan; 1 or more. There are never more than clients
    /// (<see cref="PolledClientGroup.ThreadsFor"/>).
    /// </summary>
    public int ClientThreads { get; init; } = PolledClientGroup.DefaultThreads;

    /// <summary>Messages that every client keeps in flight.</summary>
    public int ParallelMessages { get; init; } = 1;

    /// <summary>Bytes of a message.</summary>
    public int MessageSize { get; init; } = 32;

    /// <summary>What the bytes of a message are.</summary>
    public MessageLoad MessageLoad { get; init; } = MessageLoad.Ones;

    /// <summary>How long the load runs at most before it counts; it ends earlier when the rate is steady.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The shortest iteration that may be asked for. Below it the wake-up of the thread that waits would be a large part of it.</summary>
    public static readonly TimeSpan LeastIteration = TimeSpan.FromMilliseconds(10);

    /// <summary>How long the load runs and counts, all iterations together.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Equal parts of the duration, each with a rate of its own.</summary>
    public int Iterations { get; init; } = 1;

    /// <summary>
    /// Messages per second over all clients, sent on schedule whether or not answers come (open loop); null for a closed loop, in
    /// which <see cref="ParallelMessages"/> are kept in flight.
    /// </summary>
    public double? Rate { get; init; }

    /// <summary>A message without an answer for longer than this is counted as lost and replaced.</summary>
    public TimeSpan LossDeadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long all clients together have to connect.</summary>
    public TimeSpan ConnectDeadline { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>How long the server and the clients have to end after the run.</summary>
    public TimeSpan StopDeadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether a run counts as valid whatever else the machine did meanwhile, as on shared machines; it is recorded all the same.</summary>
    public bool AnyMachine { get; init; }

    /// <summary>What a relay between clients and server does to their traffic.</summary>
    public ImpairmentPlan Impairment { get; init; } = new();

    /// <summary>The cores that each side is bound to.</summary>
    public PinningPlan Pinning { get; init; } = new();

    /// <summary>The seed of everything pseudo-random in the load.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The plan as the adapter that drives the clients reads it.</summary>
    /// <returns>The plan with that adapter's name and settings as the library's.</returns>
    public RunPlan ForClients() => ClientLibrary is { } library ? this with { Library = library, Settings = ClientSettings } : this;

    /// <summary>What the plan says of one of the library's settings.</summary>
    /// <param name="setting">The setting.</param>
    /// <returns>The value, or the default where the plan says nothing.</returns>
    public string SettingOf(LibrarySetting setting)
    {
        ArgumentNullException.ThrowIfNull(setting);
        return Settings.FirstOrDefault(pair => pair.Key.Equals(setting.Name, StringComparison.OrdinalIgnoreCase)).Value ?? setting.Default;
    }

    /// <summary>What the plan says of one of the library's settings.</summary>
    /// <param name="name">The setting's name, without regard to case.</param>
    /// <returns>The value.</returns>
    /// <exception cref="ArgumentException">The plan says nothing of it, as one that does not come from the command line may.</exception>
    public string SettingOf(string name) =>
        Settings.FirstOrDefault(pair => pair.Key.Equals(name, StringComparison.OrdinalIgnoreCase)).Value
        ?? throw new ArgumentException($"The plan says nothing of the setting '{name}'.", nameof(name));
}
