namespace NetCoreNetworkBenchmark.Core;

/// <summary>What a library promises about the delivery of a message.</summary>
public enum Transmission
{
    /// <summary>A message may be lost; the library does not send it again.</summary>
    Unreliable,

    /// <summary>The library sends a message again until the other side has acknowledged it, and keeps the order.</summary>
    Reliable,
}
