using NetCoreNetworkBenchmark.Histograms;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The round trips of one run as a percentile distribution in microseconds, for the plotters of HdrHistogram. In an open loop, the round trips
/// count from the time at which a message was due.
/// </summary>
public sealed class HgrmReport : IReport
{
    private const double NanosecondsPerMicrosecond = 1000;

    /// <inheritdoc/>
    public string Name => "hgrm";

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => result is RunResult { Clients.Latency.Histogram: not null } ? "result.hgrm" : null;

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer)
    {
        string histogram = (result as RunResult)?.Clients.Latency.Histogram
            ?? throw new ArgumentException("Only a run with a histogram has a distribution.", nameof(result));
        PercentileDistribution.Write(HistogramCodec.Decode(histogram), writer, NanosecondsPerMicrosecond);
    }
}
