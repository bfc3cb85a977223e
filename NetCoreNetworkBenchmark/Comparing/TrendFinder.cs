using System.Globalization;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>
/// Puts sets of results in the order of their time, and finds the changes of each case. A change is a step from one set to the next that
/// <see cref="Comparer"/> judges slower or faster, and that two more comparisons confirm: the step is also there between the set before the last one and
/// the new one, and between the last one and the set after the new one. So a single set that is off is no change, neither where it comes nor where it goes.
/// A confirmation by the next point is the rule of control charts (Western Electric 1956, Statistical Quality Control Handbook: two of three successive
/// points beyond a limit on the same side). The number of cases is taken into account as <see cref="Comparer"/> does.
/// </summary>
internal static class TrendFinder
{
    private const string Control = "raw sockets";

    /// <summary>Finds the changes.</summary>
    /// <param name="source">The folder of the sets.</param>
    /// <param name="sets">The sets in any order.</param>
    /// <param name="threshold">Changes up to this share count as none.</param>
    /// <param name="harnessVersion">The version of this program.</param>
    public static TrendResult Find(string source, IReadOnlyList<ResultSet> sets, double threshold, string harnessVersion)
    {
        ResultSet[] ordered = Order(sets);
        CaseKey[] common = [.. ordered.SelectMany(set => set.Cases).Distinct().Where(key => ordered.Count(set => Has(set, key)) > 1)];
        CaseKey[] shown = [.. common.Where(key => !IsFloor(ordered, key))];
        return new TrendResult
        {
            HarnessVersion = harnessVersion,
            Source = source,
            Threshold = threshold,
            Sets =
            [
                .. ordered.Select(set => new TrendSet(
                    set.Name, StartOf(set), string.Join(", ", set.Origins.Select(origin => origin.Version).Distinct(StringComparer.Ordinal)))),
            ],
            Cases = [.. shown.Select(key => CaseOf(key, shown, ordered, threshold))],
            Remarks = [.. Remarks(ordered, common, shown)],
        };
    }

    /// <summary>Returns sets in the order of their time. Sets of the same time are in the order of their names.</summary>
    public static ResultSet[] Order(IEnumerable<ResultSet> sets) => [.. sets.OrderBy(StartOf).ThenBy(set => set.Name, StringComparer.Ordinal)];

    private static DateTimeOffset StartOf(ResultSet set) => set.Origins.Select(origin => origin.StartedAt).DefaultIfEmpty().Min();

    private static bool Has(ResultSet set, CaseKey key) => set.LaunchesOf(key).Count > 0;

    private static bool IsFloor(ResultSet[] sets, CaseKey key) => sets.Any(set => set.RatioOf(key) is { IsFloor: true });

    private static TrendCase CaseOf(CaseKey key, CaseKey[] shown, ResultSet[] sets, double threshold)
    {
        (int Number, ResultSet Set)[] with = [.. sets.Index().Where(set => Has(set.Item, key)).Select(set => (set.Index + 1, set.Item))];
        string? floor = FloorOf(key, with);
        bool inRelation = floor is null && with.SelectMany(set => set.Set.LaunchesOf(key)).All(launch => launch.HasControl);
        return new TrendCase(
            key.Title(shown.Count(found => found.Name == key.Name) == 1),
            key.Library,
            floor ?? (inRelation ? Control : null),
            [.. with.Select(set => PointOf(set.Number, set.Set, key, floor is null ? null : set.Set.RatioOf(key)!.Rate, inRelation))],
            [.. ChangesOf(with, (before, after) => Comparer.Compare(key, true, before, after, threshold, Differs(key, shown, before, after)))]);
    }

    private static bool Differs(CaseKey key, CaseKey[] shown, ResultSet before, ResultSet after) =>
        HolmProcedure.Decide([.. shown.Select(found => Comparer.QuotientOf(found, before, after))])[Array.IndexOf(shown, key)];

    // Null if a set has no ratio, or one to another floor.
    private static string? FloorOf(CaseKey key, (int Number, ResultSet Set)[] sets)
    {
        string?[] floors = [.. sets.Select(set => set.Set.RatioOf(key)?.Floor).Distinct()];
        return floors.Length == 1 ? floors[0] : null;
    }

    private static TrendPoint PointOf(int number, ResultSet set, CaseKey key, SetRatio? ratio, bool inRelation)
    {
        IReadOnlyList<ComparableLaunch> launches = set.LaunchesOf(key);
        TrendFigure? rate = ratio is null
            ? FigureOf(launches.Select(launch => (double?)launch.Rate(inRelation)))
            : new TrendFigure(ratio.Ratio, ratio.Lower, ratio.Upper);
        return new TrendPoint(number, launches.Count, rate!)
        {
            P99Microseconds = set.TailOf(key) is { Median: > 0 } tail
                ? new TrendFigure(tail.Median, tail.Lower, tail.Upper)
                : FigureOf(launches.Select(launch => launch.P99Microseconds)),
            ServerCpuMicroseconds = FigureOf(launches.Select(launch => launch.ServerCpuMicroseconds)),
        };
    }

    private static TrendFigure? FigureOf(IEnumerable<double?> figures)
    {
        double[] known = [.. figures.OfType<double>().Where(figure => figure > 0 && double.IsFinite(figure))];
        if (known.Length == 0)
        {
            return null;
        }

        LaunchStatistics statistics = LaunchStatistics.Of(known);
        return new TrendFigure(statistics.Median, statistics.Lower, statistics.Upper);
    }

    private static IEnumerable<TrendChange> ChangesOf((int Number, ResultSet Set)[] sets, Func<ResultSet, ResultSet, ComparedCase> compare)
    {
        for (int now = 1; now < sets.Length; now++)
        {
            ComparedCase step = compare(sets[now - 1].Set, sets[now].Set);
            bool hasNext = now + 1 < sets.Length;
            if (step.Verdict is Verdict.Slower or Verdict.Faster
                && (now == 1 || compare(sets[now - 2].Set, sets[now].Set).Verdict == step.Verdict)
                && (!hasNext || compare(sets[now - 1].Set, sets[now + 1].Set).Verdict == step.Verdict))
            {
                yield return new TrendChange(sets[now].Number, step.Verdict, step.Ratio, step.Lower, step.Upper, hasNext);
            }
        }
    }

    private static IEnumerable<string> Remarks(ResultSet[] sets, CaseKey[] common, CaseKey[] shown)
    {
        string[] machines = [.. sets.SelectMany(set => set.Origins).Select(origin => origin.Machine).Distinct(StringComparer.Ordinal)];
        if (machines.Length > 1)
        {
            yield return $"The results are of different machines, whose differences are changes here: {string.Join("; ", machines)}.";
        }

        if (common.Except(shown).Any())
        {
            yield return "The floor of a benchmark has no trend: it is the unit of the others.";
        }

        int alone = sets.SelectMany(set => set.Cases).Distinct().Count() - common.Length;
        if (alone > 0)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"Cases that only one set has are left out: {alone:N0}.");
        }
    }
}
