namespace NetCoreNetworkBenchmark.Recording;

/// <summary>
/// The time from one call of <see cref="RunRecorder.Enter"/> to the next, as one thread counts it. A message of an open loop belongs to the interval in
/// which it was due, whenever it is sent or answered: otherwise a server that stands still over the end of a measurement would have no long latencies
/// (Gil Tene, "How NOT to Measure Latency").
/// </summary>
public sealed class PhaseInterval
{
    private readonly DueTimeline? _timeline;
    private OwnCacheLine _received;

    internal PhaseInterval(PhaseStatistics statistics, long since, PhaseInterval? previous, int part, DueTimeline? timeline)
    {
        (Statistics, Since, Previous, Part, _timeline) = (statistics, since, previous, part, timeline);
    }

    /// <summary>
    /// The counts of the phase, which has several intervals if the run enters it several times; those of the part alone if each part of the measurement has
    /// a rate of its own.
    /// </summary>
    public PhaseStatistics Statistics { get; }

    /// <summary>The begin of the interval, as a reading of <see cref="RunRecorder.Clock"/>.</summary>
    public long Since { get; }

    /// <summary>The number of the part of the measurement, from 0: of the first before the measurement, and of the last after it.</summary>
    internal int Part { get; }

    /// <summary>The interval before this one; null for the first since the load started.</summary>
    public PhaseInterval? Previous { get; }

    /// <summary>The number of messages that were due in the interval and were answered.</summary>
    internal long Received => Volatile.Read(ref _received.Value);

    /// <summary>Records the answer to a message that was due in the interval.</summary>
    /// <param name="due">The time at which the message was due (<see cref="RunRecorder.Clock"/>).</param>
    /// <param name="nanoseconds">The time from then to the answer.</param>
    public void RecordAnswer(long due, long nanoseconds)
    {
        Statistics.Counters.ClientReceived++;
        _received.Value++;

        // There is no histogram for an answer that arrives while the run is shut down.
        Statistics.Latency?.Record(nanoseconds);
        _timeline?.Record(due, nanoseconds);
    }
}
