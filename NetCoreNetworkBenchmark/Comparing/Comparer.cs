using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

internal static class Comparer
{
    private static readonly (string Name, bool IsOfMachine, Func<EnvironmentInfo, string?> Value)[] s_facts =
    [
        ("Processor", true, machine => machine.Cpu),
        ("Logical cores", true, machine => Invariant($"{machine.Cores}")),
        ("CPU quota", true, machine => machine.CpuQuota is { } quota ? Invariant($"{quota:0.##} cores") : null),
        ("Architecture", true, machine => machine.Architecture),
        ("System", false, machine => $"{machine.Os} ({machine.Kernel})"),
        ("Framework", false, machine => machine.Framework),
        ("Garbage collector", false, machine => machine.GarbageCollector),
        ("Compilation", false, machine => machine.Jit + (machine.IsDebugBuild ? ", a debug build" : string.Empty)),
        ("OpenSSL", false, machine => machine.OpenSslVersion),
        ("Runtime settings", false, machine => string.Join(' ', machine.RuntimeSettings.Select(setting => $"{setting.Key}={setting.Value}"))),
    ];

    /// <param name="requested">The only figure to judge; null for all. Cases without it are not compared.</param>
    public static ComparisonResult Compare(
        ResultSet before, ResultSet after, double threshold, string harnessVersion, bool anyMachine = false, JudgedFigure? requested = null)
    {
        ComparedFact[] differences = [.. DifferencesOf(before, after)];
        bool isJudged = anyMachine || !differences.Any(fact => fact.IsOfMachine);
        CasePair[] pairs = [.. before.Cases.Intersect(after.Cases).Select(key => CasePair.Create(key, before, after, requested))];
        CasePair[] compared = [.. pairs.Where(pair => !pair.IsOfBaseline && (requested is null || pair.Figures.Count > 0))];
        double confidence = FigureContrast.ConfidenceOf(compared.SelectMany(pair => pair.Figures), threshold);
        LaunchRatio? control = before.Control.Count > 0 && after.Control.Count > 0 ? LaunchRatio.From(before.Control, after.Control) : null;
        return new ComparisonResult
        {
            HarnessVersion = harnessVersion,
            Old = before.Name,
            New = after.Name,
            NewCommand = after.Command,
            Threshold = threshold,
            Differences = differences,
            AnyMachine = anyMachine,
            Control = control is null ? null : new ComparedControl(before.Control.Count, after.Control.Count, control.Ratio, control.Lower, control.Upper),
            Cases =
            [
                .. compared.Select(pair => pair.Judge(confidence, threshold, isJudged)).Zip(compared, (judged, pair) => judged with
                {
                    Benchmark = pair.Key.Title(IsOneLoad(pair.Key, before, after)),
                    OldLatency = before.LatencyOf(pair.Key),
                    NewLatency = after.LatencyOf(pair.Key),
                }),
            ],
            NotCompared =
            [
                .. OnlyIn(before, after, "old"),
                .. OnlyIn(after, before, "new"),
                .. pairs.Where(pair => pair.IsOfBaseline).Select(pair =>
                    Invariant($"{pair.Key.Name} is the baseline of the ratios; by itself it had {pair.OldMedian:N0} msg/s before ") +
                    Invariant($"and {pair.NewMedian:N0} after.")),
                .. from pair in pairs
                   where !pair.IsOfBaseline && !compared.Contains(pair)
                   group pair.Key.Library by pair.Key.Benchmark into cases
                   select $"{cases.Key}, {string.Join(", ", cases)}: " + (requested == JudgedFigure.P99
                       ? "the p99 is judged at a fixed rate only. Measure with --rate."
                       : "the requested figure is not judged, or not known of each launch."),
                .. from pair in compared
                   where pair.ReasonForLaunches is not null
                   group pair.Key.Library by (pair.Key.Benchmark, pair.ReasonForLaunches) into cases
                   select $"{cases.Key.Benchmark}, {string.Join(", ", cases)}: the launches were compared instead of the ratios to the baseline, " +
                       $"since {cases.Key.ReasonForLaunches}.",
                .. from pair in compared
                   where pair.Figures.Any(contrast => contrast.Better is { Lower: not null } ratio && ratio.IntervalAt(confidence) is null)
                   group pair.Key.Library by pair.Key.Benchmark into cases
                   select Invariant($"{cases.Key}, {string.Join(", ", cases)}: the launches are too few for the {confidence * 100:0.####} % interval, ") +
                       "so no change is called slower or faster. Measure more launches.",
                .. before.Unusable.Select(name => $"{name} has no valid launch in the old results."),
                .. after.Unusable.Select(name => $"{name} has no valid launch in the new results."),
            ],
        };
    }

    private static IEnumerable<ComparedFact> DifferencesOf(ResultSet before, ResultSet after) =>
        from fact in s_facts
        let old = DescribeValues(before, fact.Value)
        let now = DescribeValues(after, fact.Value)
        where old != now
        select new ComparedFact(fact.Name, old, now, fact.IsOfMachine);

    private static string DescribeValues(ResultSet set, Func<EnvironmentInfo, string?> value) => string.Join(
        " or ", set.Environments.Select(machine => value(machine) is { Length: > 0 } text ? text : "none").Distinct().Order(StringComparer.Ordinal));

