using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// The impairments that a relay between clients and server applies in each direction: to datagrams, or to the IP packets of any protocol. Immutable and plain
/// enough to serialize; the default does nothing.
/// </summary>
public sealed record ImpairmentPlan
{
    private static readonly TimeSpan s_minLateBound = TimeSpan.FromMilliseconds(2);
    private const double LateFractionOfRoundTrip = 0.02;

    /// <summary>The name of the kind of network whose impairments these are, perhaps with changes; null for none.</summary>
    public string? Network { get; init; }

    /// <summary>The one-way delay of every datagram; 0 or more.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>
    /// The variation of the delay. The delay of a datagram is uniformly distributed from <see cref="Delay"/> minus this value to <see cref="Delay"/>
    /// plus this value, and never below 0. Jitter does not reorder: a datagram does not leave before an earlier one from, or to, the same client.
    /// </summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>The share of datagrams that are lost, from 0 to 1.</summary>
    public double Loss { get; init; }

    /// <summary>
    /// The mean number of datagrams that are lost in a row, 1 or more; null for independent losses. The losses are those of the model of Gilbert ("Capacity of
    /// a Burst-Noise Channel", 1960), with nothing lost between the bursts.
    /// </summary>
    public double? LossBurst { get; init; }

    /// <summary>The share of datagrams that are followed by a second copy, from 0 to 1.</summary>
    public double Duplicate { get; init; }

    /// <summary>
    /// The share of datagrams, from 0 to 1, that change places with the next one of the same client. Applies to the direction to the server only, so
    /// that it affects a round trip only once.
    /// </summary>
    public double Reorder { get; init; }

    /// <summary>The share of datagrams of which one byte is changed to another value, from 0 to 1.</summary>
    public double Corrupt { get; init; }

    /// <summary>Times at which nothing leaves; null for none.</summary>
    public Interruption? Stall { get; init; }

    /// <summary>Times at which all packets that arrive are lost, in both directions; null for none.</summary>
    public Interruption? Outage { get; init; }

    /// <summary>
    /// The period at whose ends every client gets another address, as the server sees it; null for none. What the server still sends to the old
    /// address is lost. Applies to datagrams only.
    /// </summary>
    public TimeSpan? Roam { get; init; }

    /// <summary>Times at which no client is connected: each breaks all connections of TCP and refuses new ones; null for none.</summary>
    public Interruption? Cut { get; init; }

    /// <summary>
    /// The bandwidth in bits per second in each direction, shared by all clients. Headers are included: for each datagram, 28 bytes of IPv4 and UDP, or 48 of
    /// IPv6. Null for no limit.
    /// </summary>
    public long? BandwidthBitsPerSecond { get; init; }

    /// <summary>
    /// The longest time that a packet waits for a limited bandwidth: one that arrives at a full queue is dropped. Null for one second, or the time of 64 KiB if
    /// that is longer.
    /// </summary>
    public TimeSpan? Queue { get; init; }

    /// <summary>
    /// The bits per second that a TCP connection of another application sends to the server's side through the same queue; <see cref="long.MaxValue"/> for as
    /// many as the kernel lets it. Null for none.
    /// </summary>
    public long? NeighbourBitsPerSecond { get; init; }

    /// <summary>The impairments of the direction to the clients, if they are not those of the direction to the server; null if both have the same.</summary>
    public ImpairmentPlan? ToClients { get; init; }

    /// <summary>The seed of the random impairments.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The impairments of both directions: to the server, and to the clients.</summary>
    [JsonIgnore]
    public IReadOnlyList<ImpairmentPlan> Directions => [this, ToClients ?? this];

    /// <summary>Whether packets are impaired, and not connections alone.</summary>
    [JsonIgnore]
    public bool IsOfPackets => !(this with { Cut = null }).IsNone;

    /// <summary>The longest delay to the server and back, without that of a queue.</summary>
    [JsonIgnore]
    public TimeSpan LongestRoundTrip => Directions.Aggregate(TimeSpan.Zero, (sum, direction) => sum + direction.Delay + direction.Jitter);

    /// <summary>
    /// The delay after its due time above which a message counts as sent late, and a packet as passed on late: 2 ms, or 2 % of the longest round trip if that
    /// is longer, so that what the harness adds is a small part of what it measures.
    /// </summary>
    [JsonIgnore]
    public TimeSpan LateBound => LongestRoundTrip * LateFractionOfRoundTrip is var part && part > s_minLateBound ? part : s_minLateBound;

    /// <summary>Whether a library decides what becomes of its connections: it may give up those whose traffic is interrupted.</summary>
    [JsonIgnore]
    public bool MayEndConnections => Outage is not null || Roam is not null;

    /// <summary>Whether the traffic is interrupted at times.</summary>
    [JsonIgnore]
    public bool HasInterruptions => MayEndConnections || Stall is not null || Cut is not null;

    /// <summary>Whether traffic passes unchanged, so that no relay is needed.</summary>
    [JsonIgnore]
    public bool IsNone => this == new ImpairmentPlan { Seed = Seed };
}

/// <summary>
/// An interruption in every period: a stall, in which nothing leaves in either direction and after which the traffic of the meantime leaves in its
/// order, an outage, in which what arrives is lost, or a cut, at whose start all connections break and in which new ones are refused.
/// </summary>
/// <param name="Length">The length of each interruption; above 0 and below <paramref name="Period"/>.</param>
/// <param name="Period">
/// The time from the start of one interruption to the start of the next. The first one starts one period after the impairment is switched on.
/// </param>
public sealed record Interruption(TimeSpan Length, TimeSpan Period);
