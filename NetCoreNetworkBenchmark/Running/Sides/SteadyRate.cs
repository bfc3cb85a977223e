namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// Tells when a warm-up may end: when the mean rate of the last half second differs by less than 5 % of both from that of the half second
/// before. The rate is looked at in bins of 100 ms; so the earliest answer comes after one second.
/// </summary>
internal sealed class SteadyRate
{
    /// <summary>The length of a bin.</summary>
    public static readonly TimeSpan Bin = TimeSpan.FromMilliseconds(100);

    private const int BinsOfAHalf = 5;
    private const double MostDifference = 0.05;
    private readonly double[] _rates = new double[2 * BinsOfAHalf];
    private int _count;

    /// <summary>Takes the rate of one more bin, in messages per second.</summary>
    public void Add(double rate) => _rates[_count++ % _rates.Length] = rate;

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
            return earlier > 0 && Math.Abs(later - earlier) < MostDifference * (earlier + later) / 2;
        }
    }

    private double Mean(int firstBin) =>
        Enumerable.Range(firstBin, BinsOfAHalf).Average(bin => _rates[bin % _rates.Length]);
}
