using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>What a crowd of clients saw that made one round trip each, as plain data that can travel between processes.</summary>
internal sealed record CrowdReport
{
    public required string LibraryVersion { get; init; }

    /// <summary>From the first client that was made to the last that had connected.</summary>
    public required double ConnectSeconds { get; init; }

    /// <summary>Clients whose answer came within the deadline.</summary>
    public required long Answered { get; init; }

    /// <summary>Their round trips; null where there were none.</summary>
    public LatencySummary? Latency { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }
}
