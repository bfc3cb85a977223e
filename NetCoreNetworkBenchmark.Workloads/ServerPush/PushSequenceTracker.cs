namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

// Missing messages below the highest number are lost until they arrive late. The last 1,024 are remembered; an older message counts as a duplicate. In a
// group that other clients joined before, tracking begins with the first received message. Part of the client's memory, and never copied.
internal struct PushSequenceTracker(bool startsAnywhere)
{
    private const int Remembered = 1024;
    private const int BitsPerWord = 64;

    private Words _seen;
    private uint _highest;
    private bool _startsAnywhere = startsAnywhere;

    // False if the message did not arrive for the first time, and was counted as a duplicate.
    public bool Take(uint sequence, PhaseStatistics statistics)
    {
        if (_startsAnywhere)
        {
            (_startsAnywhere, _highest) = (false, sequence - 1);
        }

        if (SequenceNumber.IsAfter(sequence, _highest))
        {
            Advance(sequence, statistics);
            return true;
        }

        if (_highest - sequence >= Remembered || IsSeen(sequence))
        {
            statistics.Counters.Duplicated++;
            return false;
        }

        See(sequence);
        statistics.Counters.Late++;
        statistics.Counters.Reordered++;
        return true;
    }

    public void End(uint last, PhaseStatistics statistics)
    {
        if (!_startsAnywhere && SequenceNumber.IsAfter(last, _highest))
        {
            statistics.Counters.GivenUp += last - _highest;
            _highest = last;
        }
    }

    private void Advance(uint sequence, PhaseStatistics statistics)
    {
        uint missing = sequence - _highest - 1;
        if (missing > 0)
        {
            statistics.Counters.GivenUp += missing;
            Forget(_highest + 1, Math.Min(missing, Remembered));
        }

        _highest = sequence;
        See(sequence);
    }

    private void Forget(uint first, uint count)
    {
        for (uint sequence = first; sequence != first + count; sequence++)
        {
            _seen[WordOf(sequence)] &= ~BitOf(sequence);
        }
    }

    private readonly bool IsSeen(uint sequence) => (_seen[WordOf(sequence)] & BitOf(sequence)) != 0;

    private void See(uint sequence) => _seen[WordOf(sequence)] |= BitOf(sequence);

    private static int WordOf(uint sequence) => (int)(sequence % Remembered / BitsPerWord);

    private static ulong BitOf(uint sequence) => 1UL << (int)(sequence % BitsPerWord);

    [InlineArray(Remembered / BitsPerWord)]
    private struct Words
    {
        private ulong _first;
    }
}
