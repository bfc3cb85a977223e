using NetCoreNetworkBenchmark.Reports.Documents;
using static System.FormattableString;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The report of two sets of results side by side, the slower cases first.</summary>
internal static class ComparisonBuilder
{
    private const int RowsOfPlot = 30;
    private const double UsualConfidence = 0.95;

    public static Document Of(ComparisonResult comparison)
    {
        ComparedCase[] cases = [.. comparison.Cases.OrderBy(compared => compared.Verdict == Verdict.Slower ? 0 : 1).ThenBy(compared => compared.Ratio)];
        Plot plot = RatiosOf(comparison, cases);
        int slower = cases.Count(compared => compared.Verdict == Verdict.Slower);
        return new Document("Comparison", comparison.HarnessVersion,
        [
            Conclude(comparison, slower),
            CommonBlocks.Aborted(comparison.Aborted, "comparison"),
            new Facts([.. Enum.GetValues<Verdict>().Select(verdict => new Fact(NameOf(verdict), Figure(cases.Count(compared => compared.Verdict == verdict))))])
            {
                Style = FactStyle.Headline,
                Media = Media.Html,
            },
            new Facts([.. FactsOf(comparison)]) { Style = FactStyle.List },
            new Section("Ratios",
            [
                new Paragraph(
                    "Each dot is the ratio of a case, with the interval that decides its verdict. Left of 1, the new one is slower. " +
                        Invariant($"The area is the change of up to {comparison.Threshold * 100:0.#} % that counts as the same. Circles are undecided.")),

                // A plot with all cases would be as long as the page, and its axis out of sight.
                .. plot.Rows.Chunk(RowsOfPlot).Index().Select(part => cases.Length <= RowsOfPlot ? plot : plot with
                {
                    Title = Invariant($"{plot.Title}, {(part.Index * RowsOfPlot) + 1} to {(part.Index * RowsOfPlot) + part.Item.Length} of {cases.Length}"),
                    Rows = part.Item,
                }),
            ]) { Media = Media.Html },
            LatenciesOf(cases),
            Table.Of("Old and new figures of each case", [.. ColumnsOf(cases)], cases, compared => ToneOf(compared.Verdict)) with
            {
                Bars = plot,
                BarTitle = "slower │ faster",
                ColumnsBeforeBars = 2,
            },
            new Section("Not compared", [new BulletList(comparison.NotCompared)]),
            CommonBlocks.Command(comparison.Command),
        ]);
    }

    private static Paragraph Conclude(ComparisonResult comparison, int slower) => comparison switch
    {
        { IsOfOtherMachines: true } =>
            new Paragraph("The results are of different machines, so no case has a verdict. --any-machine judges them all the same.") { Tone = Tone.Doubtful },
        _ when slower == 0 => new Paragraph($"None of {Count(comparison.Cases.Count, "case")} is slower.") { Tone = Tone.Good },
        { Cases.Count: var all } => new Paragraph(Invariant($"{slower:N0} of {all:N0} cases {(slower == 1 ? "is" : "are")} slower.")) { Tone = Tone.Bad },
    };

    private static IEnumerable<Fact> FactsOf(ComparisonResult comparison) =>
    [
        new("Old", comparison.Old),
        new("New", comparison.New),
        .. comparison.Differences.Select(fact => new Fact($"{fact.Name} differs", $"{fact.Old} (old), {fact.New} (new)")),
        new("Counts as the same", Invariant($"changes up to {comparison.Threshold * 100:0.#} %")),
        new("Method", comparison.Interleaving is { } method
            ? Invariant($"both builds in alternating slices: {SetsOf(comparison.Cases)} fresh sets of processes, {method.Rounds} rounds of ") +
                Invariant($"{method.SliceSeconds:0.###} s in each{EndOf(comparison)}. ") +
                "A build is also slower or faster if its server needs more or less CPU time per message"
            : comparison.Cases.FirstOrDefault(compared => compared.Baseline is not null) is { Baseline: { } baseline }
            ? $"the ratios are those of each case to {baseline} in the same sets: new / old"
            : comparison.Control is { } control
            ? Invariant($"raw sockets alone, new / old: {control.Ratio:0.000} ({Interval(control.Lower, control.Upper, ThreeDecimals)}); ") +
                "below, each launch is taken in relation to the one before it"
            : "raw sockets alone were not measured in both, so a change of the machine's own speed is in the ratios"),
        new("Slower or faster", DecisionOf(comparison.Cases) is { } interval
            ? $"the {Confidence(interval)} interval is beyond what counts as the same. Same: the 95 % interval is within it. Undecided: neither"
            : null),
    ];

    private static string SetsOf(IReadOnlyList<ComparedCase> cases) => cases.Count == 0 ? "no" : Range(
        cases.Min(compared => compared.NewLaunches), cases.Max(compared => compared.NewLaunches));

    private static string Range(int least, int most) => least == most ? Figure(least) : $"{Figure(least)} to {Figure(most)}";

    private static string EndOf(ComparisonResult comparison) => comparison.Interleaving is { TargetHalfWidth: { } target, LimitSeconds: { } limit }
        ? Invariant($", until the 95 % intervals are within ±{target * 100:0.#} % or {limit:0} s are over (it took {comparison.Seconds:0} s)")
        : string.Empty;

