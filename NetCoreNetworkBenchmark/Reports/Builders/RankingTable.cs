using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The figures of each library under the first loads, in relation to the best library.</summary>
internal static class RankingTable
{
    public const int MaxBenchmarks = 4;

    /// <summary>The picture of a page has the same benchmarks.</summary>
    public static IReadOnlyList<BenchmarkResult> RankedOf(SuiteResult suite) =>
    [
        .. suite.Benchmarks.Where(benchmark => benchmark.Part == suite.Benchmarks[0].Part)
            .Where(benchmark => benchmark is { Baseline: not null, Row: null } && Ranking.AppliesTo(benchmark))
            .Take(MaxBenchmarks),
    ];

    public static IReadOnlyList<BenchmarkResult> BenchmarksOf(SuiteResult suite) => [.. RankedOf(suite).Where(Ranking.HasBest)];

    /// <param name="hasTails">Whether the table has the p99, if the load has a fixed rate.</param>
    public static Table? Create(SuiteResult suite, bool ofBaselines, bool hasTails = true)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = BenchmarksOf(suite);
        string[] names =
        [
            .. benchmarks.SelectMany(Ranking.Ordered).Where(result => result.IsBaseline == ofBaselines).Select(result => result.Library).Distinct(),
        ];
        string Places(string name, string separator) => string.Join(separator, benchmarks.Select(benchmark => Ranking.PlaceOf(CaseOf(benchmark, name))));
        Column<string>[] columns =
        [
            new(ofBaselines ? "Raw sockets" : "Library", name => name) { IsText = true, IsRowHeader = true },
            .. ofBaselines ? [] : (Column<string>[])
            [
                new(
                    "place", name => Places(name, " / "),
                    IsText: true, ShortText: name => Places(name, "/").Replace(" ", string.Empty, StringComparison.Ordinal)),
            ],
            .. benchmarks.Index().SelectMany(benchmark => ColumnsOf(benchmark.Index + 1, benchmark.Item, hasTails)),
            .. benchmarks is [var single] ? DetailsOf(single) : [],
        ];
        if (names.Length == 0)
        {
            return null;
        }

