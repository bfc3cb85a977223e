using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The table of a benchmark whose cases took turns: the libraries with their places, the best first, and below them the baselines.</summary>
internal static class RankingTable
{
    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult result)
    {
        InterleavingMethod method = result.Interleaving!;
        string sets = method.LimitSeconds is null ? $"{result.LaunchCount}" : $"{result.LaunchCount} or more";
        return Invariant($"All libraries of a benchmark took turns in slices of {1000 * method.SliceSeconds:0} ms, in {sets} fresh sets of processes. ") +
            "A ratio is compared within the rounds, with half the width of its 95 % interval. Libraries that are undecided share a range of places. " +
            "Baselines are raw sockets to compare with, and have no place.";
    }

    /// <summary>Returns the table.</summary>
    /// <param name="benchmark">The benchmark.</param>
    /// <param name="header">The header of the other columns, of which the first is the library.</param>
    /// <param name="textColumns">The number of text columns among them, from the left.</param>
    /// <param name="row">Returns the other cells of a row.</param>
    /// <returns>The table, the best library first.</returns>
    public static TextTable Of(BenchmarkResult benchmark, string[] header, int textColumns, Func<CaseResult, string[]> row)
    {
        bool atRate = benchmark.RankedBy == RankedFigure.ServerCpu;
        string[] ratios = atRate
            ? ["server CPU × best", "of a core", "bytes a message"]
            : ["msg/s × best", "server CPU × best", $"msg/s to {benchmark.Floor}"];
        return new TextTable(
            textColumns + 1,
            ["place", header[0], .. header[1..textColumns], .. ratios, .. header[textColumns..]],
            [
                .. Ordered(benchmark).Select(found => (string[])
                [
                    PlaceOf(found),
                    .. row(found)[..textColumns],
                    .. atRate
                        ? (string[])[RatioOf(found.ToBest?.ServerCpu), CoresOf(found), BytesOf(found)]
                        : [RatioOf(found.ToBest?.Rate), RatioOf(found.ToBest?.ServerCpu), RatioOf(found.ToFloor?.Rate)],
                    .. row(found)[textColumns..],
                ]),
            ]);
    }

    /// <summary>Returns the cases in the order of the ranking; baselines are after the libraries, and cases without a ratio last.</summary>
    public static IEnumerable<CaseResult> Ordered(BenchmarkResult benchmark) => benchmark.Cases
        .OrderBy(found => found.IsBaseline)
        .ThenBy(found => found.ToFloor is null)
        .ThenBy(found => benchmark.RankedBy == RankedFigure.ServerCpu ? found.ToFloor?.ServerCpu?.Ratio : -found.ToFloor?.Rate.Ratio);

    /// <summary>Returns the range of places of a case, such as "2 – 3"; a dash for a baseline.</summary>
    public static string PlaceOf(CaseResult found) => found switch
    {
        { IsBaseline: true } => "baseline",
        { ToFloor: { Rank: { } first, LastRank: { } last } } => Invariant($"{first} – {last}"),
        { ToFloor.Rank: { } only } => Invariant($"{only}"),
        _ => "-",
    };

    /// <summary>Returns a ratio with half the width of its interval, or a dash if it was not measured.</summary>
    public static string RatioOf(RatioFigure? figure) => figure is null ? "-"
        : figure.HalfWidth is { } half ? Invariant($"{figure.Ratio:0.00} ±{100 * half:0.#} %")
        : Figure(figure.Ratio, "0.00");

    /// <summary>Returns a ratio with the ends of its interval, or a dash if it was not measured.</summary>
    public static string IntervalOf(RatioFigure? figure) => figure is null ? "-"
        : figure.Lower is null ? Figure(figure.Ratio, "0.000")
        : $"{Figure(figure.Ratio, "0.000")} ({Interval(figure.Lower, figure.Upper, "0.000")})";

    // The rate is that of the schedule.
    private static string CoresOf(CaseResult found) =>
        found.Summary is { ServerCpuMicroseconds: { } cost, MessagesPerSecond: var rate } ? Invariant($"{cost.Median * rate.Median / 1e4:0} %") : "-";

    private static string BytesOf(CaseResult found) => found.MedianLaunch()?.Costs.Server is { Messages: > 0 } server
        ? Invariant($"{(double)server.AllocatedBytes / server.Messages:N0}")
        : "-";
}
