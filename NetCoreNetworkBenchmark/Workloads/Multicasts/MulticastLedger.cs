using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// Which messages of a stream a client has, by their numbers: those up to the highest that are missing are lost until they come after all. It
/// remembers the last 1,024; what is further behind is taken for a duplicate. A part of the client's own memory; never copied.
/// </summary>
/// <param name="startsAnywhere">Whether the first message that comes begins the account, as in a group which others have joined before.</param>
internal struct MulticastLedger(bool startsAnywhere)
{
    private const int Remembered = 1024;
    private const int BitsAWord = 64;

    private Words _seen;
    private uint _highest;
    private bool _startsAnywhere = startsAnywhere;

    /// <summary>Serial number arithmetic (RFC 1982): right across the wrap after 2^32 messages.</summary>
    public static bool IsAfter(uint sequence, uint other) => (int)(sequence - other) > 0;

    /// <summary>Takes a message.</summary>
    /// <returns>Whether it came for the first time; otherwise it has been counted as a duplicate.</returns>
    public bool Take(uint sequence, PhaseStatistics statistics)
    {
        if (_startsAnywhere)
        {
            (_startsAnywhere, _highest) = (false, sequence - 1);
        }

        if (IsAfter(sequence, _highest))
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

    /// <summary>The stream has ended with that message: what is missing up to it is lost.</summary>
    public void End(uint last, PhaseStatistics statistics)
    {
        if (!_startsAnywhere && IsAfter(last, _highest))
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

    private static int WordOf(uint sequence) => (int)(sequence % Remembered / BitsAWord);

    private static ulong BitOf(uint sequence) => 1UL << (int)(sequence % BitsAWord);

    [InlineArray(Remembered / BitsAWord)]
    private struct Words
    {
        private ulong _first;
    }
}
