namespace NetCoreNetworkBenchmark.Tests.Statistics;

/// <summary>The count of what happens to each of many trials by chance, such as packets that are lost.</summary>
internal static class BinomialCount
{
    /// <summary>Asserts that a count is within five standard deviations of its expectation. Chance exceeds them once in a million.</summary>
    /// <param name="probability">The probability of each trial, from 0 to 1.</param>
    /// <param name="trials">The number of trials.</param>
    /// <param name="count">The number of trials in which it happened.</param>
    public static void AssertNear(double probability, long trials, long count)
    {
        double expected = trials * probability;
        double bound = 5 * Math.Sqrt(expected * (1 - probability));
        Assert.InRange(count, expected - bound, expected + bound);
    }
}
