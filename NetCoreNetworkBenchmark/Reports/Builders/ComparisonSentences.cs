using NetCoreNetworkBenchmark.Reports.Documents;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class ComparisonSentences
{
    public static BulletList? From(ComparisonResult comparison) => comparison.Interleaving is null || comparison.Cases.Count == 0
        ? null
        : new BulletList(
        [
            .. from compared in comparison.Cases
               let outcome = $": {ComparisonBuilder.VerdictOf(compared)}{SmallestCalledSlower(compared, comparison.Threshold)}{BytesOf(compared.Wire)}."
               select (Inline[])[Inline.Strong($"{compared.Benchmark}, {compared.Library}"), outcome],
        ]);

    private static string BytesOf(ComparedWire? wire)
    {
        if (wire is null)
        {
            return string.Empty;
        }

        string old = Format.Figure(wire.Old, "N1");
        string now = Format.Figure(wire.New, "N1");
        return old == now ? $"; {now} wire bytes per message in both" : $"; {now} wire bytes per message, and {old} in the old version";
    }

    // A case is slower if the whole interval is beyond the threshold.
    private static string SmallestCalledSlower(ComparedCase compared, double threshold)
    {
        string[] smallest =
        [
            .. from figure in compared.DecisiveFigures
               where figure.DecidedBy is { IsOpen: false, Lower: > 0 }
               let half = Math.Log(figure.DecidedBy!.Upper / figure.DecidedBy.Lower) / 2
               select Invariant($"{100 * (((1 + threshold) * Math.Exp(half)) - 1):0.#} % of the {ComparisonBuilder.NameOf(figure.Figure)}"),
        ];
        return smallest.Length == 0 ? string.Empty : $"; a change from {string.Join(" or ", smallest)} on would have been called slower";
    }
}
