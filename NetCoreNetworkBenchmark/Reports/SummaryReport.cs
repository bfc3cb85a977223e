using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>The figures of the pages as comma-separated values: a row for each case. They are written if they are requested.</summary>
public sealed class SummaryReport : IJoiningReport
{
    private static readonly Column<BenchmarkCase>[] s_columns =
    [
        new("benchmark", row => row.Benchmark.Title),
        new("library", row => row.Case.Library),
        new("protocol", row => row.Median?.Plan?.Protocol.ToString()),
        new("clients", row => row.Median?.Plan?.Clients),
        new("messages", row => row.Median?.Plan?.ParallelMessages),
        new("rate", row => row.Median?.Plan?.Rate),
        new("size", row => row.Median?.Plan?.MessageSize),
        new("place", row => PlacesOf(row.Case)?.First),
        new("lastPlace", row => PlacesOf(row.Case)?.Last),
        new("valid", row => row.Case.Valid),
        .. Figures("messagesPerSecond", figures => figures.MessagesPerSecond),
        .. Figures("serverCpuMicroseconds", figures => figures.ServerCpuMicroseconds),
        new("p50Microseconds", row => row.Figures.P50Microseconds?.Value),
        .. Figures("p99Microseconds", figures => figures.P99Microseconds),
        new("wirePackets", row => row.Figures.WirePackets),
        new("wireBytes", row => row.Figures.WireBytes),
        new("wireKilobitsPerClient", row => row.Figures.WireKilobitsPerClient),
        new("wireOverhead", row => row.Figures.WireOverhead),
        new("serverCpuToBest", row => row.Case.ToBest?.ServerCpu?.Ratio),
        new("serverCpuToBest.lower", row => row.Case.ToBest?.ServerCpu?.Lower),
        new("serverCpuToBest.upper", row => row.Case.ToBest?.ServerCpu?.Upper),
        new("thinkMilliseconds", row => row.Median?.Plan?.Think.TotalMilliseconds),
    ];

    public string Name => "summary";

    public bool IsWrittenByDefault => false;

    public string? FileNameOf(Result result) => result is SuiteResult ? $"{ResultFile.FileNameOf(result.Kind)}.summary.csv" : null;

    public void WriteAll(IReadOnlyList<Result> results, TextWriter writer) => CsvReport.Write(
        Table.Create("Cases", s_columns, results.OfType<SuiteResult>().SelectMany(BenchmarkCase.In)), writer);

    private static Column<BenchmarkCase>[] Figures(string name, Func<CaseFigures, CaseFigure?> of) =>
    [
        new(name, row => of(row.Figures)?.Value),
        new($"{name}.lower", row => of(row.Figures)?.Lower),
        new($"{name}.upper", row => of(row.Figures)?.Upper),
    ];

    private static (int? First, int? Last)? PlacesOf(CaseResult result) => !result.IsBaseline && Ranking.HasPlace(result) && result.ToBaseline is { } ratio
        ? (ratio.Rank, ratio.LastRank ?? ratio.Rank)
        : null;
}
