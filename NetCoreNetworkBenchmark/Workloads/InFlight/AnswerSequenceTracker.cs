using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.InFlight;

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

    /// <summary>Keeps a message that was not answered within the deadline.</summary>
    /// <param name="sequence">The sequence number of the message.</param>
    /// <param name="since">The start of the round trip, in case the message still returns.</param>
    public void GiveUp(uint sequence, long since) => (_givenUp ??= [])[sequence] = since;

    /// <summary>Determines whether an answer to no message in flight is late, and not a duplicate.</summary>
    /// <param name="sequence">The sequence number of the message.</param>
    /// <param name="since">The start of the round trip, if the message was given up.</param>
    /// <returns>True once for each message that was given up; otherwise, false.</returns>
    public readonly bool TakeGivenUp(uint sequence, out long since)
    {
        since = 0;
        return _givenUp?.Remove(sequence, out since) == true;
    }
}