    private static IEnumerable<Column<ComparedCase>> ColumnsOf(ComparedCase[] cases)
    {
        RatioInterval? decision = DecisionOf(cases);
        Column<ComparedCase>[] Decision(Func<ComparedCase, RatioInterval?> of) => decision is null
            ? []
            : [new($"{Confidence(decision)} interval", compared => of(compared)?.Lower) { Text = compared => Interval(of(compared)), Priority = 8 }];
        return
        [
            new("Benchmark", compared => compared.Benchmark) { IsText = true },
            new("Library", compared => compared.Library) { IsText = true, IsRowHeader = true },
            new("old msg/s", compared => compared.OldMedian) { Priority = 3 },
            new("new msg/s", compared => compared.NewMedian) { Priority = 1 },
            new("ratio", compared => compared.Ratio) { Format = ThreeDecimals },
            new("95 % interval", compared => compared.Lower)
            {
                ShortTitle = "interval",
                Text = compared => Interval(compared.Lower, compared.Upper, ThreeDecimals),
                ShortText = compared => Interval(DecisiveOf(compared)),
                Priority = 2,
            },
            .. Decision(compared => compared.DecidedBy),
            .. cases.All(compared => compared.ServerCost is null) ? [] : (Column<ComparedCase>[])
            [
                new("server CPU/msg", compared => compared.ServerCost?.Ratio) { Format = ThreeDecimals, ShortTitle = "server CPU", Priority = 4 },
                new("95 % interval", compared => compared.ServerCost?.Lower)
                {
                    Text = compared => Interval(compared.ServerCost?.Lower, compared.ServerCost?.Upper, ThreeDecimals),
                    Priority = 7,
                },
                .. Decision(compared => compared.ServerCostDecidedBy),
            ],
            new("launches", compared => Invariant($"{compared.OldLaunches} + {compared.NewLaunches}")) { Priority = 5 },
            new("verdict", compared => NameOf(compared.Verdict)) { IsText = true },
        ];
    }

    private static Plot RatiosOf(ComparisonResult comparison, ComparedCase[] cases)
    {
        (double From, double To) same = (1 - comparison.Threshold, 1 / (1 - comparison.Threshold));
        IEnumerable<double> values = cases.SelectMany(compared => DecisiveOf(compared) is { } interval
            ? (double[])[compared.Ratio, interval.Lower, interval.Upper]
            : [compared.Ratio]);
        return new Plot("Messages per second, new / old", Axis.Logarithmic([.. values, same.From, same.To], Number))
        {
            XTitle = "new / old",
            Origin = 1,
            Band = same,
            Rows =
            [
                .. cases.Select(compared => new PlotRow(
                    $"{compared.Benchmark}: {compared.Library}",
                    PlotStyle.Verdict(NameOf(compared.Verdict)),
                    Figure(compared.Ratio, ThreeDecimals),
                    $"{compared.Benchmark}, {compared.Library}: {WordsOf(compared)}")
                {
                    Interval = DecisiveOf(compared) is { } interval ? (interval.Lower, interval.Upper) : null,
                    Dot = (compared.Ratio, compared.Verdict == Verdict.Undecided),
                }),
            ],
        };
    }

    private static Section? LatenciesOf(ComparedCase[] cases)
    {
        var palette = new Palette(["old", "new"]);
        NamedLatency Of(string name, LatencyReport? latency) => new(name, latency ?? new LatencyReport(null, null));
        Block[] plots =
        [
            .. from compared in cases
               where compared.OldLatency is not null || compared.NewLatency is not null
               select LatencyCurve.PlotOf(
                   $"{compared.Benchmark}: {compared.Library}",
                   $"Rate: {WordsOf(compared)}.",
                   [Of("old", compared.OldLatency), Of("new", compared.NewLatency)],
                   palette),
        ];
        return plots.Length == 0 ? null : new Section("Latencies",
        [
            new Paragraph("Latency over percentiles, of the launch with the median rate among the old and the new ones. Results of one case are merged."),
            .. plots,
        ])
        { Media = Media.Html };
    }

    // All cases are judged together, so there is one confidence.
    private static RatioInterval? DecisionOf(IEnumerable<ComparedCase> cases) =>
        cases.Select(compared => compared.DecidedBy ?? compared.ServerCostDecidedBy).FirstOrDefault(interval => interval is not null);

    private static RatioInterval? DecisiveOf(ComparedCase compared) => compared switch
    {
        { Verdict: not Verdict.Same, DecidedBy: { } interval } => interval,
        { Lower: { } lower, Upper: { } upper } => new RatioInterval(lower, upper, UsualConfidence),
        _ => null,
    };

    private static string WordsOf(ComparedCase compared) => Figure(compared.Ratio, ThreeDecimals) +
        (DecisiveOf(compared) is { } interval ? $" ({Interval(interval)} at {Confidence(interval)})" : string.Empty) + $", {NameOf(compared.Verdict)}";

    private static string NameOf(Verdict verdict) => verdict.ToString().ToLowerInvariant();

    private static Tone ToneOf(Verdict verdict) => verdict switch
    {
        Verdict.Slower => Tone.Bad,
        Verdict.Faster => Tone.Good,
        Verdict.Undecided => Tone.Doubtful,
        _ => Tone.Plain,
    };
}
