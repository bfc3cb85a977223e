using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The outcome of a ranking in words, which a page begins with.</summary>
internal static class RankingSentences
{
    private const double NearlyTheSame = 1.05;

    /// <summary>Returns the conditions of a ranking in one line: the date, the machine, the versions, the time and the widest interval.</summary>
    public static string ConditionsOf(SuiteResult result)
    {
        Decision[] decisions = [.. result.Benchmarks.Select(benchmark => benchmark.Decision).OfType<Decision>()];
        double minutes = decisions.Sum(decision => decision.Seconds) / 60;
        string widest = decisions.Max(decision => decision.HalfWidth) is { } half ? Invariant($"; all intervals within ±{100 * half:0.#} %") : string.Empty;
        string date = Invariant($"{result.StartedAt.UtcDateTime:yyyy-MM-dd}");
        return Invariant($"{date}, {result.Environment.Cpu}, {result.Environment.Cores} cores, {result.Environment.Framework}, {minutes:0.#} minutes{widest}.");
    }

    /// <summary>Returns what a benchmark says in one sentence; null if it has no ranking.</summary>
    public static string? Of(BenchmarkResult benchmark)
    {
        CaseResult[] ranked = [.. RankingTable.Ordered(benchmark).Where(found => found.ToFloor?.Rank is not null)];
        if (ranked.Length < 2)
        {
            return null;
        }

        CaseResult[] first = [.. ranked.Where(found => found.ToFloor!.Rank == 1)];
        string leads = first.Length == 1
            ? benchmark.RankedBy == RankedFigure.ServerCpu ? $"{first[0].Library} costs the server least" : $"{first[0].Library} leads"
            : $"{string.Join(", ", first[..^1].Select(found => found.Library))} and {first[^1].Library} lead, undecided between them";
        IEnumerable<string> others =
            from found in ranked.Except(first)
            let cost = found.ToBest?.ServerCpu?.Ratio
            where cost > NearlyTheSame
            select Invariant($"{found.Library} costs the server {cost:0.0#} times as much as the cheapest");
        return $"{string.Join("; ", others.Prepend(leads))}.";
    }

    /// <summary>Returns the pairs of a benchmark that are undecided, a sentence each.</summary>
    public static IEnumerable<string> UndecidedOf(BenchmarkResult benchmark) =>
        from pair in benchmark.Decision?.Undecided ?? []
        let more = pair.MoreSeconds is { } seconds
            ? Invariant($"; about {Math.Max(1, seconds / 60):0} more minutes (`--time`) would decide a difference of this size")
            : string.Empty
        select $"Undecided: {benchmark.Title}, {pair.Second} to {pair.First} {RankingTable.RatioOf(pair.Ratio)}{more}.";

    /// <summary>Returns how often each library is first, alone or undecided with others; null if there is one ranking or none.</summary>
    public static string? FirstsOf(SuiteResult result)
    {
        BenchmarkResult[] ranked = [.. result.Benchmarks.Where(benchmark => benchmark.Cases.Any(found => found.ToFloor?.Rank is not null))];
        IEnumerable<string> firsts =
            from benchmark in ranked
            from found in benchmark.Cases
            where found.ToFloor?.Rank is not null
            group found.ToFloor!.Rank == 1 by found.Library into places
            orderby places.Count(isFirst => isFirst) descending
            select Invariant($"{places.Key} {places.Count(isFirst => isFirst)} of {places.Count()}");
        return ranked.Length < 2 ? null : $"First, alone or undecided with others: {string.Join(", ", firsts)}.";
    }
}
