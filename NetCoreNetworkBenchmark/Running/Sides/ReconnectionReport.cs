using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The connections that the clients of one process lost and opened again, as plain data that can be sent between processes.</summary>
/// <param name="Lost">Connections that were lost.</param>
/// <param name="Attempts">Attempts to connect again.</param>
/// <param name="Returned">Attempts that succeeded.</param>
/// <param name="Gaps">The times from a loss to the first answer after it.</param>
/// <param name="Reasons">The ends of connections, by reason.</param>
internal sealed record ReconnectionReport(long Lost, long Attempts, long Returned, LatencyReport Gaps, SortedDictionary<string, long> Reasons)
{
    public static ReconnectionReport Of(RunRecorder recorder)
    {
        (long lost, long attempts, long returned, LatencyHistogram gaps) = recorder.Reconnections.Read();
        return new ReconnectionReport(lost, attempts, returned, LatencyReport.Of(gaps), recorder.Disconnects());
    }

    /// <summary>Merges the reports of several processes of clients.</summary>
    public static ReconnectionReport Merge(IReadOnlyList<ReconnectionReport> reports) => new(
        reports.Sum(report => report.Lost),
        reports.Sum(report => report.Attempts),
        reports.Sum(report => report.Returned),
        LatencyReport.Merge([.. reports.Select(report => report.Gaps)]),
        ClientReport.SumByName(reports.Select(report => report.Reasons)));

    /// <summary>Returns the part of the result, with the ends of connections that the server saw.</summary>
    public ReconnectionResult ResultWith(SortedDictionary<string, long>? server) => new(
        Lost, Attempts, Returned, Gaps.Summary, Gaps.Histogram, ClientReport.SumByName([Reasons, server ?? []]));
}
