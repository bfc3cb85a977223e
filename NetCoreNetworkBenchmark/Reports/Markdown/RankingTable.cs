using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The tables of a benchmark whose cases took turns: the libraries with their places, the best first, and the baselines apart from them.</summary>
internal static class RankingTable
{
    private const double MicrosecondsPerSecond = 1e6;

    /// <summary>Returns whether a benchmark has figures in relation to the best library.</summary>
    public static bool Fits(BenchmarkResult benchmark) => benchmark.Cases.Any(found => found.ToBest is not null);

    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult result)
    {
        InterleavingMethod method = result.Interleaving!;
        string sets = method.LimitSeconds is null ? Invariant($"{result.LaunchCount}") : Invariant($"{result.LaunchCount} or more");
        string floor = result.Benchmarks.Select(benchmark => benchmark.Floor).FirstOrDefault(floor => floor is not null) ?? "the baseline";
        return Invariant($"All libraries of a benchmark took turns in slices of {1000 * method.SliceSeconds:0} ms, in {sets} fresh sets of processes. ") +
            "A ratio is compared within the rounds, with half the width of its 95 % interval. Libraries that are undecided share a range of places. " +
            $"Messages per second and CPU time are the ratios to {floor} times the median of {floor}, so that they agree with the ratios. " +
            "Latencies are percentiles of all sets together.";
    }

    /// <summary>Returns the description of <see cref="ToFloor"/>, in a few sentences.</summary>
    public static string MethodToFloor(SuiteResult result) => Invariant(
        $"All libraries of a benchmark took turns in slices, in {result.LaunchCount} fresh sets of processes. The first column is the ratio of a library's ") +
        "messages per second to those of the floor, with its 95 % interval between sets. Libraries that are undecided share a rank. " +
        "Latencies are percentiles of all sets together.";

    /// <summary>Returns the table of the libraries, or that of the baselines.</summary>
    public static TextTable Of(BenchmarkResult benchmark, bool ofBaselines)
    {
        (string Header, Func<CaseResult, string> Cell)[] texts = [("Library", found => found.Library), ("Version", VersionOf)];
        (string Header, Func<CaseResult, string> Cell)[] columns =
        [
            .. ofBaselines ? texts : texts.Prepend(("place", PlaceOf)),
            .. benchmark.RankedBy == RankedFigure.ServerCpu ? ColumnsAtRate(benchmark) : Columns(benchmark),
            ("sets", SetsOf),
        ];
        return new TextTable(
            ofBaselines ? 2 : 3,
            [.. columns.Select(column => column.Header)],
            [
                .. Ordered(benchmark).Where(found => found.IsBaseline == ofBaselines)
                    .Select(found => columns.Select(column => column.Cell(found)).ToArray()),
            ]);
    }

    /// <summary>Returns the table of a result of an earlier version, which has the ratios to the floor alone: the highest first.</summary>
    /// <param name="benchmark">The benchmark.</param>
    /// <param name="header">The header of the other columns.</param>
    /// <param name="row">Returns the other cells of a row.</param>
    public static TextTable ToFloor(BenchmarkResult benchmark, string[] header, Func<CaseResult, string[]> row) => new(
        4,
        [$"msg/s to {benchmark.Floor}", "rank", .. header, "server CPU to it"],
        [
            .. Ordered(benchmark).Select(found => (string[])
                [IntervalOf(found.ToFloor?.Rate), Figure(found.ToFloor?.Rank), .. row(found), IntervalOf(found.ToFloor?.ServerCpu)]),
        ]);

    /// <summary>Returns the cases in the order of the ranking; baselines are after the libraries, and cases without a ratio last.</summary>
    public static IEnumerable<CaseResult> Ordered(BenchmarkResult benchmark) => benchmark.Cases
        .OrderBy(found => found.IsBaseline)
        .ThenBy(found => found.ToFloor is null)
        .ThenBy(found => benchmark.RankedBy == RankedFigure.ServerCpu ? found.ToFloor?.ServerCpu?.Ratio : -found.ToFloor?.Rate.Ratio);

    /// <summary>Returns the range of places of a case, such as "2 – 3"; a dash if it has none.</summary>
    public static string PlaceOf(CaseResult found) => found.ToFloor switch
    {
        { Rank: { } first, LastRank: { } last } when last != first => Invariant($"{first} – {last}"),
        { Rank: { } only } => Invariant($"{only}"),
        _ => "-",
    };

    /// <summary>Returns the messages per second of a case at the median speed of the floor: in agreement with the ratios.</summary>
    public static double? RateOf(BenchmarkResult benchmark, CaseResult found) =>
        found.ToFloor?.Rate.Ratio * FloorOf(benchmark)?.MessagesPerSecond.Median;

    /// <summary>Returns the server's CPU time per message, in microseconds, at the median speed of the floor.</summary>
    public static double? CostOf(BenchmarkResult benchmark, CaseResult found) =>
        found.ToFloor?.ServerCpu?.Ratio * FloorOf(benchmark)?.ServerCpuMicroseconds?.Median;

    /// <summary>Returns the server's CPU time as a share of one core, for a load with a fixed rate.</summary>
    public static string CoreOf(BenchmarkResult benchmark, CaseResult found) =>
        Figure(CostOf(benchmark, found) * found.Summary?.MessagesPerSecond.Median / MicrosecondsPerSecond, "P0");

    /// <summary>Returns the managed bytes that the server allocated per message.</summary>
    public static string AllocationOf(CaseResult found) => Figure(
        found.MedianLaunch()?.Costs.Server is { Messages: > 0 } server ? (double)server.AllocatedBytes / server.Messages : null, "N1");

    /// <summary>Returns a ratio with half the width of its interval, or a dash if it was not measured.</summary>
    public static string RatioOf(RatioFigure? figure) => figure?.HalfWidth is { } half
        ? Invariant($"{figure.Ratio:0.00} ±{100 * half:0.#} %")
        : Figure(figure?.Ratio, "0.00");

    /// <summary>Returns a ratio with half the width of its interval in whole per cent, rounded up.</summary>
    public static string ShortRatioOf(RatioFigure? figure) => figure?.HalfWidth is { } half
        ? Invariant($"{figure.Ratio:0.00} ±{Math.Ceiling((100 * half) - 1e-6):0}")
        : Figure(figure?.Ratio, "0.00");

    /// <summary>Returns a ratio with the ends of its interval, or a dash if it was not measured.</summary>
    public static string IntervalOf(RatioFigure? figure) => figure is null ? "-"
        : figure.Lower is null ? Figure(figure.Ratio, "0.000")
        : $"{Figure(figure.Ratio, "0.000")} ({Interval(figure.Lower, figure.Upper, "0.000")})";

    private static (string Header, Func<CaseResult, string> Cell)[] Columns(BenchmarkResult benchmark) =>
    [
        ("msg/s × best", found => RatioOf(found.ToBest?.Rate)),
        ("server CPU × best", found => RatioOf(found.ToBest?.ServerCpu)),
        ("msg/s", found => RateOf(benchmark, found) is { } rate ? Figure(rate) : SuitePage.Rate(found)),
        ("server CPU per message", found => Units.Time(CostOf(benchmark, found))),
    ];

    private static (string Header, Func<CaseResult, string> Cell)[] ColumnsAtRate(BenchmarkResult benchmark) =>
    [
        ("server CPU × best", found => RatioOf(found.ToBest?.ServerCpu)),
        ("of a core", found => CoreOf(benchmark, found)),
        ("bytes per message", AllocationOf),
        ("p50", found => Units.Time(found.Summary?.P50Microseconds?.Median)),
        ("p99", found => Units.Time(found.Summary?.P99Microseconds?.Median)),
        ("p99.9", found => Units.Time(found.Summary?.P999Microseconds?.Median)),
    ];

    private static string VersionOf(CaseResult found) => found.MedianLaunch()?.LibraryVersion ?? "-";

    private static string SetsOf(CaseResult found) => found.Launches.Count == 0
        ? "not run"
        : Invariant($"{found.Launches.Count(launch => launch.IsValid)} of {found.Launches.Count}");

    private static CaseSummary? FloorOf(BenchmarkResult benchmark) => benchmark.Cases.FirstOrDefault(found => found.Library == benchmark.Floor)?.Summary;
}
