using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Two sets of results side by side.</summary>
internal static class ComparisonPage
{
    private const double UsualConfidence = 0.95;

    private static readonly string[] s_header = ["Benchmark", "Library", "old msg/s", "new msg/s", "ratio", "95 % interval"];

    public static void Write(ComparisonResult result, TextWriter writer)
    {
        WriteFacts(result, writer);
        writer.WriteLine();
        writer.WriteTable(TableOf(result));
        writer.WriteList("Not compared:", result.NotCompared);
        if (result.Command is not null)
        {
            writer.WriteLines([string.Empty, "Command:", string.Empty, $"    {result.Command}"]);
        }
    }

    /// <summary>Writes the heading and what was compared.</summary>
    public static void WriteFacts(ComparisonResult result, TextWriter writer) =>
        writer.WriteHeader(
            "Comparison",
            result.HarnessVersion,
            null,
            $"Old: {result.Old}",
            $"New: {result.New}",
            Invariant($"Changes up to {result.Threshold * 100:0.#} % count as the same"),
            result.Interleaving is { } method
                ? Invariant($"Both builds took turns: {method.Sets} fresh sets of processes, ") +
                    Invariant($"{method.Rounds} rounds of {method.SliceSeconds:0.###} s in each. ") +
                    "A build is also slower or faster if its server needs more or less CPU time for a message"
            : result.Cases.FirstOrDefault(compared => compared.Floor is not null) is { Floor: { } floor }
                ? $"The ratios are those of each case to {floor}, with which it took turns: new / old"
            : result.Control is { } control
                ? Invariant($"Raw sockets alone, new / old: {control.Ratio:0.000} ({Interval(control.Lower, control.Upper, "0.000")}); ") +
                    "below, each launch is taken in relation to the one before it"
                : "Raw sockets alone were not measured in both, so a change of the machine's own speed is in the ratios",
            RuleOf(result));

    /// <summary>Returns the interval that decided the verdict of a case; null if there is none.</summary>
    public static RatioInterval? DecisiveOf(ComparedCase compared) => compared switch
    {
        { Verdict: not Verdict.Same, DecidedBy: { } interval } => interval,
        { Lower: { } lower, Upper: { } upper } => new RatioInterval(lower, upper, UsualConfidence),
        _ => null,
    };

    /// <summary>Returns the table, with a row for each case.</summary>
    public static TextTable TableOf(ComparisonResult result)
    {
        bool hasCosts = result.Cases.Any(compared => compared.ServerCost is not null);
        string[] decision = DecisionOf(result) is { } interval ? [$"{Confidence(interval)} interval"] : [];
        string[] costColumns = hasCosts ? ["server CPU/msg", "95 % interval", .. decision] : [];
        return new TextTable(
            2,
            [.. s_header, .. decision, .. costColumns, "launches", "verdict"],
            [.. result.Cases.Select(compared => Row(compared, decision.Length > 0, hasCosts))]);
    }

    // All cases are judged together, so there is one confidence.
    private static RatioInterval? DecisionOf(ComparisonResult result) =>
        result.Cases.Select(compared => compared.DecidedBy ?? compared.ServerCostDecidedBy).FirstOrDefault(interval => interval is not null);

    private static string? RuleOf(ComparisonResult result) => DecisionOf(result) is { } interval
        ? $"Slower or faster: the {Confidence(interval)} interval is without 1, and the ratio is beyond what counts as the same. " +
            "Same: the 95 % interval is within it. Inconclusive: neither"
        : null;

    private static string[] Row(ComparedCase compared, bool hasDecision, bool hasCosts) =>
    [
        compared.Benchmark,
        compared.Library,
        Figure(compared.OldMedian),
        Figure(compared.NewMedian),
        Figure(compared.Ratio, "0.000"),
        Interval(compared.Lower, compared.Upper, "0.000"),
        .. Decision(compared.DecidedBy, hasDecision),
        .. hasCosts ? (string[])[Figure(compared.ServerCost?.Ratio, "0.000"), Interval(compared.ServerCost?.Lower, compared.ServerCost?.Upper, "0.000")] : [],
        .. Decision(compared.ServerCostDecidedBy, hasDecision && hasCosts),
        Invariant($"{compared.OldLaunches} + {compared.NewLaunches}"),
        compared.Verdict.ToString().ToLowerInvariant(),
    ];

    private static string[] Decision(RatioInterval? interval, bool isShown) => isShown ? [Interval(interval?.Lower, interval?.Upper, "0.000")] : [];
}
