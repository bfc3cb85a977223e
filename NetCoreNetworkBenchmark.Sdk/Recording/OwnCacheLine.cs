namespace NetCoreNetworkBenchmark.Recording;

/// <summary>No other thread's data lies on the same cache line.</summary>
[StructLayout(LayoutKind.Explicit, Size = 192)]
internal struct OwnCacheLine
{
    [FieldOffset(64)]
    public long Value;
}
