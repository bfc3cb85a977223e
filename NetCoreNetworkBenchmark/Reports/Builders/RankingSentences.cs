using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The first lines of a page: what is decided, under which conditions, and what the undecided pairs would take.</summary>
internal static class RankingSentences
{
    private const double SecondsOfMinute = 60;
    private const int MaxLatencies = 3;

    // In the time that was measured.
    private const double FarthestForecast = 10;

    public static string ConditionsOf(SuiteResult suite)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = RankingTable.BenchmarksOf(suite);
        CaseResult[] ranked = [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Where(result => !result.IsBaseline)];
        RatioFigure[] ratios =
        [
            .. ranked.SelectMany(result => (RatioFigure?[])[result.ToBest?.Rate, result.ToBest?.ServerCpu, result.ToBest?.P99]).OfType<RatioFigure>(),
        ];
        double[] halves = ratios.Any(ratio => ratio.IsOpen) ? [] : [.. ratios.Select(ratio => ratio.HalfWidth).OfType<double>()];
        double seconds = suite.Benchmarks.Sum(benchmark => benchmark.Decision?.Seconds ?? 0);
        IEnumerable<string> versions = ranked.Select(result => result.MedianLaunch()).OfType<RunResult>()
            .Select(run => $"{run.Library} {run.LibraryVersion}").Distinct();
        string[] facts =
        [
            Invariant($"{suite.StartedAt.UtcDateTime:yyyy-MM-dd}"),
            $"{suite.Environment.Cpu}, {Plural.Format(suite.Environment.Cores, "core")}",
            string.Join(", ", versions.Prepend(suite.Environment.Framework)),
            .. seconds > 0 ? [Plural.Format(seconds / SecondsOfMinute, "minute", format: "0.#")] : (string[])[],
            .. halves.Length > 0 ? [Invariant($"all intervals within ±{100 * halves.Max():0.#} %")] : (string[])[],
        ];
        return $"{string.Join("; ", facts)}.";
    }

    public static IEnumerable<Inline[]> From(SuiteResult suite) =>
    [
        .. from ranked in RankingTable.BenchmarksOf(suite).Index()
           select (Inline[])[Inline.Strong(NameOf(ranked.Item, ranked.Index + 1)), $"{LoadOf(suite, ranked.Item)}: {OutcomeOf(ranked.Item)}."],
        .. from benchmark in suite.Benchmarks
           where benchmark is { Baseline: not null, Row: null } && benchmark.Part == suite.Benchmarks[0].Part && !Ranking.HasBest(benchmark)
           select (Inline[])[Inline.Strong(benchmark.Title), $"{LoadOf(suite, benchmark)}: no library has figures that may be used."],
    ];

    public static string NameOf(BenchmarkResult benchmark, int number) =>
        benchmark.Title == Invariant($"Benchmark {number}") ? benchmark.Title : Invariant($"{number}: {benchmark.Title}");

    public static string? UndecidedOf(SuiteResult suite)
    {
        BenchmarkResult[] benchmarks = [.. suite.Benchmarks.Where(benchmark => benchmark.Decision?.Undecided.Count > 0)];
        UndecidedPair[] pairs = [.. benchmarks.SelectMany(benchmark => benchmark.Decision!.Undecided)];
        int foreseen = benchmarks.Sum(benchmark => benchmark.Decision!.Undecided.Count(pair => IsForeseen(benchmark, pair)));

        // The pairs of a benchmark are measured together, and one benchmark after the other.
        double seconds = benchmarks.Sum(benchmark =>
            benchmark.Decision!.Undecided.Where(pair => IsForeseen(benchmark, pair)).Max(pair => pair.MoreSeconds) ?? 0);
        string[] counts =
        [
            .. from benchmark in benchmarks.Index()
               let pairsOf = benchmark.Item.Decision!.Undecided.Count
               select $"{(benchmark.Index == 0 ? $"{Plural.Format(pairsOf, "pair")} of neighbours" : Figure(pairsOf))} in {benchmark.Item.Title}",
        ];
        string where = counts.Length <= RankingTable.MaxBenchmarks ? string.Join(", ", counts)
            : $"{Plural.Format(pairs.Length, "pair")} of neighbours in {Plural.Format(counts.Length, "benchmark")}";
        string which = foreseen < pairs.Length ? Invariant($"{foreseen} of them") : pairs.Length == 1 ? "it" : "them";
        string bound = Ranking.NoDifferenceOf(pairs.Select(pair => pair.Ratio)) is { } none ? $", with {none}" : string.Empty;
        string time = pairs.All(pair => pair.Ratio.HalfWidth is null) ? "to decide takes two sets in which both have valid figures"
            : foreseen == 0 ? (pairs.All(IsLasting) ? "two more hours would decide none" : "the time that would decide cannot be told yet")
            : $"up to {Minutes(seconds)} would decide {which}";
        return pairs.Length == 0 ? null : $"Undecided: {where}{bound}; {time}.";
    }

    public static IEnumerable<string> PairsOf(SuiteResult suite) =>
        from benchmark in suite.Benchmarks
        from pair in benchmark.Decision?.Undecided ?? []
        let time = IsForeseen(benchmark, pair) ? $"about {Minutes(pair.MoreSeconds!.Value)} would decide it"
            : pair.Ratio.HalfWidth is null ? "that takes two sets in which both have valid figures"
            : IsLasting(pair) ? "two more hours would not decide it"
            : "the time that would decide it cannot be told yet"
        let bound = Ranking.NoDifferenceOf(pair.Ratio) is { } none ? $", {none}" : string.Empty
        select $"{benchmark.Title}, {pair.First} and {pair.Second}: ratio {Ranking.RatioOf(pair.Ratio)}{bound}; {time}.";

    // The scatter of few sets does not show that of many.
    private static bool IsForeseen(BenchmarkResult benchmark, UndecidedPair pair) =>
        !pair.Ratio.IsOpen && pair.MoreSeconds <= FarthestForecast * benchmark.Decision!.Seconds;

    private static bool IsLasting(UndecidedPair pair) => pair is { MoreSeconds: null, Ratio: { IsOpen: false, HalfWidth: not null } };

    private static string Minutes(double seconds) => Plural.Format((long)Math.Max(1, Math.Ceiling(seconds / SecondsOfMinute)), "more minute");

    // The names of the cases have the load if they differ in it, and the title has the values of varied options.
    private static string LoadOf(SuiteResult suite, BenchmarkResult benchmark)
    {
        if (CaseBlocks.MediansOf(benchmark) is not [var run, ..] || !Loads.IsOne(benchmark))
        {
            return string.Empty;
        }

        bool IsVaried(params string[] options) => suite.Varied?.Intersect(options).Any() == true;

        double each = run.Schedule is { } schedule ? schedule.RequestedPerSecond / run.Plan.Clients : run.Plan.ParallelMessages;
        string messages = each == 1 ? "one message" : Plural.Format(each, "message", format: "#,0.##");
        string rate = run.Schedule is null ? string.Empty : " per second";
        string clients = IsVaried(LoadOptions.ClientsName) ? string.Empty : $", {Plural.Format(run.Plan.Clients, "client")}";
        string sending = IsVaried(LoadOptions.MessagesName, LoadOptions.RateName, LoadOptions.RatePerClientName) ? string.Empty
            : $"{(clients.Length == 0 ? "," : " with")} {messages}{rate} each";
        string protocol = IsVaried(LoadOptions.ProtocolName) ? string.Empty : $" over {Loads.NameOf(run.Protocol)}";
        return $"{clients}{sending}{protocol}{Loads.PathOf(run.Plan)}";
    }

    private static string OutcomeOf(BenchmarkResult benchmark)
    {
        CaseResult[] compared = [.. Ranking.Ordered(benchmark).Where(result => result is { IsBaseline: false, ToBest: not null })];
        CaseResult[] ranked = [.. compared.Where(Ranking.HasPlace)];
        if (ranked.Length < 2)
        {
            return compared is [var single] ? $"{CaseBlocks.NameOf(single)} is the only library with figures"
                : ranked is [var only] ? $"{CaseBlocks.NameOf(only)} is the only library with two valid sets"
                : benchmark.Cases.All(result => result.Launches.Count < 2) ? "one set decides nothing"
                : "no two libraries have valid figures in two sets";
        }

        // The best of those that have a place is among the first, whatever places the others had.
        int place = ranked.Min(result => result.ToBaseline!.Rank!.Value);
        CaseResult[] first = [.. ranked.Where(result => result.ToBaseline!.Rank == place)];

        // The ratio of the table. Those over other rounds may differ, so none is made of two.
        string? cheapest = compared.FirstOrDefault(result => result.ToBest!.ServerCpu is { Ratio: 1, Lower: null })?.Library;
        string than = benchmark.RankedBy == RankedFigure.ServerCpu || cheapest is null || (first is [var fastest] && fastest.Library == cheapest)
            ? string.Empty
            : $" as {cheapest}";
        (string Name, double Cost)[] others =
        [
            .. from result in ranked.Except(first)
               let cost = result.ToBest!.ServerCpu?.Ratio
               where cost is not null && (benchmark.RankedBy == RankedFigure.ServerCpu || Math.Abs(Math.Log(cost.Value)) > PrecisionOf(benchmark, result))
               select (CaseBlocks.NameOf(result), cost.Value),
        ];
        return LeadOf(benchmark, first, first.Length == ranked.Length) + CostsOf(others, benchmark.RankedBy, than) + LatenciesOf(benchmark, ranked);
    }

    // At a fixed rate a latency is a figure of the library, and a few fit on a line.
    private static string LatenciesOf(BenchmarkResult benchmark, CaseResult[] ranked)
    {
        string[] each = ranked.Length > MaxLatencies || CaseBlocks.MediansOf(benchmark) is not [{ Schedule: not null }, ..] ? [] :
        [
            .. from result in ranked
               let p99 = CaseFigures.From(benchmark, result).P99Microseconds
               where p99 is not null
               select $"{Time(p99.Value)} with {CaseBlocks.NameOf(result)}",
        ];
        return each.Length < 2 ? string.Empty : $"; p99 {string.Join(", ", each[..^1])} and {each[^1]}";
    }

    private static string LeadOf(BenchmarkResult benchmark, CaseResult[] first, bool areAll)
    {
        bool isCost = benchmark.RankedBy == RankedFigure.ServerCpu;
        if (first is [var only])
        {
            return isCost ? $"{CaseBlocks.NameOf(only)} costs the server least" : $"{CaseBlocks.NameOf(only)} is the fastest";
        }

        string names = $"{string.Join(", ", first[..^1].Select(CaseBlocks.NameOf))} and {CaseBlocks.NameOf(first[^1])}";
        string? bound = BoundOf(benchmark, first);
        return (areAll, bound) switch
        {
            (true, null) => $"{names} are undecided",
            (true, _) => $"{names} {(isCost ? "cost the server the same" : "are equally fast")}, with {bound}",
            _ => $"{names} {(isCost ? "cost the server least" : "are fastest")}, with {bound ?? "differences within the noise"}",
        };
    }

    // The best case is compared with each of the others.
    private static string? BoundOf(BenchmarkResult benchmark, CaseResult[] first)
    {
        RatioFigure?[] ratios = [.. first.Select(result => Ranking.FigureOf(benchmark, result, benchmark.RankedBy))];
        int best = Array.FindIndex(ratios, ratio => ratio is { Ratio: 1, Lower: null });
        return best < 0 || Ranking.NoDifferenceOf(ratios.Where((_, index) => index != best)) is not { } bound ? null
            : first.Length == 2 ? bound
            : bound.Replace("difference", $"difference from {first[best].Library}", StringComparison.Ordinal);
    }

    // The first in full, the others by their number.
    private static string CostsOf((string Name, double Cost)[] others, RankedFigure figure, string than) =>
        others is not [var (name, cost), ..] ? string.Empty :
        $"; {name} {(figure == RankedFigure.ServerCpu ? string.Empty : "costs the server ")}{Times(cost)} times as much{than}" +
            string.Concat(others.Skip(1).Select(other => $", {other.Name} {Times(other.Cost)}"));

    private static string Times(double cost) => Figure(cost, "0.0") is not "1.0" and var text ? text : Figure(cost, "0.00");

    // A smaller difference of the costs is not worth a word: the half width at which the measurement ended, or that of the cost itself.
    private static double PrecisionOf(BenchmarkResult benchmark, CaseResult result) =>
        Math.Max(benchmark.Decision?.TargetHalfWidth ?? 0, result.ToBest?.ServerCpu?.HalfWidth ?? 0);
}
