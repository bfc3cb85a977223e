namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// The figures of a case in absolute units, as every report has them. If the cases of the benchmark were compared in slices, a figure is the ratio of the case
/// on the scale on which the baseline has its median (of a latency, the geometric mean of its slices), so that figures and ratios agree. Otherwise, it is that
/// of <see cref="CaseResult.Summary"/>.
/// </summary>
/// <param name="Library">The name of the case.</param>
/// <param name="MessagesPerSecond">Messages per second; null without valid launches.</param>
/// <param name="ServerCpuMicroseconds">The server's CPU time per message, in microseconds; null if it is not known.</param>
/// <param name="P50Microseconds">The 50th percentile of the latency, in microseconds; null if it is not known.</param>
/// <param name="P99Microseconds">The 99th percentile of the latency, in microseconds; null if it is not known.</param>
/// <param name="WirePackets">Packets on the wire for each message, of both directions; null if they were not counted.</param>
/// <param name="WireBytes">Bytes on the wire for each message, of both directions, with the headers of IP; null if they were not counted.</param>
/// <param name="WireKilobitsPerClient">
/// Kilobits (1,000 bits) per second on the wire for each client, of both directions, at the rate of the case; null if they were not counted.
/// </param>
/// <param name="WireOverhead">
/// The share (0 to 1) of the bytes on the wire that is not of the messages themselves; null if they were not counted, and for messages of the server alone.
/// </param>
public sealed record CaseFigures(
    string Library, CaseFigure? MessagesPerSecond, CaseFigure? ServerCpuMicroseconds, CaseFigure? P50Microseconds, CaseFigure? P99Microseconds,
    double? WirePackets = null, double? WireBytes = null, double? WireKilobitsPerClient = null,
    double? WireOverhead = null)
{
    private const double KilobitsPerByte = 8 / 1e3;

    /// <summary>Whether each limit of the plan holds; null if there is none, or no result.</summary>
    public IReadOnlyList<LimitResult>? Limits { get; init; }

    internal static CaseFigures WithLimits(BenchmarkResult benchmark, CaseResult result)
    {
        CaseFigures figures = From(benchmark, result);
        return figures with { Limits = LimitResult.From(result.QuotedLaunches(), figures.ServerCpuMicroseconds?.Value, result.Wire) };
    }

    internal static CaseFigures From(BenchmarkResult benchmark, CaseResult result)
    {
        CaseResult? baseline = benchmark.Cases.FirstOrDefault(candidate => candidate.Library == benchmark.Baseline);
        bool hasLatency = benchmark.Cases.Any(candidate => candidate.ToBest?.P99 is not null);
        CaseFigure? Scaled(Func<BestRatio, RatioFigure?> ratio, Func<CaseResult, double?> ofBaseline) =>
            ScaledRatio(RatioOf(result, ratio), RatioOf(baseline, ratio), baseline is null ? null : ofBaseline(baseline));
        CaseFigure? OfSummary(Func<CaseSummary, Spread?> spread) => FromSpread(result.Summary is { } summary ? spread(summary) : null, baseline is null);
        CaseFigure? rate = Scaled(ratio => ratio.Rate, of => of.Summary?.MessagesPerSecond.Median) ?? OfSummary(summary => summary.MessagesPerSecond);
        double? bytes = result.Wire?.BytesPerMessage;
        RunResult? median = result.MedianLaunch();
        return new CaseFigures(
            result.Library,
            rate,
            Scaled(ratio => ratio.ServerCpu, of => of.Summary?.ServerCpuMicroseconds?.Median) ?? OfSummary(summary => summary.ServerCpuMicroseconds),
            hasLatency ? Scaled(ratio => ratio.P50, of => MeanOf(of, slices => slices.P50Microseconds)) : OfSummary(summary => summary.P50Microseconds),
            hasLatency ? Scaled(ratio => ratio.P99, of => MeanOf(of, slices => slices.P99Microseconds)) : OfSummary(summary => summary.P99Microseconds),
            result.Wire?.PacketsPerMessage,
            bytes,
            bytes * rate?.Value * KilobitsPerByte / median?.Plan.Clients,
            median is { IsOneWay: false } ? result.Wire?.OverheadOf(median.Plan.MeanMessageSize) : null);
    }

    private static RatioFigure? RatioOf(CaseResult? result, Func<BestRatio, RatioFigure?> ratio) => result?.ToBest is { } toBest ? ratio(toBest) : null;

    // Both ratios are to the best case, whose figure follows from that of the baseline.
    private static CaseFigure? ScaledRatio(RatioFigure? own, RatioFigure? ofBaseline, double? baselineFigure) =>
        own is not null && baselineFigure / ofBaseline?.Ratio is { } best
            ? new CaseFigure(own.Ratio * best, own.Lower * best, own.Upper * best)
            : null;

    private static CaseFigure? FromSpread(Spread? spread, bool hasInterval) =>
        spread is null ? null : new CaseFigure(spread.Median, hasInterval ? spread.Lower : null, hasInterval ? spread.Upper : null);

    // The geometric mean over the sets of that over the slices, as the ratios are estimated.
    private static double? MeanOf(CaseResult result, Func<SliceSeries, IReadOnlyList<double?>> figures)
    {
        double[] sets =
        [
            .. from launch in result.Launches
               where launch.IsValid
               let values = launch.Slices is { } slices ? figures(slices).OfType<double>().ToArray() : []
               where values.Length > 0
               select values.Average(Math.Log),
        ];
        return sets.Length == 0 ? null : Math.Exp(sets.Average());
    }
}

/// <summary>A figure of a case.</summary>
/// <param name="Value">The figure.</param>
/// <param name="Lower">
/// The lower end of its interval: that of the ratio to the best library, or without slices the 95 % interval between launches. The best library itself has
/// none, because the ratio of a case to itself is 1 exactly: an interval says how sure a difference from the best one is. Null if there is none.
/// </param>
/// <param name="Upper">The upper end of the interval; null if there is none.</param>
public sealed record CaseFigure(double Value, double? Lower = null, double? Upper = null);
