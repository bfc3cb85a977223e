namespace NetCoreNetworkBenchmark.Workloads.InFlight;

// Part of the client's own memory, so that a message touches no additional memory. Never copied.
internal struct AnswerSequenceTracker
{
    // Messages that were given up and may still return. They are rare, and the only allocation here.
    private Dictionary<uint, long>? _givenUp;
    private uint _highestAnswered;

    /// <summary>Compares by serial number arithmetic (RFC 1982): correct across the wrap after 2^32 messages of one client.</summary>
    public static bool IsAfter(uint sequence, uint other) => (int)(sequence - other) > 0;

    /// <summary>Records an answer. It counts as reordered if the answer to a later message arrived before it.</summary>
    public void Order(uint sequence, PhaseStatistics statistics)
    {
        if (IsAfter(sequence, _highestAnswered))
        {
            _highestAnswered = sequence;
        }
        else
        {
            statistics.Counters.Reordered++;
        }
    }

    public void GiveUp(uint sequence, long since) => (_givenUp ??= [])[sequence] = since;

    // True once for each message that was given up: its answer is late, and not a duplicate.
    public readonly bool TakeGivenUp(uint sequence, out long since)
    {
        since = 0;
        return _givenUp?.Remove(sequence, out since) == true;
    }
}
