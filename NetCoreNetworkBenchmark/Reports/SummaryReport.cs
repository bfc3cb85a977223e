using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>The figures of the pages as comma-separated values: a row for each case. They are written if they are requested.</summary>
public sealed class SummaryReport : IJoiningReport
{
    private static readonly Column<Row>[] s_columns =
    [
        new("benchmark", row => row.Benchmark.Title),
        new("library", row => row.Case.Library),
        new("protocol", row => PlanOf(row)?.Protocol.ToString()),
        new("clients", row => PlanOf(row)?.Clients),
        new("messages", row => PlanOf(row)?.ParallelMessages),
        new("rate", row => PlanOf(row)?.Rate),
        new("size", row => PlanOf(row)?.MessageSize),
        new("place", row => PlacesOf(row)?.First),
        new("lastPlace", row => PlacesOf(row)?.Last),
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
        new("thinkMilliseconds", row => PlanOf(row)?.Think.TotalMilliseconds),
    ];

    public string Name => "summary";

    public bool IsWrittenByDefault => false;

    public string? FileNameOf(Result result) => result is SuiteResult ? $"{ResultFile.FileNameOf(result.Kind)}.summary.csv" : null;

    public void WriteAll(IReadOnlyList<Result> results, TextWriter writer) => CsvReport.Write(
        Table.Create(
            "Cases",
            s_columns,
            from suite in results.OfType<SuiteResult>()
            from benchmark in suite.Benchmarks
            from result in benchmark.Cases
            select new Row(benchmark, result, CaseFigures.From(benchmark, result))),
        writer);

    private static Column<Row>[] Figures(string name, Func<CaseFigures, CaseFigure?> of) =>
    [
        new(name, row => of(row.Figures)?.Value),
        new($"{name}.lower", row => of(row.Figures)?.Lower),
        new($"{name}.upper", row => of(row.Figures)?.Upper),
    ];

    private static (int? First, int? Last)? PlacesOf(Row row) => !row.Case.IsBaseline && Ranking.HasPlace(row.Case) && row.Case.ToBaseline is { } ratio
        ? (ratio.Rank, ratio.LastRank ?? ratio.Rank)
        : null;

    private static RunPlan? PlanOf(Row row) => row.Case.MedianLaunch()?.Plan;

    private sealed record Row(BenchmarkResult Benchmark, CaseResult Case, CaseFigures Figures);
}
