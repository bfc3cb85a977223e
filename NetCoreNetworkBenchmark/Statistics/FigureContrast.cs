namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A figure of a case before and after a change. All figures of a comparison are judged together (<see cref="HolmProcedure"/>).</summary>
/// <param name="Better">The ratio of which more is better: new / old of the rate, old / new of the other figures. Null if it is not known.</param>
internal sealed record FigureContrast(JudgedFigure Figure, double? Old, double? New, JudgedRatio? Better)
{
    // An object of .NET has 24 bytes. Timers and counters of the harness allocate less than one byte per message, and not by a change.
    private const double LeastAllocatedBytes = 1;

    /// <summary>Returns how good a figure is, as a positive number.</summary>
    public static double Goodness(JudgedFigure figure, double value) => figure switch
    {
        JudgedFigure.MessagesPerSecond => value,
        JudgedFigure.AllocatedBytes => 1 / Math.Max(LeastAllocatedBytes, value),
        _ => 1 / value,
    };

    /// <summary>Returns the figures by which a case is judged: the p99 of an open loop alone, whose rate is fixed.</summary>
    public static IReadOnlyList<FigureContrast> Choose(IReadOnlyList<FigureContrast> known, bool isOpenLoop)
    {
        bool hasServerCpu = known.Any(contrast => contrast is { Figure: JudgedFigure.ServerCpu, Better: not null });
        return
        [
            .. known.Where(contrast => contrast.Better is not null && contrast.Figure switch
            {
                JudgedFigure.MessagesPerSecond => !isOpenLoop || !hasServerCpu,
                JudgedFigure.P99 => isOpenLoop,
                _ => true,
            }),
        ];
    }

    /// <summary>Returns the confidence of the interval that decides among all figures of all cases.</summary>
    public static double ConfidenceOf(IEnumerable<FigureContrast> contrasts, double threshold) =>
        HolmProcedure.ConfidenceOf(HolmProcedure.Decide([.. contrasts.Select(contrast => contrast.Better)], threshold));

    /// <summary>A case is slower if a figure is. It is the same or faster only if no figure is undecided.</summary>
    public static Verdict VerdictOf(IReadOnlyList<ComparedFigure> figures) =>
        ((Verdict[])[Verdict.Slower, Verdict.Undecided, Verdict.Faster, Verdict.Same]).FirstOrDefault(
            verdict => figures.Any(figure => figure.Verdict == verdict), Verdict.Undecided);

    public ComparedFigure Judge(double confidence, double threshold)
    {
        JudgedRatio better = Better!;
        RatioInterval? decidedBy = better.IntervalAt(confidence);
        Verdict verdict = better.Judge(confidence, threshold);
        return Figure == JudgedFigure.MessagesPerSecond
            ? new ComparedFigure(Figure, Old, New, better.Ratio, better.Lower, better.Upper, verdict, decidedBy)
            : new ComparedFigure(
                Figure, Old, New, 1 / better.Ratio, 1 / better.Upper, 1 / better.Lower, verdict,
                decidedBy is null ? null : new RatioInterval(1 / decidedBy.Upper, 1 / decidedBy.Lower, confidence));
    }
}
