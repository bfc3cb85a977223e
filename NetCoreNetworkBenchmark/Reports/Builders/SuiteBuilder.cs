using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal sealed class SuiteBuilder(SuiteResult suite)
{
    public const string PictureOfRanking = "ranking.svg";
    private const int MaxNames = 3;
    private const string FirstPart = "Benchmarks";
    private const string MeaningOfPaleBars = " Pale bars are raw sockets, which are not ranked.";

    private readonly IReadOnlyList<BenchmarkResult> _ranked = RankingTable.BenchmarksOf(suite);
    private readonly IReadOnlyList<BenchmarkResult> _drawn = RankingTable.RankedOf(suite);
    private readonly Palette _palette = new(suite.Benchmarks.SelectMany(benchmark => benchmark.Cases).Select(result => result.Library));

    private readonly string _settings = RuntimeSettings.ComparedIn(suite);

    private bool IsRanked => _ranked.Count > 0;

    // The rules by which the page in a browser has all, the Markdown page less, and the console the essence. Other blocks are the same everywhere, or have one
    // place. A first look has the ranking alone on the console.
    private Media MediaOfParts => IsRanked && suite.Benchmarks.All(benchmark => benchmark is { Decision: not null, Part: null }) ? Media.File : Media.All;

    // A Markdown page with all details of more than the first part would be too long to read.
    private static Media MediaOfDetails(BenchmarkResult benchmark) => benchmark.Part is null ? Media.File : Media.Html;

    public Document Build()
    {
        EnvironmentInfo machine = suite.Environment;
        string[] libraryNames = [.. CaseBlocks.MediansOf(suite.Benchmarks).Select(run => run.Library).Distinct()];
        string libraries = string.Join(", ", libraryNames);
        string title = !IsRanked ? $"{machine.Cpu}, {Plural.Format(machine.Cores, "core")}, {machine.Os}"
            : _settings.Length > 0 ? $"{_settings} of {libraries} on {machine.Framework}, compared"
            : $"{(libraryNames.Length <= MaxNames ? libraries : "Network libraries")} on {machine.Framework}, ranked";
        return new Document(title, suite.HarnessVersion,
        [
            CommonBlocks.Aborted(suite.Aborted, "benchmark"),
            .. IsRanked ? [Lead()] : Validity(),
            .. CommonBlocks.Limits(suite),
            .. ScalingCurves.Create(suite),
            new Paragraph(MethodOf()) { Media = MediaOfParts },

            // A terminal has no space for the column.
            suite.Benchmarks.Any(Deliveries.AppliesTo) ? new Paragraph(Deliveries.MeaningOfPackets) { Media = Media.File } : null,
            .. suite.Benchmarks.Index().GroupBy(benchmark => benchmark.Item.Part).Select(Part),
            Remarks(),

            // On a console the ranking names the missing libraries.
            new Section("Not measured", [new BulletList(suite.Missing.Select(missing => $"{missing.Library}: {missing.Reason}."))])
            { Media = IsRanked ? Media.File : Media.All },
            CommonBlocks.Environment(machine, suite.Fitness),
            new Paragraph("Measured on ", Invariant($"{suite.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC with "), Inline.Code(suite.Command), ".")
            { Media = Media.File },
        ], Level: 1);
    }

    // What a reader decides by, and below it how to read it.
    private Section Lead() => new("Ranking",
    [
        new BulletList([.. RankingSentences.From(suite), .. LoadSentences.From(suite)]) { Media = Media.File },
        new BulletList([.. RankingSentences.From(suite), .. LoadSentences.BriefOf(suite)]) { Media = Media.Console },

        // On a console the table of the benchmark itself is left out.
        Delivered is { } only ? Deliveries.TableOf(only)! with { Media = Media.Console } : null,
        _settings.Length > 0 ? RuntimeSettings.TableOf(suite) : null,
        RuntimeSettings.FewCollectionsIn(suite) is { } few ? new Paragraph(few) : null,
        .. Decisions(ofBaselines: false),
        new Paragraph(RankingSentences.ConditionsOf(suite)) { Tone = Tone.Soft },
        .. PlotsOfLead,
        new Paragraph($"The thin line on a bar is {Ranking.MeaningOfIntervals}{(PlotsOfLead.Any(HasPaleBar) ? MeaningOfPaleBars : string.Empty)}")
        { Media = Media.Html },
        .. Decisions(ofBaselines: true),
        WireBlocks.TableOf(_ranked),
        Wire(WireBlocks.MeaningOf(_ranked), Media.File),
        Wire(WireBlocks.ShortMeaningOf(_ranked), Media.Console),
        new Paragraph(RankingTable.LegendOf(suite)) { Media = Media.File },
        new Paragraph(RankingTable.ShortLegendOf(suite, hasTails: Delivered is null)) { Media = Media.Console },
        RankingSentences.UndecidedOf(suite) is { } undecided ? new Paragraph(undecided) : null,
        new Section("Undecided pairs", [new BulletList(RankingSentences.PairsOf(suite))]) { IsFolded = true, Media = Media.File },
        suite.Missing.Count == 0 ? null : new Paragraph(
            $"Not in this build: {string.Join(", ", suite.Missing.Select(missing => missing.Library))} (why: ", Inline.Code("--list"),
            " or Docs/libraries.md).") { Media = Media.Html | Media.Console },
    ])
    { IsLead = true };

    private Paragraph? Wire(string? meaning, Media media) =>
        meaning is null ? null : new Paragraph($"{WireBlocks.MergingOf(_ranked)} {meaning}".TrimStart()) { Media = media };

    // The only benchmark, if its latencies of all sets are on the console.
    private BenchmarkResult? Delivered => MediaOfParts == Media.File && suite.Benchmarks is [var only] && Deliveries.AppliesTo(only) ? only : null;

    // Beside the p99 of all sets, the one of a slice would be a second p99 on the console.
    private Block?[] Decisions(bool ofBaselines) => Delivered is null ? [RankingTable.Create(suite, ofBaselines)] :
    [
        RankingTable.Create(suite, ofBaselines) is { } whole ? whole with { Media = Media.File } : null,
        RankingTable.Create(suite, ofBaselines, hasTails: false) is { } brief ? brief with { Media = Media.Console } : null,
    ];

    private IEnumerable<Block> Validity()
    {
        CaseResult[] cases = [.. suite.Benchmarks.SelectMany(benchmark => benchmark.Cases)];
        int valid = cases.Count(result => result.Valid);
        string[] reasons =
        [
            .. from row in BenchmarkCase.In(suite)
               where row.Case.InvalidReasons.Count > 0
               select $"{row.Benchmark.Title}, {row.Case.Library}: {string.Join(' ', row.Case.InvalidReasons)}",
        ];
        return
        [
            new Paragraph($"{Figure(valid)} of {Plural.Format(cases.Length, "case is", "cases are")} valid.")
            {
                Tone = valid == cases.Length ? Tone.Good : Tone.Bad,
                Media = valid == cases.Length ? Media.File : Media.All,
            },
            new Section("Reasons of the invalid cases", [new BulletList(reasons)]) { IsFolded = true },
        ];
    }

    private string MethodOf()
    {
        const string PerCpuSecond = " \"Per server CPU second\" is what the server alone can do.";
        return suite.Benchmarks.All(benchmark => benchmark.Row is not null) ? RowTables.MethodOf(suite)
            : suite.Benchmarks.Any(Deliveries.AppliesTo) ? Deliveries.MethodOf(suite, LaunchesOf())
            : suite.Interleaving is not null
            ? $"{Ranking.MethodOf(suite)} ▒, or the thin line on a bar, is {Ranking.MeaningOfIntervals}{(IsRanked ? string.Empty : PerCpuSecond)}"
            : $"Medians of {LaunchesOf()} in fresh processes, with their 95 % confidence interval between launches (▒). " +
                $"The latencies are percentiles of all launches together.{PerCpuSecond}";
    }

    private string LaunchesOf()
    {
        int[] counts = [.. suite.Benchmarks.SelectMany(benchmark => benchmark.Cases).Select(result => result.Launches.Count).Where(count => count > 0)];
        return Plural.Format(
            counts.Length == 0 || counts.Min() == counts.Max() ? Figure(suite.LaunchCount) : Invariant($"{counts.Min()} to {counts.Max()}"),
            "launch",
            "launches");
    }

    /// <summary>The picture with which a Markdown page begins.</summary>
    public string? PictureName => Parts
        .Select(part => Deliveries.HavePlots(part) ? GroupedBars.Picture : part.Any(_drawn.Contains) ? PictureOfRanking : null)
        .FirstOrDefault(name => name is not null);

    public IEnumerable<Plot> Picture() => Parts.SelectMany(PlotsOf).Where(plot => plot.Picture == PictureName);

    private IEnumerable<IGrouping<string?, BenchmarkResult>> Parts => suite.Benchmarks.GroupBy(benchmark => benchmark.Part);

    private IEnumerable<Plot> PlotsOfLead => PlotsOf(suite.Benchmarks.Where(benchmark => benchmark.Part == suite.Benchmarks[0].Part));

    private static bool HasPaleBar(Plot plot) => plot.Rows.Any(row => row.Bars.Any(bar => bar.Style == PlotStyle.PaleBar));

    private IEnumerable<Plot> PlotsOf(IEnumerable<BenchmarkResult> part) =>
        Deliveries.HavePlots(part) ? Deliveries.PlotsOf(part, _palette) : part.Select(RankingOf);

    private Section Part(IGrouping<string?, (int Index, BenchmarkResult Item)> part)
    {
        BenchmarkResult[] benchmarks = [.. part.Select(benchmark => benchmark.Item)];
        bool isInLead = IsRanked && part.Key == suite.Benchmarks[0].Part;
        return new Section(part.Key ?? FirstPart,
        [
            .. isInLead ? [] : PlotsOf(benchmarks),
            .. RowTables.Create(part.Key ?? FirstPart, [.. benchmarks.Where(benchmark => benchmark.Row is not null)]),
            .. part.Select(benchmark => Benchmark(benchmark.Item, Invariant($"b{benchmark.Index + 1}"))),
        ])
        { Media = MediaOfParts };
    }

    private Plot RankingOf(BenchmarkResult benchmark)
    {
        Plot plot = Ranking.PlotOf(benchmark, Loads.Describe(benchmark), _palette);
        return _drawn.Contains(benchmark) ? plot with { Picture = PictureOfRanking } : plot;
    }

    private Section Benchmark(BenchmarkResult benchmark, string id) => new($"{benchmark.Title}{Loads.Describe(benchmark)}",
    [
        .. CaseBlocks.PlotsOf(benchmark, _palette),
        .. Deliveries.TableOf(benchmark) is { } table ? [table] : Ranking.TablesOf(benchmark, RankingOf(benchmark)),
        Ranking.AppliesTo(benchmark) ? RankingDetails.ServerCostsOf(benchmark, MediaOfDetails(benchmark)) : null,
        Ranking.HasLatency(benchmark) ? RankingDetails.LatenciesOf(benchmark, MediaOfDetails(benchmark)) : null,
        CaseBlocks.LaunchTableOf(benchmark),
        Loads.TuningOf(benchmark) is { } tuning ? new Paragraph(tuning) { Tone = Tone.Soft } : null,
        new Section("Load", [CaseBlocks.MediansOf(benchmark) is [var first, ..] ? RunBuilder.LoadOf(first) : null], IsFolded: true)
        { Media = MediaOfDetails(benchmark) },
        .. benchmark.Cases.Select(result => CaseBlocks.DetailsOf(benchmark, result, MediaOfDetails(benchmark))),
    ])
    { Id = id, Media = benchmark.Row is null ? Media.All : Media.Html };

    private Section Remarks() => new("Remarks",
    [
        .. IsRanked ? Validity() : [],
        .. from row in BenchmarkCase.In(suite)
           let modes = row.Case.Summary?.MessagesPerSecond.Modes
           where row.Benchmark.Baseline is null && modes is { Count: > 1 }
           let centres = modes.Select(mode => Invariant($"{mode.Centre:N0} msg/s ({mode.Launches})"))
           select new Paragraph($"{row.Benchmark.Title}, {row.Case.Library}: the launches were in {modes.Count} modes, {string.Join(" and ", centres)}."),

        .. CommonBlocks.Notes([.. NotesOf(suite), .. WireBlocks.ReasonsOf(suite)]),
        .. CommonBlocks.Warnings(suite.Fitness),
        new Paragraph(suite.Interleaving is null
            ? "The curves, costs and details of a case are of its launch with the median rate. The rates of the other launches are in the plots."
            : "The curves, costs and details of a case are of its set with the median rate. The rates of the other sets are in the plots.")
        { Media = Media.Html },
    ]);

    // Once for all cases and launches to which it applies. Sentences that differ in their numbers alone are one, with the numbers of the first.
    private static IEnumerable<string> NotesOf(SuiteResult suite) =>
        from row in BenchmarkCase.In(suite)
        from remark in row.Case.Launches.SelectMany(launch => launch.Remarks)
        group (row.Benchmark.Title, row.Case.Library, Remark: remark) by WithoutNumbers(remark) into alike
        let places = from note in alike
                     group note.Library by note.Title into libraries
                     select $"{libraries.Key}, {string.Join(", ", libraries.Distinct())}"
        let example = alike.Select(note => note.Remark).Distinct().Count() > 1 ? " (the numbers of the first)" : string.Empty
        select $"{string.Join("; ", places)}{example}: {alike.First().Remark}";

    private static string WithoutNumbers(string sentence) => string.Concat(sentence.Where(letter => !char.IsDigit(letter) && letter is not ('.' or ',')));
}
