using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Counts the outcomes of the chunks of one direction; see <see cref="RelayDirectionCounts"/> and <see cref="RelayStreamCounts"/>.</summary>
internal sealed class StreamCounter
{
    public long Received { get; set; }

    public long Forwarded { get; set; }

    public long Overflowed { get; set; }

    public long Bytes { get; set; }

    public long ForwardedBytes { get; set; }

    public long DelayedBytes { get; set; }

    public long LongestQueue { get; set; }

    public RelayDirectionCounts ToCounts() => new(Received, Forwarded, Dropped: 0, Duplicated: 0, Reordered: 0, Corrupted: 0, Overflowed, Missed: null)
    {
        Stream = new RelayStreamCounts(Bytes, ForwardedBytes, DelayedBytes, LongestQueue),
    };
}
