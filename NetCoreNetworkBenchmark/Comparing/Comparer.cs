using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>
/// Compares two sets of results case by case, launch against launch. If both have the raw sockets' control, each launch is taken
/// in relation to the control just before it, so that a machine that was faster on one day makes no difference.
/// </summary>
internal static class Comparer
{
    public static ComparisonResult Compare(ResultSet before, ResultSet after, double threshold, string harnessVersion)
    {
        Comparison? control = before.Control.Count > 0 && after.Control.Count > 0 ? Comparison.Of(before.Control, after.Control, threshold) : null;
        return new ComparisonResult
        {
            HarnessVersion = harnessVersion,
            Old = before.Name,
            New = after.Name,
            Threshold = threshold,
            Control = control is null ? null : new ComparedControl(before.Control.Count, after.Control.Count, control.Ratio, control.Lower, control.Upper),
            Cases = [.. before.Cases.Intersect(after.Cases).Select(key =>
                Compare(key, IsOneLoad(key, before, after), before.LaunchesOf(key), after.LaunchesOf(key), threshold))],
            NotCompared =
            [
                .. OnlyIn(before, after, "old"),
                .. OnlyIn(after, before, "new"),
                .. before.Unusable.Select(name => $"{name} has no valid launch in the old results."),
                .. after.Unusable.Select(name => $"{name} has no valid launch in the new results."),
            ],
        };
    }

    // A case that the other set has without a valid launch is reported there.
    private static IEnumerable<string> OnlyIn(ResultSet set, ResultSet other, string name) =>
        from key in set.Cases.Except(other.Cases)
        where !other.Unusable.Contains(key.Name)
        let load = IsOneLoad(key, set, other) ? string.Empty : $" ({key.Load})"
        select $"{key.Name}{load} is in the {name} results only.";

    private static bool IsOneLoad(CaseKey key, ResultSet set, ResultSet other) =>
        set.Cases.Union(other.Cases).Count(found => found.Name == key.Name) == 1;

    private static ComparedCase Compare(
        CaseKey key, bool isOneLoad, IReadOnlyList<ComparableLaunch> before, IReadOnlyList<ComparableLaunch> after, double threshold)
    {
        bool inRelation = before.Concat(after).All(launch => launch.Control > 0);
        Comparison comparison = Comparison.Of(Figures(before, inRelation), Figures(after, inRelation), threshold);
        return new ComparedCase(
            isOneLoad ? key.Benchmark : $"{key.Benchmark} ({key.Load})",
            key.Library,
            before.Count,
            after.Count,
            Median(before),
            Median(after),
            comparison.Ratio,
            comparison.Lower,
            comparison.Upper,
            comparison.Verdict);
    }

    private static double[] Figures(IReadOnlyList<ComparableLaunch> launches, bool inRelation) =>
        [.. launches.Select(launch => launch.MessagesPerSecond / (inRelation ? launch.Control!.Value : 1))];

    private static double Median(IReadOnlyList<ComparableLaunch> launches) => LaunchStatistics.Of(Figures(launches, inRelation: false)).Median;
}
