using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>What a server counted between two marks, as plain data that can travel between processes.</summary>
internal sealed record ServerReport
{
    public required string LibraryVersion { get; init; }

    public required long Received { get; init; }

    public required long Sent { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }

    public required ProcessCost Cost { get; init; }
}
