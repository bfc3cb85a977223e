using NetCoreNetworkBenchmark.Histograms;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>The connections that clients lost and opened again, over the whole run.</summary>
/// <param name="Lost">Connections that were lost.</param>
/// <param name="Attempts">Attempts to connect again.</param>
/// <param name="Returned">Attempts that succeeded.</param>
/// <param name="Gaps">The times from the loss of a connection to the first answer that its client got after it.</param>
/// <param name="Reasons">The ends of connections as the clients saw them, by reason.</param>
public sealed record ReconnectionReport(long Lost, long Attempts, long Returned, LatencyReport Gaps, IReadOnlyDictionary<string, long> Reasons)
{
    /// <summary>Reports the reconnections of the clients of a process.</summary>
    /// <param name="recorder">The recorder of the clients.</param>
    /// <returns>The report.</returns>
    public static ReconnectionReport Of(RunRecorder recorder)
    {
        (long lost, long attempts, long returned, LatencyHistogram gaps) = recorder.Reconnections.Read();
        return new ReconnectionReport(lost, attempts, returned, LatencyReport.Of(gaps), recorder.Disconnects());
    }

    /// <summary>Merges the reports of several load generators.</summary>
    /// <param name="reports">The reports.</param>
    /// <returns>The sums.</returns>
    public static ReconnectionReport Merge(IReadOnlyList<ReconnectionReport> reports) => new(
        reports.Sum(report => report.Lost),
        reports.Sum(report => report.Attempts),
        reports.Sum(report => report.Returned),
        LatencyReport.Merge([.. reports.Select(report => report.Gaps)]),
        SideReport.SumByName(reports.Select(report => report.Reasons)));
}
