using System.Diagnostics;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>When a relay stalls, as far as a test can know it.</summary>
internal static class StallTimes
{
    /// <summary>The end of the stall in which something was surely sent, whenever the relay switched its impairment on between two times.</summary>
    /// <returns>Null where it may have been sent outside of a stall.</returns>
    public static long? EndOf(long sent, long before, long after, ImpairmentStall stall)
    {
        double ticks = Stopwatch.Frequency;
        long number = (long)((sent - after) / (stall.Period.TotalSeconds * ticks));
        long begin = (long)(number * stall.Period.TotalSeconds * ticks);
        long end = begin + (long)(stall.Length.TotalSeconds * ticks);
        return number >= 1 && sent < before + end ? before + end : null;
    }
}
