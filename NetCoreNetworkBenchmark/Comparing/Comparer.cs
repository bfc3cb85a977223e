using System.Globalization;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>
/// Compares two sets of results case by case. If in both sets the cases took turns with the same floor, their ratios to it are compared. Otherwise, launch
/// is compared against launch; if both have the raw sockets' control, in relation to the control just before it. So a machine that was faster on one day
/// makes no difference.
/// </summary>
internal static class Comparer
{
    public static ComparisonResult Compare(ResultSet before, ResultSet after, double threshold, string harnessVersion)
    {
        CaseKey[] common = [.. before.Cases.Intersect(after.Cases)];
        int ratios = Math.Max(1, common.Count(key => HaveRatios(key, before, after)));
        Comparison? control = before.Control.Count > 0 && after.Control.Count > 0 ? Comparison.Of(before.Control, after.Control, threshold) : null;
        return new ComparisonResult
        {
            HarnessVersion = harnessVersion,
            Old = before.Name,
            New = after.Name,
            Threshold = threshold,
            Control = control is null ? null : new ComparedControl(before.Control.Count, after.Control.Count, control.Ratio, control.Lower, control.Upper),
            Cases =
            [
                .. from key in common
                   where !IsFloor(key, before, after)
                   select Compare(key, IsOneLoad(key, before, after), before, after, threshold, ratios) with
                   {
                       OldLatency = before.LatencyOf(key),
                       NewLatency = after.LatencyOf(key),
                   },
            ],
            NotCompared =
            [
                .. OnlyIn(before, after, "old"),
                .. OnlyIn(after, before, "new"),
                .. common.Where(key => IsFloor(key, before, after)).Select(key => string.Create(
                    CultureInfo.InvariantCulture,
                    $"{key.Name} is the floor of the ratios; by itself it had {Median(before.LaunchesOf(key)):N0} msg/s before " +
                        $"and {Median(after.LaunchesOf(key)):N0} after.")),
                .. before.Unusable.Select(name => $"{name} has no valid launch in the old results."),
                .. after.Unusable.Select(name => $"{name} has no valid launch in the new results."),
            ],
        };
    }

    /// <summary>Compares one case, without its latencies.</summary>
    /// <param name="key">The case, which both sets have.</param>
    /// <param name="isOneLoad">Whether the name of the case stands for one load alone.</param>
    /// <param name="before">The old set.</param>
    /// <param name="after">The new set.</param>
    /// <param name="threshold">Changes up to this share count as the same.</param>
    /// <param name="comparisons">The number of comparisons that are judged together.</param>
    public static ComparedCase Compare(CaseKey key, bool isOneLoad, ResultSet before, ResultSet after, double threshold, int comparisons)
    {
        ComparedCase compared = CompareLaunches(key, isOneLoad, before.LaunchesOf(key), after.LaunchesOf(key), threshold);
        return HaveRatios(key, before, after) ? CompareRatios(compared, before.RatioOf(key)!, after.RatioOf(key)!, threshold, comparisons) : compared;
    }

    private static bool HaveRatios(CaseKey key, ResultSet before, ResultSet after) =>
        before.RatioOf(key) is { } old && after.RatioOf(key) is { } now && old.Floor == now.Floor;

    private static bool IsFloor(CaseKey key, ResultSet before, ResultSet after) => HaveRatios(key, before, after) && before.RatioOf(key)!.IsFloor;

    private static ComparedCase CompareRatios(ComparedCase compared, ComparableRatio before, ComparableRatio after, double threshold, int comparisons)
    {
        var quotient = SetRatio.Quotient(after.Rate, before.Rate);
        return compared with
        {
            Floor = before.Floor,
            Ratio = quotient.Ratio,
            Lower = quotient.Lower,
            Upper = quotient.Upper,
            Verdict = quotient.Judge(threshold, comparisons),
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

    private static ComparedCase CompareLaunches(
        CaseKey key, bool isOneLoad, IReadOnlyList<ComparableLaunch> before, IReadOnlyList<ComparableLaunch> after, double threshold)
    {
        bool inRelation = before.Concat(after).All(launch => launch.HasControl);
        Comparison comparison = Comparison.Of(Figures(before, inRelation), Figures(after, inRelation), threshold);
        return new ComparedCase(
            key.Title(isOneLoad),
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

    private static double[] Figures(IReadOnlyList<ComparableLaunch> launches, bool inRelation) => [.. launches.Select(launch => launch.Rate(inRelation))];

    private static double Median(IReadOnlyList<ComparableLaunch> launches) => LaunchStatistics.Of(Figures(launches, inRelation: false)).Median;
}
