using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>What the sets of two versions show about one case.</summary>
/// <param name="Case">The case, without a version.</param>
/// <param name="Sets">The number of sets in which both versions are valid. The others are not used.</param>
internal sealed record BuildContrast(SuiteCase Case, int Sets, SetRatio? Rate, SetRatio? ServerCpu, IReadOnlyList<FigureContrast> Figures)
{
    public required double OldRate { get; init; }
    public required double NewRate { get; init; }

    /// <summary>The wider one of the ratios that are judged; null if not known yet. A server of another program reports no CPU time.</summary>
    public double? WidestHalfWidth => ServerCpu is null || Rate?.HalfWidth is not { } rate ? Rate?.HalfWidth
        : ServerCpu.HalfWidth is { } cpu ? Math.Max(rate, cpu) : null;

    /// <returns>Null if no set is valid.</returns>
    public static BuildContrast? From(SuiteCase suiteCase, IReadOnlyList<LaunchResult> old, IReadOnlyList<LaunchResult> now)
    {
        (LaunchResult Old, LaunchResult New)[] sets = [.. PairsOf(old, now).Where(set => set is { Old.Failure: null, New.Failure: null })];
        if (sets.Length == 0)
        {
            return null;
        }

        BenchmarkResult both = new(
            suiteCase.Title,
            [
                new CaseResult("old", [.. sets.Select(set => set.Old)], null, []),
                new CaseResult("new", [.. sets.Select(set => set.New)], null, []),
            ]);
        var contrasts = CaseContrasts.From(both);
        var allocated = new RoundContrasts([.. sets.Select(set => (double?[][])[[GoodnessOf(set.Old)], [GoodnessOf(set.New)]])]);
        (SetRatio? rate, SetRatio? serverCpu) = (contrasts.Rates.RatioOf(1, 0), contrasts.ServerCpu.RatioOf(1, 0));
        FigureContrast[] figures =
        [
            ContrastOf(JudgedFigure.ServerCpu, launch => launch.ServerCpuMicroseconds, Inverse(serverCpu)),
            ContrastOf(JudgedFigure.MessagesPerSecond, launch => launch.MessagesPerSecond, rate),
            ContrastOf(JudgedFigure.P99, launch => launch.P99Microseconds, Inverse(contrasts.P99?.RatioOf(1, 0))),
            ContrastOf(JudgedFigure.AllocatedBytes, launch => launch.ServerAllocatedBytes, allocated.RatioOf(1, 0)),
        ];
        return new BuildContrast(suiteCase, sets.Length, rate, serverCpu, FigureContrast.Choose(figures, suiteCase.Plan.Rate is not null))
        {
            OldRate = figures[1].Old!.Value,
            NewRate = figures[1].New!.Value,
        };

        FigureContrast ContrastOf(JudgedFigure figure, Func<LaunchResult, double?> value, JudgedRatio? better) =>
            new(figure, MedianOf(sets.Select(set => value(set.Old))), MedianOf(sets.Select(set => value(set.New))), better);
    }

    /// <summary>A sentence for each set of which a version failed, or has a result that is not valid, such as one with lost messages.</summary>
    public static IEnumerable<string> FindFaults(SuiteCase suiteCase, IReadOnlyList<LaunchResult> old, IReadOnlyList<LaunchResult> now) =>
        from set in PairsOf(old, now)
        let isOld = set.Old.Failure is not null
        let launch = isOld ? set.Old : set.New
        where launch.Failure is not null
        select Invariant($"{suiteCase}, set {launch.Number}: The {(isOld ? "old" : "new")} version ") +
            $"{(launch.Result is null ? "failed" : "is invalid")}: {launch.Failure}";

    public static IReadOnlyList<ComparedCase> Judge(IReadOnlyList<BuildContrast> contrasts, double threshold)
    {
        double confidence = FigureContrast.ConfidenceOf(contrasts.SelectMany(contrast => contrast.Figures), threshold);
        return [.. contrasts.Select(contrast => contrast.Judge(confidence, threshold))];
    }

    private static IEnumerable<(LaunchResult Old, LaunchResult New)> PairsOf(IReadOnlyList<LaunchResult> old, IReadOnlyList<LaunchResult> now) =>
        old.Join(now, launch => launch.Number, launch => launch.Number, (first, second) => (first, second));

    private static double? GoodnessOf(LaunchResult launch) =>
        launch.ServerAllocatedBytes is { } bytes ? FigureContrast.Goodness(JudgedFigure.AllocatedBytes, bytes) : null;

    private static SetRatio? Inverse(SetRatio? ratio) => ratio is null ? null : SetRatio.Inverse(ratio);

    private static double? MedianOf(IEnumerable<double?> figures) =>
        figures.OfType<double>().Order().ToArray() is { Length: > 0 } values ? Statistics.Figures.MedianOf(values) : null;

    private ComparedCase Judge(double confidence, double threshold)
    {
        ComparedFigure[] figures = [.. Figures.Select(contrast => contrast.Judge(confidence, threshold, Sets, Sets))];
        return new ComparedCase(
            Case.Title, Case.Name, Sets, Sets, OldRate, NewRate, Rate?.Ratio ?? NewRate / OldRate, Rate?.Lower, Rate?.Upper, FigureContrast.VerdictOf(figures))
        {
            DecidedBy = figures.FirstOrDefault(figure => figure.Figure == JudgedFigure.MessagesPerSecond)?.DecidedBy,
            Figures = figures,
        };
    }
}
