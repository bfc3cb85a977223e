using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The table of a benchmark whose cases took turns: the ratio to the floor first, the highest first.</summary>
internal static class RankingTable
{
    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult result) => Invariant(
        $"All libraries of a benchmark took turns in slices, in {result.LaunchCount} fresh sets of processes. The first column is the ratio of a library's ") +
        "messages per second to those of the floor, with its 95 % interval between sets. Libraries whose difference is not significant share a rank. " +
        "Latencies are of all sets together.";

    /// <summary>Returns the table.</summary>
    /// <param name="benchmark">The benchmark.</param>
    /// <param name="header">The header of the other columns.</param>
    /// <param name="textColumns">The number of text columns among them, from the left.</param>
    /// <param name="row">Returns the other cells of a row.</param>
    /// <returns>The table, the highest ratio first.</returns>
    public static TextTable Of(BenchmarkResult benchmark, string[] header, int textColumns, Func<CaseResult, string[]> row) => new(
        textColumns + 2,
        [$"msg/s to {benchmark.Floor}", "rank", .. header, "server CPU to it"],
        [
            .. Ordered(benchmark).Select(found => (string[])
            [
                RatioOf(found.ToFloor?.Rate),
                Figure(found.ToFloor?.Rank),
                .. row(found),
                RatioOf(found.ToFloor?.ServerCpu),
            ]),
        ]);

    /// <summary>Returns the cases in the order of the ranking; those without a ratio last.</summary>
    public static IEnumerable<CaseResult> Ordered(BenchmarkResult benchmark) => benchmark.Cases.OrderByDescending(found => found.ToFloor?.Rate.Ratio ?? -1);

    /// <summary>Returns a ratio with its interval, or a dash if it was not measured.</summary>
    public static string RatioOf(RatioFigure? figure) => figure is null ? "-"
        : figure.Lower is null ? Figure(figure.Ratio, "0.000")
        : $"{Figure(figure.Ratio, "0.000")} ({Interval(figure.Lower, figure.Upper, "0.000")})";
}
