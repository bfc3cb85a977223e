namespace NetCoreNetworkBenchmark.Impairment;

internal sealed class Counter
{
    public long Received { get; set; }

    public long Forwarded { get; set; }

    public long Dropped { get; set; }

    public long Duplicated { get; set; }

    public long Reordered { get; set; }

    public long Corrupted { get; set; }

    public long Overflowed { get; set; }

    public long Bytes { get; set; }

    public long ForwardedBytes { get; set; }

    public long DelayedBytes { get; set; }

    public long LongestQueue { get; set; }

    public RelayDirectionCounts ToCounts(long? missed, bool areStreams) =>
        new(Received, Forwarded, Dropped, Duplicated, Reordered, Corrupted, Overflowed, missed)
        {
            Stream = areStreams ? new RelayStreamCounts(Bytes, ForwardedBytes, DelayedBytes, LongestQueue) : null,
        };
}
