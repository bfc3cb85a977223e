using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The table by which a reader decides: one row for each library, with its figures under the first loads in relation to the best library.</summary>
internal static class DecisionTable
{
    /// <summary>The title of the baselines, which are drawn apart from the libraries.</summary>
    public const string TitleOfBaselines = "Raw sockets to compare with, not ranked";

    /// <summary>Returns the benchmarks of the table; none if the result has no figures in relation to the best library.</summary>
    public static IReadOnlyList<BenchmarkResult> BenchmarksOf(SuiteResult result) => [.. RankingPicture.Of(result).Where(RankingTable.Fits)];

    /// <summary>Returns whether a result has the table.</summary>
    public static bool Fits(SuiteResult result) => BenchmarksOf(result).Count > 0;

    /// <summary>Returns the table of the libraries, or that of the baselines.</summary>
    /// <param name="result">The result, which fits.</param>
    /// <param name="ofBaselines">Whether the rows are the baselines.</param>
    public static TextTable Of(SuiteResult result, bool ofBaselines) => Of(result, ofBaselines, isNarrow: false);

    /// <summary>Returns the table for a terminal of 80 columns: the baselines are below the libraries, and <see cref="FirstsOf"/> is not in it.</summary>
    public static TextTable NarrowOf(SuiteResult result)
    {
        TextTable libraries = Of(result, ofBaselines: false, isNarrow: true);
        IReadOnlyList<string[]> baselines = Of(result, ofBaselines: true, isNarrow: true).Rows;
        string[] Padded(string[] cells) => [.. cells, .. Enumerable.Repeat(string.Empty, libraries.Header.Length - cells.Length)];
        return baselines.Count == 0 ? libraries : libraries with { Rows = [.. libraries.Rows, Padded(["Raw sockets:"]), .. baselines.Select(Padded)] };
    }

    /// <summary>Returns how often each library is first, as the last sentence of the legend; empty if there is one ranking alone.</summary>
    public static string FirstsOf(SuiteResult result)
    {
        if (result.Benchmarks.Count(benchmark => benchmark.Cases.Any(found => found.ToFloor?.Rank is not null)) < 2)
        {
            return string.Empty;
        }

        IEnumerable<string> names = Of(result, ofBaselines: false, isNarrow: true).Rows.Select(row => row[0]);
        return $" First, alone or undecided: {string.Join(", ", names.Select(name => $"{name} {FirstOf(result, name)}"))}.";
    }

