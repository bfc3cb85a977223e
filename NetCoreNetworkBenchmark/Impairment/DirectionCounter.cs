using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Counts the outcomes of the datagrams of one direction; see <see cref="RelayDirectionCounts"/>.</summary>
internal sealed class DirectionCounter
{
    public long Received { get; set; }

    public long Forwarded { get; set; }

    public long Dropped { get; set; }

    public long Duplicated { get; set; }

    public long Reordered { get; set; }

    public long Corrupted { get; set; }

    public long Overflowed { get; set; }

    public RelayDirectionCounts ToCounts(long? missed) => new(Received, Forwarded, Dropped, Duplicated, Reordered, Corrupted, Overflowed, missed);
}
