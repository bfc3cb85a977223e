using NetCoreNetworkBenchmark.Statistics;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>
/// Compares two sets of results case by case. If in both sets the cases were interleaved with the same baseline, their ratios to it are compared. Otherwise,
/// launch is compared against launch; if both have the raw sockets' control, in relation to the control just before it. So a machine that was faster on one day
/// makes no difference.
/// </summary>
internal static class Comparer
{
    public static ComparisonResult Compare(ResultSet before, ResultSet after, double threshold, string harnessVersion)
    {
        CaseKey[] common = [.. before.Cases.Intersect(after.Cases)];
        CaseKey[] compared = [.. common.Where(key => !IsReference(key, before, after))];
        IReadOnlyList<bool> differs = HolmProcedure.Decide([.. compared.Select(key => QuotientOf(key, before, after))]);
        double confidence = HolmProcedure.ConfidenceOf(differs);
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
                .. from found in compared.Zip(differs)
                   let key = found.First
                   select Compare(key, IsOneLoad(key, before, after), before, after, threshold, found.Second) with
                   {
                       DecidedBy = QuotientOf(key, before, after)?.IntervalAt(confidence),
                       OldLatency = before.LatencyOf(key),
                       NewLatency = after.LatencyOf(key),
                   },
            ],
            NotCompared =
            [
                .. OnlyIn(before, after, "old"),
                .. OnlyIn(after, before, "new"),
                .. common.Where(key => IsReference(key, before, after)).Select(key =>
                    Invariant($"{key.Name} is the baseline of the ratios; by itself it had {Median(before.LaunchesOf(key)):N0} msg/s before ") +
                    Invariant($"and {Median(after.LaunchesOf(key)):N0} after.")),
                .. before.Unusable.Select(name => $"{name} has no valid launch in the old results."),
                .. after.Unusable.Select(name => $"{name} has no valid launch in the new results."),
            ],
        };
    }

    /// <param name="key">The case, which both sets have.</param>
    /// <param name="isOneLoad">Whether the name of the case stands for one load alone.</param>
    /// <param name="threshold">Changes up to this share count as the same.</param>
    /// <param name="differs">Whether the ratios to the baseline differ among all cases that are compared together.</param>
    public static ComparedCase Compare(CaseKey key, bool isOneLoad, ResultSet before, ResultSet after, double threshold, bool differs)
    {
        ComparedCase compared = CompareLaunches(key, isOneLoad, before.LaunchesOf(key), after.LaunchesOf(key), threshold);
        return QuotientOf(key, before, after) is { } quotient
            ? compared with
            {
                Baseline = before.RatioOf(key)!.Baseline,
                Ratio = quotient.Ratio,
                Lower = quotient.Lower,
                Upper = quotient.Upper,
                Verdict = quotient.Judge(differs, threshold),
            }
            : compared;
    }

    /// <summary>Returns the new ratio of a case to the baseline, divided by the old one; null if it has none in one of the sets.</summary>
    public static SetRatio? QuotientOf(CaseKey key, ResultSet before, ResultSet after) =>
        HaveRatios(key, before, after) ? SetRatio.Quotient(after.RatioOf(key)!.Rate, before.RatioOf(key)!.Rate) : null;

    private static bool HaveRatios(CaseKey key, ResultSet before, ResultSet after) =>
        before.RatioOf(key) is { } old && after.RatioOf(key) is { } now && old.Baseline == now.Baseline;

    private static bool IsReference(CaseKey key, ResultSet before, ResultSet after) => HaveRatios(key, before, after) && before.RatioOf(key)!.IsReference;

    // A case that the other set has without a valid launch is reported there.
    private static IEnumerable<string> OnlyIn(ResultSet set, ResultSet other, string name) =>
        from key in set.Cases.Except(other.Cases)
        where !other.Unusable.Contains(key.Name)
        let load = IsOneLoad(key, set, other) ? string.Empty : $" ({key.Load})"
        group key.Library by (key.Benchmark, Load: load) into alone
        let are = alone.Count() == 1 ? "is" : "are"
        select $"{alone.Key.Benchmark}, {string.Join(", ", alone)}{alone.Key.Load} {are} in the {name} results only.";

    private static bool IsOneLoad(CaseKey key, ResultSet set, ResultSet other) =>
        set.Cases.Union(other.Cases).Count(candidate => candidate.Name == key.Name) == 1;

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
