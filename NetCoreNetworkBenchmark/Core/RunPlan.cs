namespace NetCoreNetworkBenchmark.Core;

/// <summary>Everything that defines one run. Immutable; validated before it reaches the runner; plain enough to serialize.</summary>
public sealed record RunPlan
{
    /// <summary>The largest payload of a UDP datagram over IPv4: 65,535 less the headers of IP (20) and UDP (8).</summary>
    public const int LargestDatagram = 65_507;

    /// <summary>The name of the workload that is run for more and more clients, to find the most that hold.</summary>
    public const string MaxClients = "MaxClients";

    /// <summary>The workload's name.</summary>
    public string Test { get; init; } = "PingPong";

    /// <summary>The library's name.</summary>
    public required string Library { get; init; }

    /// <summary>The transport.</summary>
    public Protocol Protocol { get; init; } = Protocol.Udp;

    /// <summary>The kind of delivery.</summary>
    public Transmission Transmission { get; init; } = Transmission.Unreliable;

    /// <summary>The address as the user gave it: an IP address or a host name.</summary>
    public string Address { get; init; } = "127.0.0.1";

    /// <summary>The server's port; 0 lets the system choose one.</summary>
    public int Port { get; init; } = 3333;

    /// <summary>Clients that are connected at the same time.</summary>
    public int Clients { get; init; } = 1000;

    /// <summary>Messages that every client keeps in flight.</summary>
    public int ParallelMessages { get; init; } = 1;

    /// <summary>Bytes of a message.</summary>
    public int MessageSize { get; init; } = 32;

    /// <summary>What the bytes of a message are.</summary>
    public MessageLoad MessageLoad { get; init; } = MessageLoad.Ones;

    /// <summary>How long the load runs at most before it counts; it ends earlier when the rate is steady.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(5);

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

    /// <summary>The seed of everything pseudo-random in the load.</summary>
    public int Seed { get; init; } = 1;
}
