namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The guarantee of a library for the delivery of a message.</summary>
public enum Transmission
{
    /// <summary>A message may be lost; the library does not send it again.</summary>
    Unreliable,

    /// <summary>The library sends a message again until the other side has acknowledged it, and preserves the order.</summary>
    Reliable,
}
