using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of a crowd of clients that made one round trip each, as plain data that can be sent between processes.</summary>
internal sealed record CapacityReport
{
    public required string LibraryVersion { get; init; }

    /// <summary>The time from the creation of the first client to the connection of the last.</summary>
    public required double ConnectSeconds { get; init; }

    /// <summary>The number of clients whose answer came within the deadline.</summary>
    public required long Answered { get; init; }

    /// <summary>The latencies of their round trips; null if there were none.</summary>
    public LatencySummary? Latency { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }
}
