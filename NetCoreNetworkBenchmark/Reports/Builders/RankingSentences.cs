using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The outcome of a ranking in words, which a page begins with.</summary>
internal static class RankingSentences
{
    private const double SecondsOfMinute = 60;

    /// <summary>Returns the conditions of a ranking in one line: the date, the machine, the versions, the time and the widest interval.</summary>
    public static string ConditionsOf(SuiteResult suite)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = DecisionTable.BenchmarksOf(suite);
        CaseResult[] ranked = [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Where(result => !result.IsBaseline)];
        double[] halves =
        [
            .. from result in ranked
               from figure in (RatioFigure?[])[result.ToBest?.Rate, result.ToBest?.ServerCpu]
               let half = figure?.HalfWidth
               where half is not null
               select half.Value,
        ];
        double seconds = suite.Benchmarks.Sum(benchmark => benchmark.Decision?.Seconds ?? 0);
        IEnumerable<string> versions = ranked.Select(result => result.MedianLaunch()).OfType<RunResult>()
            .Select(run => $"{run.Library} {run.LibraryVersion}").Distinct();
        string[] facts =
        [
            Invariant($"{suite.StartedAt.UtcDateTime:yyyy-MM-dd}"),
            Invariant($"{suite.Environment.Cpu}, {suite.Environment.Cores} cores"),
            string.Join(", ", versions.Prepend(suite.Environment.Framework)),
            .. seconds > 0 ? [Invariant($"{seconds / SecondsOfMinute:0.#} minutes")] : (string[])[],
            .. halves.Length > 0 ? [Invariant($"all intervals within ±{100 * halves.Max():0.#} %")] : (string[])[],
        ];
        return $"{string.Join("; ", facts)}.";
    }

    /// <summary>Returns a sentence for each benchmark of the decision table, and for each that would be in it if a library had figures.</summary>
    public static IEnumerable<Inline[]> Of(SuiteResult suite) =>
    [
        .. from ranked in DecisionTable.BenchmarksOf(suite).Index()
           select (Inline[])[Inline.Strong(NameOf(ranked.Item, ranked.Index + 1)), $"{LoadOf(ranked.Item)}: {OutcomeOf(ranked.Item)}."],
        .. from benchmark in suite.Benchmarks
           where benchmark is { Baseline: not null, Row: null } && benchmark.Part == suite.Benchmarks[0].Part && !Ranking.HasBest(benchmark)
           select (Inline[])[Inline.Strong(benchmark.Title), $"{LoadOf(benchmark)}: no library has figures that may be used."],
    ];

    /// <summary>Returns the name of a benchmark that is a column of the decision table; it contains the number of the column.</summary>
    public static string NameOf(BenchmarkResult benchmark, int number) =>
        benchmark.Title == Invariant($"Benchmark {number}") ? benchmark.Title : Invariant($"{number}: {benchmark.Title}");

    /// <summary>Returns the pairs of all benchmarks that are undecided, a sentence each.</summary>
    public static IEnumerable<string> UndecidedOf(SuiteResult suite) =>
        from benchmark in suite.Benchmarks
        from pair in benchmark.Decision?.Undecided ?? []
        let time = pair.MoreSeconds is { } seconds ? $"{Time(seconds)} would decide it"
            : pair.Ratio.HalfWidth is null ? "that takes two sets in which both have valid figures"
            : "two more hours would not decide it"
        select $"{pair.First} and {pair.Second} are undecided in {benchmark.Title} ({RatioOf(pair)}); {time}.";

    // The 95 % interval of an undecided pair may be without 1, for it is one of many.
    private static string RatioOf(UndecidedPair pair) => pair.DecidedBy is { } interval
        ? $"ratio {Figure(pair.Ratio.Ratio, "0.00")}, {Interval(interval.Lower, interval.Upper, "0.00")} at {Confidence(interval)}"
        : $"ratio {Ranking.RatioOf(pair.Ratio)}";

    private static string Time(double seconds) => $"about {Count((long)Math.Max(1, Math.Ceiling(seconds / SecondsOfMinute)), "more minute")}";

    private static string LoadOf(BenchmarkResult benchmark)
    {
        if (CaseBlocks.MediansOf(benchmark) is not [var run, ..])
        {
            return string.Empty;
        }

        double each = run.Schedule is { } schedule ? schedule.AskedPerSecond / run.Plan.Clients : run.Plan.ParallelMessages;
        string messages = each == 1 ? "one message" : Invariant($"{each:#,0.##} messages");
        string rate = run.Schedule is null ? string.Empty : " per second";
        return $", {Count(run.Plan.Clients, "client")} with {messages}{rate} each over {Loads.NameOf(run.Protocol)}";
    }

    private static string OutcomeOf(BenchmarkResult benchmark)
    {
        CaseResult[] ranked = [.. Ranking.Ordered(benchmark).Where(result => result.ToBaseline?.Rank is not null)];
        if (ranked.Length < 2)
        {
            return ranked.Length == 0 ? "no library has figures" : $"{ranked[0].Library} is the only library with figures";
        }

        CaseResult[] first = [.. ranked.Where(result => result.ToBaseline!.Rank == 1)];
        (string Name, double Cost)[] others =
        [
            .. from result in ranked.Except(first)
               let cost = result.ToBaseline!.ServerCpu?.Ratio / ranked[0].ToBaseline!.ServerCpu?.Ratio
               where cost is not null && (benchmark.RankedBy == RankedFigure.ServerCpu || !IsNearlyTheSame(cost.Value))
               select (result.Library, cost.Value),
        ];
        return string.Join("; ", (string[])[LeadOf(first, first.Length == ranked.Length, benchmark.RankedBy), .. CostsOf(others, benchmark.RankedBy)]);
    }

    private static string LeadOf(CaseResult[] first, bool areAll, RankedFigure figure)
    {
        bool isCost = figure == RankedFigure.ServerCpu;
        if (first is [var only])
        {
            return isCost ? $"{only.Library} costs the server least" : $"{only.Library} leads";
        }

        string names = $"{string.Join(", ", first[..^1].Select(result => result.Library))} and {first[^1].Library}";
        return areAll ? $"{names} are undecided" : isCost ? $"{names} cost the server least, undecided between them" : $"{names} lead, undecided between them";
    }

    // The first in full, the others by their number.
    private static IEnumerable<string> CostsOf((string Name, double Cost)[] others, RankedFigure figure) => others.Length == 0
        ? []
        :
        [
            $"{others[0].Name} {(figure == RankedFigure.ServerCpu ? string.Empty : "costs the server ")}{Times(others[0].Cost)} times as much" +
                string.Concat(others.Skip(1).Select(other => $", {other.Name} {Times(other.Cost)}")),
        ];

    private static string Times(double cost) => Figure(cost, IsNearlyTheSame(cost) ? "0.00" : "0.0");

    private static bool IsNearlyTheSame(double cost) => cost is > 0.95 and < 1.05;
}
