namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A confidence interval, and the share of repetitions in which it contains the true value.</summary>
internal readonly record struct Interval(double Lower, double Upper, double Coverage)
{
    /// <summary>The coverage that every interval in this folder is made for.</summary>
    public const double Confidence = 0.95;
}
