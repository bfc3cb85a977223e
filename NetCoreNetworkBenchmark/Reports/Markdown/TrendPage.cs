using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Sets of results over time: the sets, the changes, and the first and last figures of each case.</summary>
internal static class TrendPage
{
    /// <summary>The meaning of a change.</summary>
    public const string Rule = "A change is a step from one set to the next that a comparison judges slower or faster, " +
        "that is there from the set before the last one too, and that the next set confirms. Open: there is no next set yet.";

    private const string ExactRatio = "0.000";

    public static void Write(TrendResult result, TextWriter writer)
    {
        WriteFacts(result, writer);
        writer.WriteLine();
        writer.WriteTable(SetsOf(result));
        WriteChanges(result, writer);
        writer.WriteLine();
        writer.WriteTable(CasesOf(result));
        writer.WriteList("Remarks:", result.Remarks);
    }

    /// <summary>Writes the heading and what was put together.</summary>
    public static void WriteFacts(TrendResult result, TextWriter writer) => writer.WriteHeader(
        "Trend",
        result.HarnessVersion,
        null,
        $"Sets: those in {result.Source}",
        Invariant($"Changes up to {result.Threshold * 100:0.#} % count as none"),
        Rule);

    /// <summary>Writes the table of the changes, or that there are none.</summary>
    public static void WriteChanges(TrendResult result, TextWriter writer)
    {
        writer.WriteParagraphs(Headline(result));
        if (result.Cases.Any(found => found.Changes.Count > 0))
        {
            writer.WriteLine();
            writer.WriteTable(ChangesOf(result));
        }
    }

    /// <summary>Returns the number of changes, in a sentence.</summary>
    public static string Headline(TrendResult result)
    {
        TrendChange[] changes = [.. result.Cases.SelectMany(found => found.Changes)];
        int open = changes.Count(change => !change.IsConfirmed);
        return Invariant($"Changes in {result.Sets.Count:N0} sets: ") +
            Invariant($"{CountOf(changes, Verdict.Slower):N0} slower, {CountOf(changes, Verdict.Faster):N0} faster, {open:N0} open.");
    }

    /// <summary>Returns the number of confirmed changes with a verdict.</summary>
    public static int CountOf(IEnumerable<TrendChange> changes, Verdict verdict) => changes.Count(change => change.IsConfirmed && change.Verdict == verdict);

    /// <summary>Returns the table of the sets.</summary>
    public static TextTable SetsOf(TrendResult result) => new(
        4,
        ["Set", "Name", "Measured, UTC", "Version"],
        [
            .. result.Sets.Index().Select(set => (string[])
            [
                Invariant($"{set.Index + 1}"), set.Item.Name, Invariant($"{set.Item.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm}"), set.Item.Version,
            ]),
        ]);

    /// <summary>Returns the table of the changes, the newest first.</summary>
    public static TextTable ChangesOf(TrendResult result) => new(
        4,
        ["Benchmark", "Library", "Set", "Change", "ratio", "95 % interval"],
        [
            .. from found in result.Cases
               from change in found.Changes
               orderby change.Set descending, change.Verdict, change.Ratio
               select (string[])
               [
                   found.Benchmark,
                   found.Library,
                   SetName(result, change.Set),
                   VerdictOf(change),
                   Figure(change.Ratio, ExactRatio),
                   Interval(change.Lower, change.Upper, ExactRatio),
               ],
        ]);

    /// <summary>Returns the table of the cases.</summary>
    public static TextTable CasesOf(TrendResult result) => new(
        3,
        ["Benchmark", "Library", "Rate", "sets", "first", "last", "p99 first, µs", "p99 last, µs", "server CPU first, µs", "server CPU last, µs", "changes"],
        [.. result.Cases.Where(found => found.Points.Count > 0).Select(found => RowOf(found))]);

    /// <summary>Returns the unit of the rates of a case.</summary>
    public static string UnitOf(TrendCase found) => found.RelativeTo is { } other ? $"ratio to {other}" : "msg/s";

    /// <summary>Returns a rate of a case.</summary>
    public static string RateOf(TrendCase found, double rate) => Figure(rate, found.RelativeTo is null ? "N0" : ExactRatio);

    /// <summary>Returns the number of a set with its name.</summary>
    public static string SetName(TrendResult result, int number) =>
        result.Sets.ElementAtOrDefault(number - 1) is { } set ? Invariant($"{number} ({set.Name})") : Invariant($"{number}");

    /// <summary>Returns the verdict of a change, and whether it is open.</summary>
    public static string VerdictOf(TrendChange change) => change.Verdict.ToString().ToLowerInvariant() + (change.IsConfirmed ? string.Empty : " (open)");

    /// <summary>Returns the changes of a case, such as "slower at 4".</summary>
    public static string ChangesOf(TrendCase found) => string.Join(", ", found.Changes.Select(change => Invariant($"{VerdictOf(change)} at {change.Set}")));

    private static string[] RowOf(TrendCase found)
    {
        (TrendPoint first, TrendPoint last) = (found.Points[0], found.Points[^1]);
        return
        [
            found.Benchmark,
            found.Library,
            UnitOf(found),
            Invariant($"{found.Points.Count}"),
            RateOf(found, first.Rate.Value),
            RateOf(found, last.Rate.Value),
            Figure(first.P99Microseconds?.Value, "N3"),
            Figure(last.P99Microseconds?.Value, "N3"),
            Figure(first.ServerCpuMicroseconds?.Value, "N3"),
            Figure(last.ServerCpuMicroseconds?.Value, "N3"),
            found.Changes.Count == 0 ? "-" : ChangesOf(found),
        ];
    }
}
