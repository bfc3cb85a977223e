namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A confidence interval, and the share of repetitions in which it holds the true value.</summary>
internal readonly record struct Interval(double Lower, double Upper, double Coverage)
{
    /// <summary>The coverage that every interval of this room is made for.</summary>
    public const double Confidence = 0.95;
}
