using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The picture of the first rankings, with which a page begins.</summary>
internal static class RankingPicture
{
    /// <summary>The name of the file.</summary>
    public const string File = "ranking.svg";

    private const int MostBenchmarks = 4;

    /// <summary>Returns the line of a page that shows the picture; null if there is none.</summary>
    public static string? LineOf(SuiteResult suite) => Of(suite) is { Count: > 0 } drawn
        ? $"![{WordsOf(drawn[0])}: {string.Join(", ", drawn.Select(found => found.Title))}]({File})"
        : null;

    private static string WordsOf(BenchmarkResult benchmark) => RankingTable.Fits(benchmark)
        ? "Each library in relation to the best, with comparison intervals"
        : $"Messages a second in relation to {benchmark.Floor}, with their 95 % intervals";

    /// <summary>Returns the benchmarks of the picture; none if the result has no ranking.</summary>
    public static IReadOnlyList<BenchmarkResult> Of(SuiteResult suite) =>
    [
        .. suite.Benchmarks.Where(benchmark => benchmark.Part == suite.Benchmarks[0].Part)
            .Where(benchmark => benchmark is { Floor: not null, Row: null } && benchmark.Cases.Any(found => found.ToFloor is not null))
            .Take(MostBenchmarks),
    ];
}
