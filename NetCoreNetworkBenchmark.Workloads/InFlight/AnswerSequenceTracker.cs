namespace NetCoreNetworkBenchmark.Workloads.InFlight;

// Part of the client's own memory, so that a message touches no additional memory. Never copied.
internal struct AnswerSequenceTracker
{
    // Messages that were given up and may still return. They are rare, and the only allocation here.
    private GivenUpMessages? _givenUp;
    private uint _highestAnswered;

    public void Order(uint sequence, PhaseStatistics statistics)
    {
        if (SequenceNumber.IsAfter(sequence, _highestAnswered))
        {
            _highestAnswered = sequence;
        }
        else
        {
            statistics.Counters.Reordered++;
        }
    }

    public void GiveUp(uint sequence, long timedFrom) => (_givenUp ??= new GivenUpMessages(timedFrom)).Add(sequence, timedFrom);

    // True once for each message that was given up: its answer is late, and not a duplicate.
    public readonly bool TakeGivenUp(uint sequence, out long timedFrom)
    {
        timedFrom = 0;
        return _givenUp?.Remove(sequence, out timedFrom) == true;
    }
}

// The messages of the last two to four minutes, so that the memory does not grow with the length of a run with loss.
internal sealed class GivenUpMessages(long first)
{
    // TCP of Linux repeats a segment at the latest after 120 s (TCP_RTO_MAX), and no library here is more patient. A later answer counts as a duplicate.
    public static readonly TimeSpan Remembered = TimeSpan.FromMinutes(2);

    private Dictionary<uint, long> _recent = [];
    private Dictionary<uint, long> _earlier = [];
    private long _start = first;

    public int Count => _recent.Count + _earlier.Count;

    public void Add(uint sequence, long timedFrom)
    {
        if (Stopwatch.GetElapsedTime(_start, timedFrom) > Remembered)
        {
            _earlier.Clear();
            (_recent, _earlier, _start) = (_earlier, _recent, timedFrom);
        }

        _recent[sequence] = timedFrom;
    }

    public bool Remove(uint sequence, out long timedFrom) => _recent.Remove(sequence, out timedFrom) || _earlier.Remove(sequence, out timedFrom);
}
