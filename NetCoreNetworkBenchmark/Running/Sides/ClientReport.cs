using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>What the clients' side measured, as plain data that can travel between processes.</summary>
internal sealed record ClientReport
{
    public required string LibraryVersion { get; init; }

    /// <summary>Threads that served the clients; null where the library's threads are its own.</summary>
    public int? Threads { get; init; }

    /// <summary>The cores that this side was bound to; null where it was not.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>What the adapter did otherwise than it was asked to.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];

    public required DateTimeOffset StartedAt { get; init; }

    public required double WarmUpSeconds { get; init; }

    public required bool WarmUpSteady { get; init; }

    public required double DurationSeconds { get; init; }

    /// <summary>Counted within the measurement.</summary>
    public required MessageCounters Measured { get; init; }

    /// <summary>Counted from the begin of the measurement to the end of the drain.</summary>
    public required MessageCounters AfterStart { get; init; }

    /// <summary>Counted from the first message to the end of the drain.</summary>
    public required MessageCounters Whole { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }

    /// <summary>TLS handshakes that succeeded; empty where there was no TLS.</summary>
    public IReadOnlyList<TlsHandshakes> Handshakes { get; init; } = [];

    public required IReadOnlyList<IterationResult> Iterations { get; init; }

    public required bool Aborted { get; init; }

    public required ProcessCost Cost { get; init; }

    /// <summary>What was counted and timed.</summary>
    public LatencyKind LatencyKind { get; init; }

    /// <summary>How the messages were spread over the clients; null where the test does not tell.</summary>
    public ClientShares? Shares { get; init; }

    /// <summary>Latencies of the measurement.</summary>
    public required LatencyReport Latency { get; init; }

    /// <summary>The same as a waiting client would have seen them; null in a closed loop.</summary>
    public LatencyReport? Uncorrected { get; init; }

    /// <summary>What the clients' machine did meanwhile; null where the system does not tell.</summary>
    public MachineUse? Machine { get; init; }
}

/// <summary>A distribution: what is quoted of it, with the exact mean and maximum, and all of it, encoded.</summary>
/// <param name="Summary">Null where nothing was recorded.</param>
/// <param name="Histogram">Null where nothing was recorded.</param>
internal sealed record LatencyReport(LatencySummary? Summary, string? Histogram)
{
    public static LatencyReport Of(LatencyHistogram histogram)
    {
        double At(double percentile) => histogram.ValueAtPercentile(percentile) / 1000.0;
        return histogram.Count == 0 ? new LatencyReport(null, null) : new LatencyReport(
            new LatencySummary(histogram.Mean / 1000, At(50), At(90), At(95), At(99), At(99.9), At(99.99), histogram.Max / 1000.0),
            HistogramCodec.Encode(histogram));
    }
}
