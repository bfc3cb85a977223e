namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <param name="Sequence">From 1.</param>
/// <param name="Due">The time of its tick (<see cref="WorkerStatistics.Now"/>).</param>
internal readonly record struct SmallMessage(uint Sequence, long Due)
{
    public const int Size = 32;

    // A bulk message begins with the number of its client, which is never the largest.
    private const uint Marker = uint.MaxValue;
    private const int SequenceAt = 4;
    private const int TimeAt = 8;

    public static bool TryRead(ReadOnlySpan<byte> bytes, out SmallMessage message)
    {
        bool isSmall = bytes.Length == Size && MemoryMarshal.Read<uint>(bytes) == Marker;
        message = isSmall ? new SmallMessage(MemoryMarshal.Read<uint>(bytes[SequenceAt..]), MemoryMarshal.Read<long>(bytes[TimeAt..])) : default;
        return isSmall;
    }

    public void WriteTo(Span<byte> bytes)
    {
        bytes.Clear();
        MemoryMarshal.Write(bytes, Marker);
        MemoryMarshal.Write(bytes[SequenceAt..], Sequence);
        MemoryMarshal.Write(bytes[TimeAt..], Due);
    }
}
