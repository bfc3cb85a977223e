namespace NetCoreNetworkBenchmark.Tests;

/// <summary>The law of Little: the mean number of messages in flight is their rate times their mean round trip.</summary>
internal static class LittlesLaw
{
    public static double InFlight(RunResult result) => result.MessagesPerSecond * result.LatencyMicroseconds!.Mean / 1e6;

    /// <summary>
    /// The share by which the number can be off, because a message that is in flight at either end of the measurement adds time from outside, at most the
    /// longest round trip.
    /// </summary>
    public static double MaxDeviation(RunResult result) => result.LatencyMicroseconds!.Max / 1e6 / result.DurationSeconds;
}
