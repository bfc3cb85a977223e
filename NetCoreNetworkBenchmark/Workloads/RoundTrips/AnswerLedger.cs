using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>
/// What one client knows of its messages beyond those in flight: how far the answers have come, and what was given up. A part of the
/// client's own memory, so that a message touches no more of it; never copied.
/// </summary>
internal struct AnswerLedger
{
    // Messages that were given up and may still come back: rare, and the only thing here that allocates.
    private Dictionary<uint, long>? _givenUp;
    private uint _highestAnswered;

    /// <summary>Serial number arithmetic (RFC 1982): right across the wrap after 2^32 messages of one client.</summary>
    public static bool IsAfter(uint sequence, uint other) => (int)(sequence - other) > 0;

    /// <summary>Takes note of an answer; it is reordered where a later message's answer came before it.</summary>
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

    /// <summary>Takes note of a message that had no answer by the deadline.</summary>
    /// <param name="sequence">The message.</param>
    /// <param name="since">From when its round trip counts, should it come back.</param>
    /// <param name="statistics">Where it is counted.</param>
    public void GiveUp(uint sequence, long since, PhaseStatistics statistics)
    {
        statistics.Counters.GivenUp++;
        (_givenUp ??= [])[sequence] = since;
    }

    /// <summary>Takes an answer that nothing in flight waits for: a late one, or a second one.</summary>
    /// <param name="sequence">The message.</param>
    /// <param name="statistics">Where it is counted.</param>
    /// <param name="since">From when its round trip counts, where it is late.</param>
    /// <returns>Whether it is late, so that it is received after all.</returns>
    public bool AcceptLate(uint sequence, PhaseStatistics statistics, out long since)
    {
        since = 0;
        if (_givenUp?.Remove(sequence, out since) != true)
        {
            statistics.Counters.Duplicated++;
            return false;
        }

        statistics.Counters.Late++;
        Order(sequence, statistics);
        return true;
    }
}
