namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The times at which a relay stalls, as far as a test can determine them.</summary>
internal static class StallTimes
{
    /// <summary>
    /// The end of the stall in which something was certainly sent, for any time between the two at which the relay may have begun its
    /// impairment.
    /// </summary>
    /// <returns>Null if it may have been sent outside of a stall.</returns>
    public static long? EndOf(long sent, long before, long after, Interruption stall)
    {
        double ticks = Stopwatch.Frequency;
        long number = (long)((sent - after) / (stall.Period.TotalSeconds * ticks));
        long begin = (long)(number * stall.Period.TotalSeconds * ticks);
        long end = begin + (long)(stall.Length.TotalSeconds * ticks);
        return number >= 1 && sent < before + end ? before + end : null;
    }
}
