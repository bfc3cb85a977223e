namespace NetCoreNetworkBenchmark.Recording;

/// <summary>
/// The counts of one thread in one phase. Only that thread writes, so increments need no interlocked instruction. The fields lie on cache lines of
/// their own, so that the counting of other threads does not slow this one.
/// </summary>
public sealed class PhaseStatistics
{
    private MessageCounters _counters;

    internal PhaseStatistics(RunPhase phase, LatencyHistogram? latency, LatencyHistogram? uncorrected)
    {
        Phase = phase;
        Sends = phase is RunPhase.WarmUp or RunPhase.Measure or RunPhase.Hold;
        Latency = latency;
        Uncorrected = uncorrected;
    }

    /// <summary>The phase of these statistics.</summary>
    public RunPhase Phase { get; }

    /// <summary>Whether a workload sends new messages in this phase.</summary>
    public bool Sends { get; }

    /// <summary>Round trips in nanoseconds; null for a thread that serves the server only.</summary>
    public LatencyHistogram? Latency { get; }

    /// <summary>Round trips of an open loop in nanoseconds as a waiting client would have seen them; null in a closed loop.</summary>
    public LatencyHistogram? Uncorrected { get; }

    /// <summary>The counters, to be incremented in place.</summary>
    public ref MessageCounters Counters => ref _counters;
}

/// <summary>The numbers of messages by their outcome.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64 + (12 * sizeof(long)) + 96)]
public struct MessageCounters
{
    /// <summary>Messages that clients handed to the library.</summary>
    [FieldOffset(64)]
    public long ClientSent;

    /// <summary>Messages that came back to a client for the first time, with the right size and content.</summary>
    [FieldOffset(72)]
    public long ClientReceived;

    /// <summary>Messages that reached the server.</summary>
    [FieldOffset(80)]
    public long ServerReceived;

    /// <summary>Messages that the server handed to the library.</summary>
    [FieldOffset(88)]
    public long ServerSent;

    /// <summary>Messages that were not answered by the deadline and were replaced.</summary>
    [FieldOffset(96)]
    public long GivenUp;

    /// <summary>Messages that were given up but came back later. They count as received, not as lost.</summary>
    [FieldOffset(104)]
    public long Late;

    /// <summary>Answers to a message that was already answered.</summary>
    [FieldOffset(112)]
    public long Duplicated;

    /// <summary>Answers that came after the answer to a later message (RFC 4737, type P reordered).</summary>
    [FieldOffset(120)]
    public long Reordered;

    /// <summary>Answers that differ from the sent message, in size or content.</summary>
    [FieldOffset(128)]
    public long Corrupted;

    /// <summary>Messages of an open loop that were sent later than <c>SendSchedule.LateBound</c> after they were due.</summary>
    [FieldOffset(136)]
    public long SentLate;

    /// <summary>Heartbeats that this side sent. They are no messages.</summary>
    [FieldOffset(144)]
    public long HeartbeatsSent;

    /// <summary>Heartbeats that reached this side.</summary>
    [FieldOffset(152)]
    public long HeartbeatsReceived;

    /// <summary>Messages that are considered lost at this moment.</summary>
    public readonly long Lost => GivenUp - Late;

    /// <summary>Adds another thread's or phase's counters to these.</summary>
    /// <param name="other">The others.</param>
    public void Add(in MessageCounters other)
    {
        ClientSent += other.ClientSent;
        ClientReceived += other.ClientReceived;
        ServerReceived += other.ServerReceived;
        ServerSent += other.ServerSent;
        GivenUp += other.GivenUp;
        Late += other.Late;
        Duplicated += other.Duplicated;
        Reordered += other.Reordered;
        Corrupted += other.Corrupted;
        SentLate += other.SentLate;
        HeartbeatsSent += other.HeartbeatsSent;
        HeartbeatsReceived += other.HeartbeatsReceived;
    }

    /// <summary>Subtracts the counters of an earlier moment from these.</summary>
    /// <param name="earlier">The earlier counters.</param>
    public void Subtract(in MessageCounters earlier)
    {
        ClientSent -= earlier.ClientSent;
        ClientReceived -= earlier.ClientReceived;
        ServerReceived -= earlier.ServerReceived;
        ServerSent -= earlier.ServerSent;
        GivenUp -= earlier.GivenUp;
        Late -= earlier.Late;
        Duplicated -= earlier.Duplicated;
        Reordered -= earlier.Reordered;
        Corrupted -= earlier.Corrupted;
        SentLate -= earlier.SentLate;
        HeartbeatsSent -= earlier.HeartbeatsSent;
        HeartbeatsReceived -= earlier.HeartbeatsReceived;
    }
}
