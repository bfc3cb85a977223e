namespace NetCoreNetworkBenchmark.Core;

/// <summary>What the bytes of a message are, behind the tag that the workload itself needs.</summary>
public enum MessageLoad
{
    /// <summary>Pseudo-random bytes, the same ones for the same <see cref="RunPlan.Seed"/>.</summary>
    Random,

    /// <summary>Every byte 0x00.</summary>
    Zeros,

    /// <summary>Every byte 0xFF.</summary>
    Ones,
}