    // A case that the other set has without a valid launch is reported there.
    private static IEnumerable<string> OnlyIn(ResultSet set, ResultSet other, string name) =>
        from key in set.Cases.Except(other.Cases)
        where !other.Unusable.Contains(key.Name)
        let load = IsOneLoad(key, set, other) ? string.Empty : $" ({key.Load})"
        group key.Library by (key.Benchmark, Load: load) into alone
        let are = alone.Count() == 1 ? "is" : "are"
        select $"{alone.Key.Benchmark}, {string.Join(", ", alone)}{alone.Key.Load} {are} in the {name} results only.";

    private static bool IsOneLoad(CaseKey key, ResultSet set, ResultSet other) =>
        set.Cases.Union(other.Cases).Count(candidate => candidate.Name == key.Name) == 1;
}

/// <summary>
/// If the case was interleaved with the same baseline in both sets, its ratios to the baseline are compared. Otherwise, launches are; if both sets have the raw
/// sockets' control, in relation to the control just before the launch. So a machine that was faster on one day makes no difference.
/// </summary>
/// <param name="Baseline">The baseline of the ratios; null if the launches are compared.</param>
/// <param name="ReasonForLaunches">The reason why the launches are compared although there are ratios; otherwise, null.</param>
internal sealed record CasePair(
    CaseKey Key, IReadOnlyList<ComparableLaunch> Before, IReadOnlyList<ComparableLaunch> After, IReadOnlyList<FigureContrast> Figures, FigureContrast Rate,
    string? Baseline, string? ReasonForLaunches)
{
    public bool IsOfBaseline => Baseline == Key.Library;
    public double OldMedian => Rate.Old!.Value;
    public double NewMedian => Rate.New!.Value;

    public static CasePair Create(CaseKey key, ResultSet before, ResultSet after, JudgedFigure? requested)
    {
        (ComparableRatio? old, ComparableRatio? now, string? reason) = (before.RatiosOf(key), after.RatiosOf(key)) switch
        {
            ([], []) => ((ComparableRatio?)null, (ComparableRatio?)null, (string?)null),
            ([var earlierRatio], [var laterRatio]) when earlierRatio.Baseline == laterRatio.Baseline => (earlierRatio, laterRatio, null),
            ([_, _, ..], _) => (null, null, "several old results have ratios"),
            (_, [_, _, ..]) => (null, null, "several new results have ratios"),
            ([], _) or (_, []) => (null, null, "only one side has ratios"),
            _ => (null, null, "the baselines differ"),
        };
        (IReadOnlyList<ComparableLaunch> earlier, IReadOnlyList<ComparableLaunch> later) = (before.LaunchesOf(key), after.LaunchesOf(key));
        ComparableLaunch[] all = [.. earlier, .. later];
        bool inRelation = all.All(launch => launch.HasControl);
        FigureContrast[] figures =
        [
            .. from figure in Enum.GetValues<JudgedFigure>()
               where all.All(launch => launch.ValueOf(figure) is not null)
               select new FigureContrast(figure, MedianOf(earlier, figure), MedianOf(later, figure), BetterOf(figure)),
        ];
        return new CasePair(
            key, earlier, later, FigureContrast.Choose(figures, all.Any(launch => launch.P99Microseconds is not null), requested),
            figures.Single(contrast => contrast.Figure == JudgedFigure.MessagesPerSecond), old?.Baseline, reason);

        JudgedRatio? BetterOf(JudgedFigure figure) => (figure, old, now) switch
        {
            (_, null, _) or (_, _, null) => LaunchRatio.From(GoodnessOf(earlier, figure), GoodnessOf(later, figure)),
            (JudgedFigure.MessagesPerSecond, _, _) => SetRatio.Quotient(now.Rate, old.Rate),
            (JudgedFigure.ServerCpu, { ServerCpu: { } before }, { ServerCpu: { } after }) => SetRatio.Quotient(before, after),
            (JudgedFigure.P99, { P99: { } before }, { P99: { } after }) => SetRatio.Quotient(before, after),
            (JudgedFigure.AllocatedBytes, _, _) => SetRatio.Quotient(SetRatio.MeanOf(GoodnessOf(later, figure)), SetRatio.MeanOf(GoodnessOf(earlier, figure))),
            _ => null,
        };

        double[] GoodnessOf(IReadOnlyList<ComparableLaunch> launches, JudgedFigure figure) =>
            [.. launches.Select(launch => launch.Goodness(figure, inRelation))];
    }

    public ComparedCase Judge(double confidence, double threshold, bool isJudged)
    {
        ComparedFigure[] figures = [.. Figures.Select(contrast => contrast.Judge(confidence, threshold, Before.Count, After.Count)).Select(
            figure => isJudged ? figure : figure with { Verdict = Verdict.Undecided, DecidedBy = null, LaunchesToDecide = null })];
        JudgedRatio rate = Rate.Better!;
        return new ComparedCase(
            Key.Benchmark, Key.Library, Before.Count, After.Count, OldMedian, NewMedian, rate.Ratio, rate.Lower, rate.Upper,
            FigureContrast.VerdictOf(figures), Baseline, figures.FirstOrDefault(figure => figure.Figure == JudgedFigure.MessagesPerSecond)?.DecidedBy)
        {
            Figures = figures,
        };
    }

    private static double? MedianOf(IReadOnlyList<ComparableLaunch> launches, JudgedFigure figure)
    {
        double[] values = [.. launches.Select(launch => launch.ValueOf(figure)!.Value).Order()];
        return Statistics.Figures.MedianOf(values);
    }
}
