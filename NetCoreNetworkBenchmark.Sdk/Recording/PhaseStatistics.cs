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
        Sends = phase is RunPhase.WarmUp or RunPhase.Measure or RunPhase.CoolDown;
        Latency = latency;
        Uncorrected = uncorrected;
    }

    /// <summary>The phase of these statistics.</summary>
    public RunPhase Phase { get; }

    /// <summary>Whether a workload sends new messages in this phase.</summary>
    public bool Sends { get; }

    /// <summary>
    /// Latencies in nanoseconds, in an open loop from the time at which a message was due; null for a thread that serves the server only, and in phases
    /// without a load. Those of <see cref="RunPhase.Measure"/> are in the result.
    /// </summary>
    public LatencyHistogram? Latency { get; }

    /// <summary>
    /// Latencies of an open loop in nanoseconds as a client would have measured them that waits for each answer before it sends its next message: without
    /// the correction for coordinated omission. Null in a closed loop, and where <see cref="Latency"/> is.
    /// </summary>
    public LatencyHistogram? Uncorrected { get; }

    /// <summary>The counters, to be incremented in place.</summary>
    public ref MessageCounters Counters => ref _counters;
}

/// <summary>The numbers of messages by their outcome.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64 + (FieldCount * sizeof(long)) + 96)]
public struct MessageCounters
{
    private const int FieldCount = 12;

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

    /// <summary>Messages of an open loop that were sent later than <c>ImpairmentPlan.LateBound</c> after they were due.</summary>
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
    public void Add(in MessageCounters other) => Add(in other, times: 1);

    /// <summary>Subtracts the counters of an earlier moment from these.</summary>
    /// <param name="earlier">The earlier counters.</param>
    public void Subtract(in MessageCounters earlier) => Add(in earlier, times: -1);

    private void Add(in MessageCounters other, int times)
    {
        Span<long> sums = MemoryMarshal.CreateSpan(ref ClientSent, FieldCount);
        ReadOnlySpan<long> added = MemoryMarshal.CreateReadOnlySpan(in other.ClientSent, FieldCount);
        for (int index = 0; index < FieldCount; index++)
        {
            sums[index] += times * added[index];
        }
    }
}
