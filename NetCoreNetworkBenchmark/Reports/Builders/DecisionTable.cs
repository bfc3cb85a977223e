using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The table by which a reader decides: a row for each library, with its figures under the first loads in relation to the best library.</summary>
internal static class DecisionTable
{
    private const int MostBenchmarks = 4;

    /// <summary>Returns the first benchmarks of a result that have a ranking, which are those of the picture of the page.</summary>
    public static IReadOnlyList<BenchmarkResult> RankedOf(SuiteResult suite) =>
    [
        .. suite.Benchmarks.Where(benchmark => benchmark.Part == suite.Benchmarks[0].Part)
            .Where(benchmark => benchmark is { Baseline: not null, Row: null } && Ranking.Fits(benchmark))
            .Take(MostBenchmarks),
    ];

    /// <summary>Returns the benchmarks of the table; none if the result has no figures in relation to the best library.</summary>
    public static IReadOnlyList<BenchmarkResult> BenchmarksOf(SuiteResult suite) => [.. RankedOf(suite).Where(Ranking.HasBest)];

    /// <summary>Returns the table of the libraries or that of the baselines; none if it has no rows.</summary>
    public static IEnumerable<Table> Of(SuiteResult suite, bool ofBaselines)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = BenchmarksOf(suite);
        string[] names =
        [
            .. benchmarks.SelectMany(Ranking.Ordered).Where(result => result.IsBaseline == ofBaselines).Select(result => result.Library).Distinct(),
        ];
        string Places(string name, string separator) => string.Join(separator, benchmarks.Select(benchmark => Ranking.PlaceOf(CaseOf(benchmark, name))));
        Column<string>[] columns =
        [
            new(ofBaselines ? "Raw sockets" : "Library", name => name) { IsText = true },
            .. benchmarks.Index().SelectMany(benchmark => ColumnsOf(benchmark.Index + 1, benchmark.Item)),
            new("place", name => Places(name, " / ")) { ShortValue = name => Places(name, "/").Replace(" ", string.Empty, StringComparison.Ordinal) },
        ];
        return names.Length == 0 ? [] :
        [
            Table.Of(ofBaselines ? Ranking.TitleOfBaselines : "Libraries", ofBaselines ? columns[..^1] : columns, names),
        ];
    }

    /// <summary>Returns the meaning of the figures, and how often each library is first, in a few sentences.</summary>
    public static string LegendOf(SuiteResult suite)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = BenchmarksOf(suite);
        string[] units =
        [
            .. from benchmark in benchmarks.Index()
               where benchmark.Item.RankedBy == RankedFigure.MessagesPerSecond
               let ranked = benchmark.Item.Cases.Where(result => !result.IsBaseline)
               let rate = ranked.Max(result => Ranking.RateOf(benchmark.Item, result))
               let cost = ranked.Min(result => Ranking.CostOf(benchmark.Item, result))
               select $"{Figure(rate)} msg/s and {Time(cost)} in {RankingSentences.NameOf(benchmark.Item, benchmark.Index + 1)}",
        ];
        string unit = units.Length == 0 ? string.Empty : $" 1.00 is {string.Join(", ", units)}.";
        string places = benchmarks.Count > 1 ? " Places are in the order of the benchmarks." : string.Empty;
        string first = suite.Benchmarks.Count(benchmark => benchmark.Cases.Any(result => result.ToBaseline?.Rank is not null)) < 2
            ? string.Empty
            : $" First, alone or undecided: {string.Join(", ", benchmarks.SelectMany(Ranking.Ordered).Where(result => !result.IsBaseline)
                .Select(result => result.Library).Distinct().Select(name => $"{name} {FirstOf(suite, name)}"))}.";
        return $"Figures are × of the best library ± half of the 95 % interval in %. CPU is the server's CPU time per message.{unit}{places}{first}";
    }

    /// <summary>Returns in how many of the rankings of a result a library is first: no other is surely better.</summary>
    public static string FirstOf(SuiteResult suite, string name)
    {
        BaselineRatio[] ratios =
        [
            .. from benchmark in suite.Benchmarks
               let ranked = benchmark.Cases.Where(result => result.ToBaseline?.Rank is not null)
               where ranked.Count() > 1
               from result in ranked
               where result.Library == name
               select result.ToBaseline,
        ];
        int alone = ratios.Count(ratio => ratio is { Rank: 1, LastRank: null or 1 });
        int first = ratios.Count(ratio => ratio.Rank == 1);
        return first == 0 ? Invariant($"0 of {ratios.Length}") : Invariant($"{first} of {ratios.Length} ({alone} alone)");
    }

    private static CaseResult? CaseOf(BenchmarkResult benchmark, string name) => benchmark.Cases.FirstOrDefault(result => result.Library == name);

    private static Column<string>[] ColumnsOf(int number, BenchmarkResult benchmark)
    {
        Column<string> Ratio(string title, string shortTitle, Func<BestRatio?, RatioFigure?> of) =>
            new($"{number}: {title} × best", name => Ranking.RatioOf(of(CaseOf(benchmark, name)?.ToBest)))
            {
                ShortTitle = $"{shortTitle} {number}",
                ShortValue = name => Ranking.ShortRatioOf(of(CaseOf(benchmark, name)?.ToBest)),
            };
        return benchmark.RankedBy == RankedFigure.MessagesPerSecond
            ? [Ratio("msg/s", "msg/s", best => best?.Rate), Ratio("server CPU", "CPU", best => best?.ServerCpu)]
            :
            [
                new($"{number}: p99 of all sets (of each)", name => TailOf(CaseOf(benchmark, name)))
                {
                    ShortTitle = $"p99 {number}",
                    ShortValue = name => Time(CaseOf(benchmark, name)?.Summary?.P99Microseconds?.Median),
                },
            ];
    }

    // A tail depends on stalls of the machine, so its values in the sets say more than an interval.
    private static string TailOf(CaseResult? result)
    {
        double[] sets = [.. (result?.Launches ?? []).Where(launch => launch.IsValid).Select(launch => launch.P99Microseconds).OfType<double>()];
        string tail = Time(result?.Summary?.P99Microseconds?.Median);
        if (sets.Length < 2)
        {
            return tail;
        }

        (string lowest, string highest) = (Time(sets.Min()), Time(sets.Max()));
        string unit = tail[tail.IndexOf(' ', StringComparison.Ordinal)..];
        return lowest.EndsWith(unit, StringComparison.Ordinal) && highest.EndsWith(unit, StringComparison.Ordinal)
            ? $"{tail} ({lowest[..^unit.Length]} – {highest[..^unit.Length]})"
            : $"{tail} ({lowest} – {highest})";
    }
}