        Table table = ofBaselines
            ? Table.Create(Ranking.TitleOfBaselines, columns, names)
            : Table.Create("Libraries", columns, names, name => benchmarks.All(benchmark => IsFirst(CaseOf(benchmark, name))) ? Tone.Good : Tone.Plain);
        return benchmarks is [var only] ? WithBars(table, only, names) : table;
    }

    private static bool IsFirst(CaseResult? result) => result is { IsBaseline: false, Valid: true, ToBaseline.Rank: 1 } && Ranking.HasPlace(result);

    private static Table WithBars(Table table, BenchmarkResult benchmark, string[] names)
    {
        double? BarOf(CaseResult? result) => result is null ? null : Ranking.BarOf(benchmark, result)?.Ratio;
        var axis = Axis.Linear(benchmark.Cases.Select(BarOf).OfType<double>(), Number);
        return table.WithBars(
            Plot.BarsOf(axis, origin: 0, names.Select(name => BarOf(CaseOf(benchmark, name)) ?? 0)),
            benchmark.RankedBy == RankedFigure.ServerCpu ? "CPU × best" : "msg/s × best",
            table.Columns.TakeWhile(column => column.IsText).Count());
    }

    public static string ShortLegendOf(SuiteResult suite, bool hasTails) =>
        $"Figures are × of the best library ± half of the {Ranking.IntervalOf(suite)} in %; * marks the first, alone or undecided. " +
            $"CPU is the server's CPU time per message.{(hasTails ? MeaningOfTails(suite) : string.Empty)}{UnitOf(BenchmarksOf(suite), hasTails)}";

    public static string LegendOf(SuiteResult suite)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = BenchmarksOf(suite);
        string places = benchmarks.Count > 1 ? " Places are in the order of the benchmarks." : string.Empty;
        string first = suite.Benchmarks.Count(benchmark => benchmark.Cases.Any(Ranking.HasPlace)) < 2
            ? string.Empty
            : $" First, alone or undecided: {string.Join(", ", benchmarks.SelectMany(Ranking.Ordered).Where(result => !result.IsBaseline)
                .Select(result => result.Library).Distinct().Select(name => $"{name} {FirstOf(suite, name)}"))}.";
        string why = benchmarks.All(benchmark => benchmark.RankedBy != RankedFigure.ServerCpu) ? string.Empty :
            " It ranks the libraries, because it is the server's alone and what its owner pays for. " +
                "The rate is that of clients and server together on shared cores.";
        return $"Figures are × of the best library ± half of the {Ranking.IntervalOf(suite)} in %. " +
            $"CPU is the server's CPU time per message.{why}{MeaningOfTails(suite)}{UnitOf(benchmarks)}{places}{first}";
    }

    private static string MeaningOfTails(SuiteResult suite) => BenchmarksOf(suite).Any(Ranking.HasLatency) ? " p99 is that of a slice." : string.Empty;

    // The figures that are 1.00.
    private static string UnitOf(IReadOnlyList<BenchmarkResult> benchmarks, bool hasTails = true)
    {
        string[] units =
        [
            .. from benchmark in benchmarks.Index()
               let best = benchmark.Item.Cases.First(result => result.ToBest is not null)
               let figures = CaseFigures.From(benchmark.Item, best)
               let cost = figures.ServerCpuMicroseconds?.Value / best.ToBest!.ServerCpu?.Ratio
               let rate = Loads.HaveRate(benchmark.Item) ? null : figures.MessagesPerSecond?.Value / best.ToBest!.Rate.Ratio
               let timed = benchmark.Item.Cases.FirstOrDefault(result => hasTails && result.ToBest?.P99 is not null)
               let tail = timed is null ? null : CaseFigures.From(benchmark.Item, timed).P99Microseconds?.Value / timed.ToBest!.P99!.Ratio
               let known = (string?[])[cost is null ? null : Time(cost), Known(rate, unit: " msg/s"), tail is null ? null : $"p99 {Time(tail)}"]
               let ofOne = known.OfType<string>()
               where ofOne.Any()
               select $"{string.Join(" and ", ofOne)} in {RankingSentences.NameOf(benchmark.Item, benchmark.Index + 1)}",
        ];
        return units.Length == 0 ? string.Empty : $" 1.00 is {string.Join(", ", units)}.";
    }

    /// <summary>A library is first if no other is surely better.</summary>
    public static string FirstOf(SuiteResult suite, string name)
    {
        (BaselineRatio Ratio, bool Valid)[] ratios =
        [
            .. from benchmark in suite.Benchmarks
               let ranked = benchmark.Cases.Where(Ranking.HasPlace)
               where ranked.Count() > 1
               from result in ranked
               where result.Library == name
               select (result.ToBaseline, result.Valid),
        ];
        int alone = ratios.Count(place => place is { Valid: true, Ratio: { Rank: 1, LastRank: null or 1 } });
        int first = ratios.Count(place => place is { Valid: true, Ratio.Rank: 1 });
        return first == 0 ? Invariant($"0 of {ratios.Length}") : Invariant($"{first} of {ratios.Length} ({alone} alone)");
    }

    private static CaseResult? CaseOf(BenchmarkResult benchmark, string name) => benchmark.Cases.FirstOrDefault(result => result.Library == name);

    private static Column<string>[] ColumnsOf(int number, BenchmarkResult benchmark, bool hasTails)
    {
        // A cell is marked and not its row, because the other cells are of other benchmarks.
        Column<string> Create(
            string title, string shortTitle, Func<CaseResult?, double?> value, Func<CaseResult?, string> text, Func<CaseResult?, string> shortText) =>
            new($"{number}: {title}", name => value(CaseOf(benchmark, name)))
            {
                Text = name => text(CaseOf(benchmark, name)) + CaseBlocks.MarkOf(CaseOf(benchmark, name)),
                ShortTitle = $"{shortTitle} {number}",
                ShortText = name => shortText(CaseOf(benchmark, name)) + (CaseBlocks.MarkOf(CaseOf(benchmark, name)).Length == 0 ? string.Empty : " (!)"),
            };
        Column<string> OfRatio(string title, string shortTitle, Func<CaseResult?, RatioFigure?> ratio) => Create(
            title, shortTitle, result => ratio(result)?.Ratio, result => Ranking.RatioOf(ratio(result)), result => Ranking.ShortRatioOf(ratio(result)));
        Column<string> Ranked(Column<string> column) => column with { IsBest = name => IsFirst(CaseOf(benchmark, name)) };
        double? Tail(CaseResult? result) => result is null ? null : CaseFigures.From(benchmark, result).P99Microseconds?.Value;
        Column<string> cost = OfRatio("server CPU × best", "CPU", result => result?.ToBest?.ServerCpu);
        Column<string> other = Ranking.HasLatency(benchmark) ? OfRatio("p99 × best", "p99", result => result?.ToBest?.P99)
            : Loads.HaveRate(benchmark) ? Create("p99 of all sets (of each)", "p99", Tail, RankingDetails.P99Of, result => Time(Tail(result)))
            : OfRatio("msg/s × best", "msg/s", result => result?.ToBest?.Rate);
        return benchmark.RankedBy != RankedFigure.ServerCpu ? [Ranked(other), cost]
            : Loads.HaveRate(benchmark) && !hasTails ? [Ranked(cost)]
            : [Ranked(cost), other with { Priority = Loads.HaveRate(benchmark) ? 0 : 1 }];
    }

    // There is no room for them under several loads.
    private static Column<string>[] DetailsOf(BenchmarkResult benchmark)
    {
        double? CostOf(string name) => CaseOf(benchmark, name) is { } result ? CaseFigures.From(benchmark, result).ServerCpuMicroseconds?.Value : null;
        return
        [
            new("server CPU per message", name => CostOf(name)) { Text = name => Time(CostOf(name)), ShortTitle = "CPU/msg", IsOptional = true },
            new(
                "no difference above", name => Ranking.BoundOf(Ranking.FigureOf(benchmark, CaseOf(benchmark, name), benchmark.RankedBy)),
                Unit: " %", ShortTitle: "bound", IsOptional: true),
        ];
    }
}
