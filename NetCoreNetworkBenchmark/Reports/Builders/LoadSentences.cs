using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>What each load of a matrix costs the server in relation to the first one. The tables "By ..." have the same ratios.</summary>
internal static class LoadSentences
{
    // An option with more values has a sentence for the last one alone.
    private const int MaxValues = 2;

    // Three lines of a terminal.
    private const int MaxLetters = 3 * 78;
    private const int MaxLibraries = 4;

    public static IEnumerable<Inline[]> From(SuiteResult suite) => AllOf(suite, int.MaxValue).Select(sentence => (Inline[])[sentence]);

    public static IEnumerable<Inline[]> BriefOf(SuiteResult suite)
    {
        var brief = new List<Inline[]>();
        int letters = 0;
        foreach (string sentence in AllOf(suite, MaxLibraries))
        {
            letters += sentence.Length;
            if (letters <= MaxLetters || brief.Count == 0)
            {
                brief.Add([sentence]);
            }
        }

        return brief;
    }

    private static IEnumerable<string> AllOf(SuiteResult suite, int maxLibraries) =>
        from option in PlanOptions.All
        where suite.Varied?.Contains(option.Name) == true
        let loads = ComparedBy(option, suite).GroupBy(compared => compared.Load).ToArray()
        from load in loads.Length > MaxValues ? loads[^1..] : loads
        select SentenceOf(option, [.. load], maxLibraries);

    private static IEnumerable<(string Library, string Load, LoadRatio Ratio)> ComparedBy(PlanOption option, SuiteResult suite) =>
        from row in BenchmarkCase.In(suite)
        let ratio = row.ToFirst(option)
        where row.Median is not null && ratio is not null && (ratio.ServerCpu ?? ratio.Rate) is not null
        select (row.NameIn(suite) + CaseBlocks.MarkOf(row.Case), option.DescribeValue(row.Median!.Plan), ratio);

    private static string SentenceOf(PlanOption option, (string Library, string Load, LoadRatio Ratio)[] compared, int maxLibraries)
    {
        bool isCost = compared.All(load => load.Ratio.ServerCpu is not null);
        string first = compared[0].Ratio.First;
        (string Library, RatioFigure[] Ratios)[] libraries =
        [
            .. from load in compared
               let ratio = isCost ? load.Ratio.ServerCpu : load.Ratio.Rate
               where ratio is not null
               group ratio by load.Library into ratios
               orderby ratios.All(Differs) ? 0 : 1
               select (ratios.Key, ratios.ToArray()),
        ];
        int named = libraries.Length <= maxLibraries ? libraries.Length : maxLibraries - 1;
        string[] others = [.. libraries[1..named].Select(library => $"; with {library.Library} {OutcomeOf(library.Ratios)}")];
        string rest = named == libraries.Length ? string.Empty
            : $"; the table By {option.Name.TrimStart('-')} has {Plural.Format(libraries.Length - named, "more library", "more libraries")}";
        string whole = WholeOf(compared[0].Load, option.Key?.Invoke(first) ?? first, libraries[0].Ratios, isCost);
        return $"With {libraries[0].Library}, {whole}{string.Concat(others)}{rest}.";
    }

    // The first clause in full. Those of other libraries have its outcome alone.
    private static string WholeOf(string load, string first, RatioFigure[] ratios, bool isCost)
    {
        // "60 clients", but "1 client" and "Tls".
        bool isPlural = char.IsAsciiDigit(load[0]) && !load.StartsWith("1 ", StringComparison.Ordinal);
        string verb = (isCost ? "cost" : "serve") + (isPlural ? string.Empty : "s") + (isCost ? " the server" : string.Empty);
        string amount = isCost ? "as much CPU time per message" : "as many messages per second";
        return ratios.All(Differs) ? $"{load} {verb} {TimesOf(ratios)} {amount} as {first}{PrecisionOf(ratios)}"
            : Ranking.NoDifferenceOf(ratios) is { } bound ? $"{load} and {first} {(isCost ? "cost the server the same" : "are equally fast")}, with {bound}"
            : $"{load} and {first} are {OutcomeOf(ratios)}";
    }

    private static string OutcomeOf(RatioFigure[] ratios) => ratios.All(Differs) ? TimesOf(ratios) + PrecisionOf(ratios)
        : Ranking.NoDifferenceOf(ratios) ?? $"undecided, {TimesOf(ratios)}{PrecisionOf(ratios)}";

    private static bool Differs(RatioFigure ratio) => ratio.Lower > 1 || ratio.Upper < 1;

    // Under several values of another option, the least and the largest.
    private static string TimesOf(RatioFigure[] ratios)
    {
        (string min, string largest) = (Figure(ratios.Min(ratio => ratio.Ratio), "0.00"), Figure(ratios.Max(ratio => ratio.Ratio), "0.00"));
        return min == largest ? $"{min} times" : $"{min} to {largest} times";
    }

    private static string PrecisionOf(RatioFigure[] ratios) => ratios is not [var only] ? $" (under {ratios.Length} loads)"
        : Ranking.RatioOf(only).Split(' ', 2) is [_, var half] ? $" ({half})"
        : string.Empty;
}
