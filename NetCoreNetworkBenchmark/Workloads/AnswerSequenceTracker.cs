using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads;

/// <summary>
/// The state of one client beyond its messages in flight: the highest answered message, and the messages that were given up. It is part of the
/// client's own memory, so that a message touches no additional memory. It is never copied.
/// </summary>
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

    /// <summary>Records a message that was not answered within the deadline.</summary>
    /// <param name="sequence">The sequence number of the message.</param>
    /// <param name="since">The start of the round trip, in case the message still returns.</param>
    /// <param name="statistics">The statistics that count the message.</param>
    public void GiveUp(uint sequence, long since, PhaseStatistics statistics)
    {
        statistics.Counters.GivenUp++;
        (_givenUp ??= [])[sequence] = since;
    }

    /// <summary>Handles an answer to no message in flight: a late answer or a duplicate.</summary>
    /// <param name="sequence">The sequence number of the message.</param>
    /// <param name="statistics">The statistics that count the answer.</param>
    /// <param name="since">The start of the round trip, if the answer is late.</param>
    /// <returns>True if the answer is late, so that the message counts as received; otherwise, false.</returns>
    public bool AcceptLate(uint sequence, PhaseStatistics statistics, out long since)
    {
        if (!TakeGivenUp(sequence, out since))
        {
            statistics.Counters.Duplicated++;
            return false;
        }

        statistics.Counters.Late++;
        Order(sequence, statistics);
        return true;
    }

    /// <summary>Determines whether an answer that nobody waits for belongs to a message that was given up. Counts nothing.</summary>
    /// <param name="sequence">The sequence number of the message.</param>
    /// <param name="since">The start of the round trip, if the message was given up.</param>
    /// <returns>True once for each message that was given up; otherwise, false.</returns>
    public readonly bool TakeGivenUp(uint sequence, out long since)
    {
        since = 0;
        return _givenUp?.Remove(sequence, out since) == true;
    }
}
