using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Two sets of results side by side (<c>compare OLD NEW</c>), or two versions in alternating slices (<c>regress OLD NEW</c>).</summary>
public sealed record ComparisonResult() : Result(ResultKind.Comparison)
{
    /// <summary>The source of the old results.</summary>
    public required string Old { get; init; }

    /// <summary>The source of the new results.</summary>
    public required string New { get; init; }

    /// <summary>Changes up to this share (0.1 is 10 %) count as the same.</summary>
    public required double Threshold { get; init; }

    /// <summary>The slices of both builds; null for a comparison of stored results.</summary>
    public InterleavingMethod? Interleaving { get; init; }

    /// <summary>The seconds that the slices of both builds took, with the starts of processes; null for a comparison of stored results.</summary>
    public double? Seconds { get; init; }

    /// <summary>Whether the user ended the comparison early. The figures so far are kept.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Aborted { get; init; }

    /// <summary>The command that repeats the comparison; null for a comparison of stored results.</summary>
    public string? Command { get; init; }

    /// <summary>The command that measured the new results; null if several did, and for two builds.</summary>
    public string? NewCommand { get; init; }

    /// <summary>The change of the machine's own speed; null if it was not measured in both.</summary>
    public ComparedControl? Control { get; init; }

    /// <summary>The facts of machine and runtime that differ between the sets.</summary>
    public IReadOnlyList<ComparedFact> Differences { get; init; } = [];

    /// <summary>Whether the cases have verdicts although the sets are of different machines.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool AnyMachine { get; init; }

    /// <summary>The cases that are in both.</summary>
    public required IReadOnlyList<ComparedCase> Cases { get; init; }

    /// <summary>Cases that are in only one of them, or whose figures may not be used, a sentence each.</summary>
    public required IReadOnlyList<string> NotCompared { get; init; }

    /// <summary>Whether a case is slower.</summary>
    public bool HasRegression => Cases.Any(compared => compared.Verdict == Verdict.Slower);

    internal bool IsDecided => Cases.Any(compared => compared.Verdict != Verdict.Undecided);

    internal bool IsOfOtherMachines => !AnyMachine && Differences.Any(fact => fact.IsOfMachine);
}

/// <summary>A fact of the machine or the runtime that differs between two sets of results.</summary>
/// <param name="Name">The name of the fact.</param>
/// <param name="Old">Its value in the old set; if it has several, all of them.</param>
/// <param name="New">Its value in the new set.</param>
/// <param name="IsOfMachine">Whether it makes another machine, whose figures are not comparable.</param>
public sealed record ComparedFact(string Name, string Old, string New, bool IsOfMachine);

/// <summary>The raw sockets' control in both sets, over all their launches.</summary>
/// <param name="OldLaunches">Launches with a control in the old set.</param>
/// <param name="NewLaunches">Launches with a control in the new set.</param>
/// <param name="Ratio">New / old: below 1, the machine was slower in the new set.</param>
/// <param name="Lower">The lower end of the ratio's 95 % confidence interval; null if there are too few launches.</param>
/// <param name="Upper">The upper end of the interval; null if there are too few launches.</param>
public sealed record ComparedControl(int OldLaunches, int NewLaunches, double Ratio, double? Lower, double? Upper);

/// <summary>One case in both sets: its rate in messages per second, the judged figures, and the verdict that follows from these.</summary>
/// <param name="Benchmark">The benchmark's title.</param>
/// <param name="Library">The library's name.</param>
/// <param name="OldLaunches">Launches in the old set.</param>
/// <param name="NewLaunches">Launches in the new set.</param>
/// <param name="OldMedian">The old median over launches.</param>
/// <param name="NewMedian">The new median over launches.</param>
/// <param name="Ratio">New / old, in relation to the control if both sets have one.</param>
/// <param name="Lower">The lower end of the ratio's 95 % confidence interval; null if there are too few launches.</param>
/// <param name="Upper">The upper end of the interval; null if there are too few launches.</param>
/// <param name="Verdict">
/// Slower if a judged figure is; otherwise, undecided if the server's CPU time or the rate is; otherwise, faster if one is; otherwise, the same. A figure that
/// was judged alone decides.
/// </param>
/// <param name="Baseline">The baseline of the ratios of which <see cref="Ratio"/> is the quotient; null if the figures themselves were compared.</param>
/// <param name="DecidedBy">
/// The interval that decides whether the rate is slower or faster; null if the rate is not judged, or if the launches or sets are too few for it.
/// </param>
/// <param name="OldLatency">The latencies of the old set; null if none were measured, and for two builds.</param>
/// <param name="NewLatency">The latencies of the new set; null if none were measured, and for two builds.</param>
public sealed record ComparedCase(
    string Benchmark, string Library, int OldLaunches, int NewLaunches, double OldMedian, double NewMedian, double Ratio, double? Lower, double? Upper,
    Verdict Verdict, string? Baseline = null, RatioInterval? DecidedBy = null, LatencyReport? OldLatency = null, LatencyReport? NewLatency = null)
{
    /// <summary>The judged figures, the one by which the load is ranked first.</summary>
    public IReadOnlyList<ComparedFigure> Figures { get; init; } = [];

    /// <summary>What both versions put on the wire; null if it was not counted, as it is for the packages of a library alone.</summary>
    public ComparedWire? Wire { get; init; }

    /// <summary>The figures that make a case undecided.</summary>
    internal IReadOnlyList<ComparedFigure> DecisiveFigures => ComparedFigure.DecisiveOf(Figures);
}

