namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>A bin that is shorter than half a bin does not count: its few messages can give any rate.</summary>
internal sealed class SteadyRate
{
    public static readonly TimeSpan Bin = TimeSpan.FromMilliseconds(100);

    private const int BinsOfAHalf = 5;
    private const double MaxDifference = 0.05;
    private static readonly TimeSpan s_minBin = Bin / 2;
    private readonly double[] _rates = new double[2 * BinsOfAHalf];
    private int _count;

    public void Add(double rate, TimeSpan length)
    {
        if (length >= s_minBin)
        {
            _rates[_count++ % _rates.Length] = rate;
        }
    }

    public bool IsSteady
    {
        get
        {
            if (_count < _rates.Length)
            {
                return false;
            }

            double earlier = Mean(_count);
            double later = Mean(_count + BinsOfAHalf);
            return earlier > 0 && Math.Abs(later - earlier) < MaxDifference * (earlier + later) / 2;
        }
    }

    private double Mean(int firstBin) =>
        Enumerable.Range(firstBin, BinsOfAHalf).Average(bin => _rates[bin % _rates.Length]);
}

internal sealed class RateWatch(RunRecorder recorder, RunPhase phase)
{
    private long _seenAt = Stopwatch.GetTimestamp();
    private long _seen = recorder.Count(phase).ClientReceived;

    /// <returns>The rate since the last call, and the time that has passed.</returns>
    public (double Rate, TimeSpan Length) Read()
    {
        long now = Stopwatch.GetTimestamp();
        long received = recorder.Count(phase).ClientReceived;
        TimeSpan length = Stopwatch.GetElapsedTime(_seenAt, now);
        double rate = (received - _seen) / length.TotalSeconds;
        (_seenAt, _seen) = (now, received);
        return (rate, length);
    }
}
