using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Two sets of results side by side.</summary>
internal static class ComparisonPage
{
    private static readonly string[] s_header = ["Benchmark", "Library", "old msg/s", "new msg/s", "ratio", "95 % interval", "launches", "verdict"];

    public static void Write(ComparisonResult result, TextWriter writer)
    {
        writer.WriteHeader(
            "Comparison",
            result.HarnessVersion,
            null,
            $"Old: {result.Old}",
            $"New: {result.New}",
            Invariant($"Changes up to {result.Threshold * 100:0.#} % count as the same"),
            result.Control is { } control
                ? Invariant($"Raw sockets alone, new / old: {control.Ratio:0.000} ({Interval(control.Lower, control.Upper, "0.000")}); ") +
                    "below, each launch is taken in relation to the one before it"
                : "Raw sockets alone were not measured in both, so a change of the machine's own speed is in the ratios");
        writer.WriteLine();
        writer.WriteTable(textColumns: 2, s_header, result.Cases.Select(Row));
        writer.WriteList("Not compared:", result.NotCompared);
    }

    private static string[] Row(ComparedCase compared) =>
    [
        compared.Benchmark,
        compared.Library,
        Figure(compared.OldMedian),
        Figure(compared.NewMedian),
        Figure(compared.Ratio, "0.000"),
        Interval(compared.Lower, compared.Upper, "0.000"),
        Invariant($"{compared.OldLaunches} + {compared.NewLaunches}"),
        compared.Verdict.ToString().ToLowerInvariant(),
    ];
}