/// <summary>Bytes of both directions, with all headers, for each message that a client received. They hardly scatter, and are not judged.</summary>
/// <param name="Old">The bytes of the old version.</param>
/// <param name="New">The bytes of the new version.</param>
public sealed record ComparedWire(double Old, double New);

/// <summary>A judged figure of a case in both sets.</summary>
/// <param name="Figure">The figure.</param>
/// <param name="Old">The old median over launches or sets; null if it is not known.</param>
/// <param name="New">The new median over launches or sets; null if it is not known.</param>
/// <param name="Ratio">
/// New / old, in relation to the baseline or to the control if both sets have it. Of allocated bytes, less than one counts as one.
/// </param>
/// <param name="Lower">The lower end of the ratio's 95 % confidence interval; null if there are too few launches.</param>
/// <param name="Upper">The upper end of the interval; null if there are too few launches.</param>
/// <param name="Verdict">The verdict for the figure. Slower is worse: a lower rate, or more of the others.</param>
/// <param name="DecidedBy">The interval that decides whether the figure is slower or faster; null if the launches or sets are too few for it.</param>
public sealed record ComparedFigure(
    JudgedFigure Figure, double? Old, double? New, double Ratio, double? Lower, double? Upper, Verdict Verdict, RatioInterval? DecidedBy = null)
{
    /// <summary>
    /// About how many launches or sets of each side would decide the figure, if they scatter as these do; null if it is decided, or if these show no scatter.
    /// </summary>
    public int? LaunchesToDecide { get; init; }

    /// <summary>Those by which loads are ranked and which make the case undecided; all if there is none. The others need more launches.</summary>
    internal static IReadOnlyList<ComparedFigure> DecisiveOf(IReadOnlyList<ComparedFigure> figures)
    {
        ComparedFigure[] ranked = [.. figures.Where(figure => figure.Figure is JudgedFigure.ServerCpu or JudgedFigure.MessagesPerSecond)];
        return ranked.Length > 0 ? ranked : figures;
    }
}

/// <summary>A figure by which a case is judged.</summary>
public enum JudgedFigure
{
    /// <summary>The server's CPU time per message, in microseconds.</summary>
    ServerCpu,

    /// <summary>Messages per second; of an open loop only if the server's CPU time is not known.</summary>
    MessagesPerSecond,

    /// <summary>The 99th percentile of the latency in an open loop, in microseconds.</summary>
    P99,

    /// <summary>Managed bytes that the server allocated per message.</summary>
    AllocatedBytes,
}

/// <summary>The slices of several cases whose processes are alive together.</summary>
/// <param name="Sets">The number of fresh sets of processes, at least.</param>
/// <param name="Rounds">The number of slices of each case in a set; null if their time is given instead.</param>
/// <param name="SliceSeconds">The shortest measurement in a slice, in seconds. A load that fills up and drains slowly has longer slices.</param>
/// <param name="Seed">The seed of the order of the cases in the rounds.</param>
/// <param name="SettleSeconds">The time from the resumption of a load to the measurement of a slice, in seconds.</param>
/// <param name="LimitSeconds">
/// The time in seconds within which further sets end while a benchmark, or a case of two versions, is undecided. Null if there are none.
/// </param>
/// <param name="TargetHalfWidth">The half width of the 95 % intervals at which two builds have no further sets; null for a benchmark or a fixed number.</param>
public sealed record InterleavingMethod(
    int Sets, int? Rounds, double SliceSeconds, int Seed, double SettleSeconds = 0, double? LimitSeconds = null, double? TargetHalfWidth = null);

/// <summary>The verdict of a comparison for a case.</summary>
public enum Verdict
{
    /// <summary>The change is smaller than the threshold.</summary>
    Same,

    /// <summary>The new one is slower by more than the threshold.</summary>
    Slower,

    /// <summary>The new one is faster by more than the threshold.</summary>
    Faster,

    /// <summary>The launches differ too much for a verdict.</summary>
    Undecided,
}
