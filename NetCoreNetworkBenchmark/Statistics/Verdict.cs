namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>What a comparison says of a figure of which more is better.</summary>
public enum Verdict
{
    /// <summary>The launches are too few, or too far apart, for any of the other verdicts.</summary>
    Inconclusive,

    /// <summary>The new figure is within the threshold of the old one.</summary>
    Same,

    /// <summary>The new figure is lower than the old one by more than the threshold.</summary>
    Slower,

    /// <summary>The new figure is higher than the old one by more than the threshold.</summary>
    Faster,
}