    private static TextTable Of(SuiteResult result, bool ofBaselines, bool isNarrow)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = BenchmarksOf(result);
        string[] names =
        [
            .. benchmarks.SelectMany(RankingTable.Ordered).Where(found => found.IsBaseline == ofBaselines).Select(found => found.Library).Distinct(),
        ];
        (string Header, Func<string, string> Cell)[] columns =
        [
            ("Library", name => name),
            .. benchmarks.Index().SelectMany(found => ColumnsOf(found.Index + 1, found.Item, isNarrow)),
            .. ofBaselines ? [] : PlaceColumns(result, benchmarks, isNarrow),
        ];
        return new TextTable(
            1, [.. columns.Select(column => column.Header)], [.. names.Select(name => columns.Select(column => column.Cell(name)).ToArray())]);
    }

    /// <summary>Returns the meaning of the figures, in a few sentences.</summary>
    public static string LegendOf(SuiteResult result)
    {
        IReadOnlyList<BenchmarkResult> benchmarks = BenchmarksOf(result);
        string[] units =
        [
            .. from found in benchmarks.Index()
               where found.Item.RankedBy == RankedFigure.MessagesPerSecond
               let ranked = found.Item.Cases.Where(one => !one.IsBaseline)
               let rate = ranked.Max(one => RankingTable.RateOf(found.Item, one))
               let cost = ranked.Min(one => RankingTable.CostOf(found.Item, one))
               select $"{Figure(rate)} msg/s and {Units.Time(cost)} in {RankingSentences.NameOf(found.Item, found.Index + 1)}",
        ];
        string unit = units.Length == 0 ? string.Empty : $" 1.00 is {string.Join(", ", units)}.";
        string places = benchmarks.Count > 1 ? " Places are in the order of the benchmarks." : string.Empty;
        return $"Figures are × of the best library ± half of the 95 % interval in %. CPU is the server's CPU time per message.{unit}{places}";
    }

    /// <summary>Returns in how many of the rankings of a result a library is first: no other is surely better.</summary>
    public static string FirstOf(SuiteResult result, string name)
    {
        FloorRatio[] found =
        [
            .. from benchmark in result.Benchmarks
               let ranked = benchmark.Cases.Where(one => one.ToFloor?.Rank is not null)
               where ranked.Count() > 1
               from one in ranked
               where one.Library == name
               select one.ToFloor,
        ];
        int alone = found.Count(ratio => ratio is { Rank: 1, LastRank: null or 1 });
        int first = found.Count(ratio => ratio.Rank == 1);
        return first == 0 ? Invariant($"0 of {found.Length}") : Invariant($"{first} of {found.Length} ({alone} alone)");
    }

    private static IEnumerable<(string Header, Func<string, string> Cell)> ColumnsOf(int number, BenchmarkResult benchmark, bool isNarrow)
    {
        CaseResult? Case(string name) => benchmark.Cases.FirstOrDefault(found => found.Library == name);
        string Ratio(RatioFigure? figure) => isNarrow ? RankingTable.ShortRatioOf(figure) : RankingTable.RatioOf(figure);
        if (benchmark.RankedBy == RankedFigure.ServerCpu)
        {
            return isNarrow
                ? [($"p99 {number}", name => Units.Time(Case(name)?.Summary?.P99Microseconds?.Median))]
                : [($"{number}: p99 of all sets (of each)", name => TailOf(Case(name)))];
        }

        return
        [
            (isNarrow ? $"msg/s {number}" : $"{number}: msg/s × best", name => Ratio(Case(name)?.ToBest?.Rate)),
            (isNarrow ? $"CPU {number}" : $"{number}: server CPU × best", name => Ratio(Case(name)?.ToBest?.ServerCpu)),
        ];
    }

    // A tail depends on stalls of the machine, so its values in the sets say more than an interval.
    private static string TailOf(CaseResult? found)
    {
        double[] sets = [.. (found?.Launches ?? []).Where(launch => launch.IsValid).Select(launch => launch.P99Microseconds).OfType<double>()];
        string tail = Units.Time(found?.Summary?.P99Microseconds?.Median);
        if (sets.Length < 2)
        {
            return tail;
        }

        (string lowest, string highest) = (Units.Time(sets.Min()), Units.Time(sets.Max()));
        string unit = tail[tail.IndexOf(' ', StringComparison.Ordinal)..];
        return lowest.EndsWith(unit, StringComparison.Ordinal) && highest.EndsWith(unit, StringComparison.Ordinal)
            ? $"{tail} ({lowest[..^unit.Length]} – {highest[..^unit.Length]})"
            : $"{tail} ({lowest} – {highest})";
    }

    private static IEnumerable<(string Header, Func<string, string> Cell)> PlaceColumns(
        SuiteResult result, IReadOnlyList<BenchmarkResult> benchmarks, bool isNarrow)
    {
        string PlaceOf(BenchmarkResult benchmark, string name) =>
            benchmark.Cases.FirstOrDefault(found => found.Library == name) is { } found ? RankingTable.PlaceOf(found) : "-";
        string Places(string name, string separator) => string.Join(separator, benchmarks.Select(benchmark => PlaceOf(benchmark, name)));

        // A narrow table has a line for the first places below it.
        return isNarrow
            ? [("place", name => Places(name, "/").Replace(" ", string.Empty, StringComparison.Ordinal))]
            : [("place", name => Places(name, " / ")), ("first in", name => FirstOf(result, name))];
    }
}
