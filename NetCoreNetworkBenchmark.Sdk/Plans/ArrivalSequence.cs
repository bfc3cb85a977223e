namespace NetCoreNetworkBenchmark.Plans;

/// <summary>Each message is known as soon as the one before it is taken, whatever became of that one.</summary>
/// <remarks>
/// Random messages of all clients are one Poisson process, and each belongs to a random client. Those of one client are then a Poisson process of its share of
/// the rate, independent of the others (the colouring theorem; Kingman, Poisson Processes, 1993, 5.1). Each thread computes the messages of all clients and
/// takes those of its own, so that the schedule is the same with any number of threads, and with any library.
/// </remarks>
internal sealed class ArrivalSequence
{
    private const double Unit = 1.0 / (1L << 53);

    private readonly SendSchedule _schedule;
    private readonly int _first;
    private readonly int _step;
    private readonly int _count;
    private long _round;

    // The time since which the rate is the same, and the position at that time.
    private long _start;
    private double _startPosition;
    private double _ticksPerMessage;

    // The time of the message in mean distances between the messages of all clients.
    private double _position;
    private ulong _random;

    /// <summary>For the clients first, first + step, first + 2 step and so on. Each load, by its number, has other random messages.</summary>
    public ArrivalSequence(SendSchedule schedule, int first, int step, long start, int load)
    {
        (_schedule, _first, _step, _start) = (schedule, first, step, start);
        _count = (schedule.Clients - first + step - 1) / step;
        _ticksPerMessage = Stopwatch.Frequency / schedule.MessagesPerSecond;
        _random = ((ulong)(uint)schedule.Seed << 32) | (uint)load;
        Index = -1;
        MoveNext();
    }

    public long Due { get; private set; }

    /// <summary>The number of its client among those of the thread, from 0.</summary>
    public int Index { get; private set; }

    public void MoveNext()
    {
        if (_schedule.Arrivals == Arrivals.Poisson)
        {
            MoveToRandom();
        }
        else
        {
            if (++Index == _count)
            {
                (Index, _round) = (0, _round + 1);
            }

            _position = (_round * _schedule.Clients) + _first + (Index * _step) + _schedule.Phase;
        }

        Due = DueAt(_position);
    }

    /// <summary>The message must not be due yet at <c>time</c>.</summary>
    public void RateFrom(long time, double messagesPerSecond)
    {
        _startPosition += (time - _start) / _ticksPerMessage;
        (_start, _ticksPerMessage) = (time, Stopwatch.Frequency / messagesPerSecond);
        Due = DueAt(_position);
    }

    private long DueAt(double position) => _start + (long)((position - _startPosition) * _ticksPerMessage);

    private void MoveToRandom()
    {
        int client;
        do
        {
            // 53 bits make a number from 0 to below 1, whose difference from 1 has a logarithm.
            _position -= Math.Log(1 - ((Next() >> 11) * Unit));
            client = (int)(((Next() >> 32) * (uint)_schedule.Clients) >> 32);
        }
        while (client % _step != _first);
        Index = client / _step;
    }

    /// <summary>Has nothing in common with the seed of another host or another seed.</summary>
    public static int SeedOf(int seed, int host)
    {
        ulong random = ((ulong)(uint)seed << 32) | (uint)host;
        return (int)(Next(ref random) >> 32);
    }

    private ulong Next() => Next(ref _random);

    // SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014): the same in every version of .NET.
    private static ulong Next(ref ulong random)
    {
        ulong mixed = random += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }
}
