using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static partial class ComparisonBuilder
{
    private const int RowsOfPlot = 30;

    // More would take longer than most people wait, and another method decides sooner.
    private const int MaxAdvised = 50;
    private const int MaxNamed = 2;

    // Of a side with so few launches that it shows no scatter.
    private const int FirstAdvised = 10;
    private const double UsualConfidence = 0.95;

    public static Document Create(ComparisonResult comparison)
    {
        Row[] rows =
        [
            .. comparison.Cases.Select(compared => new Row(compared, DecisiveOf(compared)))
                .OrderBy(row => row.Case.Verdict == Verdict.Slower ? 0 : 1).ThenBy(row => BetterOf(row.Figure)),
        ];
        Plot plot = RatiosOf(comparison, rows);
        return new Document("Comparison", comparison.HarnessVersion,
        [
            Conclude(comparison),
            RemedyOf(comparison) is not { } remedy ? null
                : CommandToDecide(comparison) is { } command ? new Paragraph($"{remedy} To measure again: ", Inline.Code(command))
                : new Paragraph(remedy),
            OutcomesOf(comparison),
            NotDecisiveOf(comparison),
            CommonBlocks.Aborted(comparison.Aborted, "comparison"),
            new Facts(
                [.. Enum.GetValues<Verdict>().Select(verdict => new Fact(NameOf(verdict), Figure(rows.Count(row => row.Case.Verdict == verdict))))],
                FactStyle.Headline) { Media = Media.Html },
            new Facts([.. FactsOf(comparison)], FactStyle.List),
            new Section("Ratios",
            [
                new Paragraph(
                    "Each dot is the figure that decides a case, as how many times as good it is, with its interval. Left of 1, the new one is slower. " +
                        Invariant($"The area is the change of up to {comparison.Threshold * 100:0.#} % that counts as the same. Circles are undecided.")),

                // A plot with all cases would be as long as the page, and its axis out of sight.
                .. plot.Rows.Chunk(RowsOfPlot).Index().Select(part => rows.Length <= RowsOfPlot ? plot : plot with
                {
                    Title = Invariant($"{plot.Title}, {(part.Index * RowsOfPlot) + 1} to {(part.Index * RowsOfPlot) + part.Item.Length} of {rows.Length}"),
                    Rows = part.Item,
                }),
            ]) { Media = Media.Html },
            LatenciesOf(rows),
            Table.Create("Old and new figures of each case", [.. ColumnsOf(comparison.Cases)], rows, row => ToneOf(row.Case.Verdict)),
            new Section("Not compared", [new BulletList(comparison.NotCompared)]),
            CommonBlocks.Command(comparison.Command),
        ]);
    }

    public static string? RemedyOf(ComparisonResult comparison)
    {
        (ComparedCase Case, int Launches)[] needed = NeededIn(comparison);
        (ComparedCase Case, int Launches)[] possible = [.. needed.Where(found => found.Launches <= MaxAdvised)];
        int advised = possible.Length == 0 ? 0 : possible.Max(found => found.Launches);
        bool isOfBuilds = comparison.Interleaving is not null;
        string launches = isOfBuilds ? "sets of each version" : "launches of each side";
        string option = possible.Length > 0 && CommandOf(comparison) is null ? $" (--launches {advised})" : string.Empty;
        string time = possible.Length > 0 && comparison.Seconds is { } seconds
            ? $", in about {Plural.Format(Math.Ceiling(seconds * advised / comparison.Cases.Average(compared => compared.NewLaunches) / 60), "minute")}"
            : string.Empty;
        string[] sentences =
        [
            .. possible.Length == 0 ? [] : (string[])[$"About {advised} {launches} would decide {Named(possible)}{time}{option}."],
            .. possible.Length == needed.Length ? [] : (string[])
            [
                $"Even {MaxAdvised} {launches} would not decide {Named([.. needed.Except(possible)])}: they differ too much on this machine, " +
                    "or the change is about as large as the threshold. Use a larger --threshold, or " + (isOfBuilds
                        ? "a quieter machine."
                        : "judge one --figure alone. Slices decide more: regress compares two versions in slices."),
            ],
        ];
        return sentences.Length == 0 ? null : string.Join(' ', sentences);

        string Named((ComparedCase Case, int Launches)[] some) => needed.Length == 1 ? "it"
            : some.Length == needed.Length ? "them"
            : some.Length <= MaxNamed ? string.Join(" and ", some.Select(found => $"{found.Case.Benchmark}, {found.Case.Library}"))
            : $"{some.Length} of {needed.Length}";
    }

    public static string? CommandToDecide(ComparisonResult comparison) =>
        NeededIn(comparison).Select(found => found.Launches).Where(launches => launches <= MaxAdvised).DefaultIfEmpty().Max() is > 0 and var launches
        && CommandOf(comparison) is { } measured
            ? $"{NumberOfSets().Replace(Document.OneLine(measured), string.Empty)} --launches {launches}" +
                (comparison.Command is null ? " --output DIR" : string.Empty)
            : null;

    private static string? CommandOf(ComparisonResult comparison) => comparison.Command ?? comparison.NewCommand;

    // For each undecided case, about how many launches would decide it.
    private static (ComparedCase Case, int Launches)[] NeededIn(ComparisonResult comparison) => comparison.IsOfOtherMachines ? [] :
    [
        .. from compared in comparison.Cases
           where compared.Verdict == Verdict.Undecided
           let needed = compared.DecisiveFigures.Max(figure => figure.LaunchesToDecide)
           where needed is not null || Math.Min(compared.OldLaunches, compared.NewLaunches) < FirstAdvised
           select (compared, needed ?? FirstAdvised),
    ];

    [GeneratedRegex(" --(launches|precision|time) [^ ]+")]
    private static partial Regex NumberOfSets();

    private static Paragraph Conclude(ComparisonResult comparison)
    {
        int all = comparison.Cases.Count;
        int slower = comparison.Cases.Count(compared => compared.Verdict == Verdict.Slower);
        int undecided = comparison.Cases.Count(compared => compared.Verdict == Verdict.Undecided);
        int others = all - slower - undecided;
        static string Are(int count, string what) => Plural.Format(count, $"is {what}", $"are {what}");
        string rest = (others > 0 ? $", {Are(others, "the same or faster")}" : string.Empty) +
            (undecided > 0 ? $", {Are(undecided, "undecided")}" : string.Empty);
        string sentence = comparison switch
        {
            { IsOfOtherMachines: true } => "The results are of different machines, so no case has a verdict. --any-machine judges them all the same.",
            { Cases.Count: 0 } => "No case could be compared.",
            { Cases: [{ Verdict: var verdict }] } => $"The case is {(verdict == Verdict.Same ? "the same" : NameOf(verdict))}.",
            { IsDecided: false } => Invariant($"None of {all:N0} cases could be decided."),
            _ when slower > 0 => Invariant($"Of {all:N0} cases, {Are(slower, "slower")}{rest}."),
            _ when undecided > 0 =>
                Invariant($"Of {all:N0} cases, {Are(undecided, "undecided")}, {Are(others, "not slower")}, so no regression was found."),
            _ => Invariant($"None of {all:N0} cases is slower."),
        };
        return new Paragraph(sentence) { Tone = slower > 0 ? Tone.Bad : undecided > 0 || all == 0 ? Tone.Doubtful : Tone.Good };
    }

    public static BulletList? OutcomesOf(ComparisonResult comparison) => comparison.Interleaving is null || comparison.Cases.Count == 0
        ? null
        : new BulletList(
        [
            .. from compared in comparison.Cases
               let outcome = $": {VerdictOf(compared)}{SmallestCalledSlower(compared, comparison.Threshold)}{BytesOf(compared.Wire)}."
               select (Inline[])[Inline.Strong($"{compared.Benchmark}, {compared.Library}"), outcome],
        ]);

    private static string BytesOf(ComparedWire? wire)
    {
        if (wire is null)
        {
            return string.Empty;
        }

        string old = Figure(wire.Old, "N1");
        string now = Figure(wire.New, "N1");
        return old == now ? $"; {now} wire bytes per message in both" : $"; {now} wire bytes per message, and {old} in the old version";
    }

    // A case is slower if the whole interval of the better ratio is below 1 - threshold (JudgedRatio.Judge).
    private static string SmallestCalledSlower(ComparedCase compared, double threshold)
    {
        string[] smallest =
        [
            .. from figure in compared.DecisiveFigures
               where figure.DecidedBy is { IsOpen: false, Lower: > 0 }
               let half = Math.Log(figure.DecidedBy!.Upper / figure.DecidedBy.Lower) / 2
               let limit = (1 - threshold) * Math.Exp(-half)
               let change = figure.Figure == JudgedFigure.MessagesPerSecond ? 1 - limit : (1 / limit) - 1
               select Invariant($"{100 * change:0.#} % of the {NameOf(figure.Figure)}"),
        ];
        return smallest.Length == 0 ? string.Empty : $"; a change from {string.Join(" or ", smallest)} on would have been called slower";
    }

    private static Paragraph? NotDecisiveOf(ComparisonResult comparison)
    {
        (JudgedFigure Figure, int All, int Decided)[] others =
        [
            .. from figure in comparison.Cases.SelectMany(compared => compared.Figures.Except(compared.DecisiveFigures))
               group figure by figure.Figure into figures
               let decided = figures.Count(figure => figure.Verdict != Verdict.Undecided)
               where decided < figures.Count()
               orderby figures.Key
               select (figures.Key, figures.Count(), decided),
        ];
        string[] counts = [.. others.Index().Select(other => other.Index == 0
            ? $"{NameOf(other.Item.Figure)} is decided for {Figure(other.Item.Decided)} of {Plural.Format(other.Item.All, "case")}"
            : $"{NameOf(other.Item.Figure)} for {Figure(other.Item.Decided)} of {Figure(other.Item.All)}")];
        string more = comparison.Interleaving is null ? " --figure judges one alone." : string.Empty;
        return comparison.IsOfOtherMachines || others.Length == 0
            ? null
            : new Paragraph($"Apart from the verdicts, {string.Join(", ", counts)}; more launches decide more.{more}") { Tone = Tone.Soft };
    }

    private static IEnumerable<Fact> FactsOf(ComparisonResult comparison) =>
    [
        new("Old", comparison.Old),
        new("New", comparison.New),
        .. comparison.Differences.Select(fact => new Fact($"{fact.Name} differs", $"{fact.Old} (old), {fact.New} (new)")),
        new("Counts as the same", Invariant(
            $"changes from -{comparison.Threshold * 100:0.#} to +{comparison.Threshold / (1 - comparison.Threshold) * 100:0.#} %")),
        new("Method", comparison.Interleaving is { } method
            ? $"both versions in alternating slices: {Plural.Format(SetsOf(comparison.Cases), "fresh set")} of processes, " +
                Invariant($"{method.Rounds} rounds of {method.SliceSeconds:0.###} s in each{EndOf(comparison)}")
            : comparison.Cases.FirstOrDefault(compared => compared.Baseline is not null) is { Baseline: { } baseline }
            ? $"the ratios are those of each case to {baseline} in the same sets: new / old"
            : comparison.Control is { } control
            ? Invariant($"raw sockets alone, new / old: {control.Ratio:0.000} ({Interval(control.Lower, control.Upper, ThreeDecimals)}); ") +
                "below, each launch is taken in relation to the one before it, so a change is not the quotient of the medians old and new"
            : "raw sockets alone were not measured in both, so a change of the machine's own speed is in the ratios"),
        new("Judged", JudgedIn(comparison.Cases) is { Length: > 0 } judged
            ? $"{string.Join(", ", judged.Select(NameOf))}. A case is slower if one of them is, otherwise undecided if server CPU or rate is"
            : null),
        new("Slower or faster", DecisionOf(comparison.Cases) is { } interval
            ? $"the {Confidence(interval)} interval is beyond what counts as the same. Same: the 95 % interval is within it. Undecided: neither"
            : null),
    ];

    private static string SetsOf(IReadOnlyList<ComparedCase> cases) => cases.Count == 0 ? "no" : Range(
        cases.Min(compared => compared.NewLaunches), cases.Max(compared => compared.NewLaunches));

    private static string Range(int min, int max) => min == max ? Figure(min) : $"{Figure(min)} to {Figure(max)}";

    private static string EndOf(ComparisonResult comparison) => comparison.Interleaving is { TargetHalfWidth: { } target, LimitSeconds: { } limit }
        ? Invariant($", until the 95 % intervals are within ±{target * 100:0.#} % or {limit:0} s are over (it took {comparison.Seconds:0} s)")
        : string.Empty;

    private static IEnumerable<Column<Row>> ColumnsOf(IReadOnlyList<ComparedCase> cases) =>
    [
        new("Benchmark", row => row.Case.Benchmark) { IsText = true },
        new("Library", row => row.Case.Library) { IsText = true, IsRowHeader = true },
        new("figure", row => NameOf(row.Figure.Figure)) { IsText = true, Priority = 2 },
        new("old", row => row.Figure.Old) { Text = row => ValueOf(row.Figure, figure => figure.Old), Priority = 3 },
        new("new", row => row.Figure.New) { Text = row => ValueOf(row.Figure, figure => figure.New), Priority = 3 },
        new("change", row => 100 * (row.Figure.Ratio - 1)) { Text = row => ChangeOf(row.Figure) },
        .. from judged in JudgedIn(cases)
           select new Column<Row>($"{NameOf(judged)} ratio", row => FigureOf(row.Case, judged)?.Ratio)
           {
               Text = row => FigureOf(row.Case, judged) is { } figure ? RatioOf(figure) : "-",
               ShortTitle = NameOf(judged),
               ShortText = row => Figure(FigureOf(row.Case, judged)?.Ratio, ThreeDecimals),
               Priority = 4,
           },
        new("launches", row => Invariant($"{row.Case.OldLaunches} + {row.Case.NewLaunches}")) { Priority = 5 },
        new("verdict", row => VerdictOf(row.Case)) { IsText = true, ShortText = row => ShortVerdictOf(row.Case) },
    ];

    private static string ValueOf(ComparedFigure compared, Func<ComparedFigure, double?> value) => compared.Figure switch
    {
        JudgedFigure.MessagesPerSecond => Figure(value(compared), unit: " msg/s"),
        JudgedFigure.AllocatedBytes => Figure(value(compared), "#,0.#", " B"),
        _ => Time(value(compared)),
    };

    private static string ChangeOf(ComparedFigure figure) => PerCent(figure.Ratio - 1) + (IntervalOf(figure) switch
    {
        null => string.Empty,
        { IsOpen: true } => $" ({NotKnownYet})",
        var interval => $" ({PerCent(interval.Lower - 1)} to {PerCent(interval.Upper - 1)})",
    });

    private static string PerCent(double change) => Invariant($"{100 * change:+#,0.#;-#,0.#;0} %");

    private static string RatioOf(ComparedFigure figure) =>
        Figure(figure.Ratio, ThreeDecimals) + (IntervalOf(figure) is { } interval ? $" ({Interval(interval)})" : string.Empty);

    private static string ShortVerdictOf(ComparedCase compared) => VerdictOf(
        compared, compared.Verdict is Verdict.Slower or Verdict.Faster ? [.. ReasonsOf(compared).OrderBy(BetterOf).Take(1)] : [], isShort: true);

    private static string VerdictOf(ComparedCase compared) => VerdictOf(compared, ReasonsOf(compared));

    private static string VerdictOf(ComparedCase compared, ComparedFigure[] reasons, bool isShort = false) => reasons.Length == 0
        ? NameOf(compared.Verdict)
        : $"{NameOf(compared.Verdict)}: {string.Join(", ", reasons.Select(figure => NameOf(figure.Figure) + (isShort ? string.Empty : ReasonOf(figure))))}";

    // The figures that made the verdict.
    private static ComparedFigure[] ReasonsOf(ComparedCase compared)
    {
        IReadOnlyList<ComparedFigure> figures = compared.Verdict == Verdict.Undecided ? compared.DecisiveFigures : compared.Figures;
        ComparedFigure[] reasons = [.. figures.Where(figure => figure.Verdict == compared.Verdict)];
        return compared.Verdict == Verdict.Same || (compared.Verdict == Verdict.Undecided && reasons.Length == figures.Count) ? [] : reasons;
    }

    private static string ReasonOf(ComparedFigure figure) => figure.Verdict == Verdict.Undecided || IntervalOf(figure) is not { } interval
        ? string.Empty
        : $" {PerCent(figure.Ratio - 1)}" + Invariant($" ± {50 * (interval.Upper - interval.Lower):#,0.#} %");

    private static JudgedFigure[] JudgedIn(IEnumerable<ComparedCase> cases) =>
        [.. cases.SelectMany(compared => compared.Figures).Select(figure => figure.Figure).Distinct().Order()];

    private static ComparedFigure? FigureOf(ComparedCase compared, JudgedFigure judged) =>
        compared.Figures.FirstOrDefault(figure => figure.Figure == judged);

    private static ComparedFigure RateOf(ComparedCase compared) => FigureOf(compared, JudgedFigure.MessagesPerSecond) ?? new ComparedFigure(
        JudgedFigure.MessagesPerSecond, compared.OldMedian, compared.NewMedian, compared.Ratio, compared.Lower, compared.Upper, compared.Verdict,
        compared.DecidedBy);

    // The worst of the figures that have the verdict of the case.
    private static ComparedFigure DecisiveOf(ComparedCase compared) =>
        (compared.Verdict == Verdict.Undecided ? compared.DecisiveFigures : compared.Figures)
            .Where(figure => figure.Verdict == compared.Verdict).MinBy(BetterOf) ?? RateOf(compared);

    private static double BetterOf(ComparedFigure figure) => figure.Figure == JudgedFigure.MessagesPerSecond ? figure.Ratio : 1 / figure.Ratio;

    private static Plot RatiosOf(ComparisonResult comparison, Row[] cases)
    {
        (double From, double To) same = (1 - comparison.Threshold, 1 / (1 - comparison.Threshold));
        PlotRow[] rows =
        [
            .. cases.Select(row => new PlotRow(
                $"{row.Case.Benchmark}: {row.Case.Library}",
                PlotStyle.Verdict(NameOf(row.Case.Verdict)),
                Figure(BetterOf(row.Figure), ThreeDecimals),
                $"{row.Case.Benchmark}, {row.Case.Library}: {Describe(row.Figure)}",
                IntervalOf(row.Figure) is not { } ends ? null
                    : row.Figure.Figure == JudgedFigure.MessagesPerSecond ? (ends.Lower, ends.Upper) : (1 / ends.Upper, 1 / ends.Lower),
                (BetterOf(row.Figure), row.Case.Verdict == Verdict.Undecided))),
        ];
        IEnumerable<double> values = rows.SelectMany(row => (double[])[row.Dot!.Value.Value, row.Interval?.Lower ?? 1, row.Interval?.Upper ?? 1]);
        return new Plot("The figure that decides each case", Axis.Logarithmic([.. values, same.From, same.To], Number), XTitle: "times as good as before")
        {
            Origin = 1,
            Band = same,
            Rows = rows,
        };
    }

    private static Section? LatenciesOf(Row[] rows)
    {
        var palette = new Palette(["old", "new"]);
        NamedLatency LatencyNamed(string name, LatencyReport? latency) => new(name, latency ?? new LatencyReport(null, null));
        Block[] plots =
        [
            .. from row in rows
               let compared = row.Case
               where compared.OldLatency is not null || compared.NewLatency is not null
               select LatencyCurve.PlotOf(
                   $"{compared.Benchmark}: {compared.Library}",
                   $"{Describe(row.Figure)}.",
                   [LatencyNamed("old", compared.OldLatency), LatencyNamed("new", compared.NewLatency)],
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
        cases.SelectMany(compared => compared.Figures.Prepend(RateOf(compared)))
            .Select(figure => figure.DecidedBy).FirstOrDefault(interval => interval is not null);

    private static RatioInterval? IntervalOf(ComparedFigure figure) => figure switch
    {
        { Verdict: not Verdict.Same, DecidedBy: { } interval } => interval,
        { Lower: { } lower, Upper: { } upper } => new RatioInterval(lower, upper, UsualConfidence),
        _ => null,
    };

    private static string Describe(ComparedFigure figure) => $"{NameOf(figure.Figure)} {Figure(figure.Ratio, ThreeDecimals)}" +
        (IntervalOf(figure) is { } interval ? $" ({Interval(interval)} at {Confidence(interval)})" : string.Empty) + $", {NameOf(figure.Verdict)}";

    private static string NameOf(JudgedFigure figure) => figure switch
    {
        JudgedFigure.MessagesPerSecond => "rate",
        JudgedFigure.ServerCpu => "server CPU",
        JudgedFigure.P99 => "p99",
        _ => "allocated bytes",
    };

    private static string NameOf(Verdict verdict) => verdict.ToString().ToLowerInvariant();

    private static Tone ToneOf(Verdict verdict) => verdict switch
    {
        Verdict.Slower => Tone.Bad,
        Verdict.Faster => Tone.Good,
        Verdict.Undecided => Tone.Doubtful,
        _ => Tone.Plain,
    };

    // A case, and the figure that made its verdict.
    private sealed record Row(ComparedCase Case, ComparedFigure Figure);
}
