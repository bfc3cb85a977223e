using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of the clients' side, as plain data that can be sent between processes.</summary>
internal sealed record ClientReport
{
    public required string LibraryVersion { get; init; }

    /// <summary>The number of threads that served the clients; null if the library has threads of its own.</summary>
    public int? Threads { get; init; }

    /// <summary>The cores that this side was bound to; null if it was not bound.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>The deviations of the adapter from the plan.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];

    public required DateTimeOffset StartedAt { get; init; }

    public required double WarmUpSeconds { get; init; }

    public required bool WarmUpSteady { get; init; }

    public required double DurationSeconds { get; init; }

    /// <summary>The messages counted within the measurement.</summary>
    public required MessageCounters Measured { get; init; }

    /// <summary>The messages counted from the start of the measurement to the end of the drain.</summary>
    public required MessageCounters AfterStart { get; init; }

    /// <summary>The messages counted from the first message to the end of the drain.</summary>
    public required MessageCounters Whole { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }

    /// <summary>TLS handshakes that succeeded; empty if there was no TLS.</summary>
    public IReadOnlyList<TlsHandshakes> Handshakes { get; init; } = [];

    public required IReadOnlyList<IterationResult> Iterations { get; init; }

    public required bool Aborted { get; init; }

    public required ProcessCost Cost { get; init; }

    /// <summary>The kind of latency that was counted and timed.</summary>
    public LatencyKind LatencyKind { get; init; }

    /// <summary>The distribution of the messages over the clients; null if the test does not report it.</summary>
    public ClientShares? Shares { get; init; }

    /// <summary>Latencies of the measurement.</summary>
    public required LatencyReport Latency { get; init; }

    /// <summary>The same latencies as a waiting client would have seen them; null in a closed loop.</summary>
    public LatencyReport? Uncorrected { get; init; }

    /// <summary>The use of the clients' machine meanwhile; null if the system does not report it.</summary>
    public MachineUse? Machine { get; init; }
}

/// <summary>A distribution: the quoted values, with the exact mean and maximum, and the whole distribution, encoded.</summary>
/// <param name="Summary">The quoted values; null if nothing was recorded.</param>
/// <param name="Histogram">The encoded distribution; null if nothing was recorded.</param>
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
