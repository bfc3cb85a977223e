using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// What a relay between clients and server does to datagrams, each way, or to the chunks in which a stream comes to it
/// (<see cref="ForStreams"/> says what of it). Immutable and plain enough to serialize; the default does nothing.
/// </summary>
public sealed record ImpairmentPlan
{
    /// <summary>How long every datagram is under way, one way; 0 or more.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>
    /// The delay of a datagram is uniform from <see cref="Delay"/> less this to <see cref="Delay"/> plus this, and never below 0. It
    /// reorders nothing: a datagram does not leave before the one that came before it from the same client, or to it.
    /// </summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>The share of datagrams that are lost, from 0 to 1.</summary>
    public double Loss { get; init; }

    /// <summary>The share of datagrams that are followed by a second copy, from 0 to 1.</summary>
    public double Duplicate { get; init; }

    /// <summary>
    /// The share of datagrams, from 0 to 1, that change places with the next one of the same client. On the way to the server only, so
    /// that a round trip sees each once.
    /// </summary>
    public double Reorder { get; init; }

    /// <summary>The share of datagrams of which one byte is changed to another value, from 0 to 1.</summary>
    public double Corrupt { get; init; }

    /// <summary>Times at which nothing leaves; null for none.</summary>
    public ImpairmentStall? Stall { get; init; }

    /// <summary>
    /// Bits a second that pass each way, shared by all clients, with 28 bytes of IPv4 and UDP headers for each datagram, or 40 of IPv4 and TCP
    /// for each segment of at most 1,460 bytes of a stream; over IPv6 with 20 more for either, and segments of at most 1,440 bytes. Null for no limit.
    /// </summary>
    public long? BandwidthBitsPerSecond { get; init; }

    /// <summary>The seed of what is left to chance: the same traffic meets the same fate.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The same without all that a stream cannot meet: TCP repairs losses, copies and changes of order, and refuses damage.</summary>
    [JsonIgnore]
    public ImpairmentPlan ForStreams => this with { Loss = 0, Duplicate = 0, Reorder = 0, Corrupt = 0 };

    /// <summary>Whether datagrams pass as they come, so that no relay is needed.</summary>
    [JsonIgnore]
    public bool IsNone => this == new ImpairmentPlan { Seed = Seed };
}

/// <summary>Times at which nothing leaves in either direction; what comes meanwhile leaves in its order at their end.</summary>
/// <param name="Length">How long each lasts; above 0 and below <paramref name="Period"/>.</param>
/// <param name="Period">From the begin of one to the begin of the next. The first begins one period after the impairment is switched on.</param>
public sealed record ImpairmentStall(TimeSpan Length, TimeSpan Period);
