namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The content of a message, after the tag that the workload itself needs.</summary>
public enum MessageLoad
{
    /// <summary>Pseudo-random bytes, identical for the same <see cref="RunPlan.Seed"/>.</summary>
    Random,

    /// <summary>Every byte is 0x00.</summary>
    Zeros,

    /// <summary>Every byte is 0xFF.</summary>
    Ones,
}
