namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>All figures of a comparison are judged together (<see cref="HolmProcedure"/>).</summary>
/// <param name="Better">The ratio of which more is better: new / old of the rate, old / new of the other figures. Null if it is not known.</param>
internal sealed record FigureContrast(JudgedFigure Figure, double? Old, double? New, JudgedRatio? Better)
{
    // An object of .NET has 24 bytes. Timers and counters of the harness allocate less than one byte per message, and not by a change.
    private const double MinAllocatedBytes = 1;

    public static double Goodness(JudgedFigure figure, double value) => figure switch
    {
        JudgedFigure.MessagesPerSecond => value,
        JudgedFigure.AllocatedBytes => 1 / Math.Max(MinAllocatedBytes, value),
        _ => 1 / value,
    };

    /// <summary>Returns the figures by which a case is judged. The p99 is one only in an open loop, whose rate is fixed.</summary>
    /// <param name="known">The figures in the order of <see cref="JudgedFigure"/>.</param>
    public static IReadOnlyList<FigureContrast> Choose(IReadOnlyList<FigureContrast> known, bool isOpenLoop, JudgedFigure? requested = null)
    {
        bool hasServerCpu = known.Any(contrast => contrast is { Figure: JudgedFigure.ServerCpu, Better: not null });
        return
        [
            .. known.Where(contrast => contrast.Better is not null && contrast.Figure == (requested ?? contrast.Figure) && contrast.Figure switch
            {
                JudgedFigure.MessagesPerSecond => !isOpenLoop || !hasServerCpu,
                JudgedFigure.P99 => isOpenLoop,
                _ => true,
            }),
        ];
    }

    public static double ConfidenceOf(IEnumerable<FigureContrast> contrasts, double threshold) =>
        HolmProcedure.ConfidenceOf(HolmProcedure.Decide([.. contrasts.Select(contrast => contrast.Better)], threshold));

    /// <summary>Only a figure by which loads are ranked makes a case undecided: the others need more launches.</summary>
    public static Verdict VerdictOf(IReadOnlyList<ComparedFigure> figures) =>
        figures.Any(figure => figure.Verdict == Verdict.Slower) ? Verdict.Slower
        : figures.Count == 0 || ComparedFigure.DecisiveOf(figures).Any(figure => figure.Verdict == Verdict.Undecided) ? Verdict.Undecided
        : figures.Any(figure => figure.Verdict == Verdict.Faster) ? Verdict.Faster
        : Verdict.Same;

    public ComparedFigure Judge(double confidence, double threshold, int oldLaunches, int newLaunches)
    {
        JudgedRatio better = Better!;
        RatioInterval? decidedBy = better.IntervalAt(confidence);
        Verdict verdict = better.Judge(confidence, threshold);
        ComparedFigure figure = Figure == JudgedFigure.MessagesPerSecond
            ? new ComparedFigure(Figure, Old, New, better.Ratio, better.Lower, better.Upper, verdict, decidedBy)
            : new ComparedFigure(
                Figure, Old, New, 1 / better.Ratio, 1 / better.Upper, 1 / better.Lower, verdict,
                decidedBy is null ? null : new RatioInterval(1 / decidedBy.Upper, 1 / decidedBy.Lower, confidence));
        return figure with
        {
            LaunchesToDecide = verdict == Verdict.Undecided ? better.LaunchesToDecide(confidence, threshold, oldLaunches, newLaunches) : null,
        };
    }
}
