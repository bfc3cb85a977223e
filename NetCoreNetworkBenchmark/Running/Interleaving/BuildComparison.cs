using System.Diagnostics;
using System.Globalization;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>
/// Compares another build of this program with this one, under one load: the processes of both take turns in slices, in several fresh sets of processes.
/// </summary>
/// <param name="build">The path of the other build's assembly. It is the old one.</param>
/// <param name="method">The number of sets, rounds and the length of a slice.</param>
/// <param name="threshold">The least difference that matters, between 0 and 1.</param>
internal sealed class BuildComparison(string build, InterleavingMethod method, double threshold)
{
    // A set is repeated so often that a longer warm-up would take more time than the measurement.
    private static readonly TimeSpan s_mostWarmUp = TimeSpan.FromSeconds(1);

    private readonly List<string> _notCompared = [];
    private readonly Random _random = new(method.Seed);

    /// <summary>Called with a text for the user after each set.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>Sets that have no figures, and the reason, a sentence each.</summary>
    public IReadOnlyList<string> NotCompared => _notCompared;

    /// <summary>Compares the builds in one case.</summary>
    /// <param name="found">The case. Its port is chosen by the system, since both servers are alive together.</param>
    /// <param name="cancellationToken">Ends the comparison after the current round.</param>
    /// <returns>The comparison; null if no set has figures.</returns>
    public async Task<ComparedCase?> CompareAsync(SuiteCase found, CancellationToken cancellationToken)
    {
        RunPlan plan = found.Plan with { WarmUp = found.Plan.WarmUp < s_mostWarmUp ? found.Plan.WarmUp : s_mostWarmUp };
        InterleavedCase[] cases =
        [
            new("The old build", plan, found.Library, found.Workload, warmed => Placement.InFreshProcesses(warmed, found.Library, build)),
            new("The new build", plan, found.Library, found.Workload, warmed => Placement.InFreshProcesses(warmed, found.Library)),
        ];
        var sets = new List<IReadOnlyList<InterleavedOutcome>>();
        long start = Stopwatch.GetTimestamp();
        for (int number = 1; number <= method.Sets && !cancellationToken.IsCancellationRequested; number++)
        {
            IReadOnlyList<InterleavedOutcome> outcomes;
            try
            {
                outcomes = await new InterleavedSet(cases, TimeSpan.FromSeconds(method.SliceSeconds), method.Rounds!.Value, _random)
                    .RunAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (sets.Count > 0)
            {
                // The set had not begun to measure. The sets before it are kept.
                break;
            }

            if (FindFault(outcomes) is { } fault)
            {
                _notCompared.Add($"{found}, set {number}: {fault}");
                Told?.Invoke($"{found}, set {number} of {method.Sets}: {fault}");
                continue;
            }

            sets.Add(outcomes);
            TimeSpan left = Stopwatch.GetElapsedTime(start) / number * (method.Sets - number);
            Told?.Invoke(string.Create(
                CultureInfo.InvariantCulture,
                $"{found}, set {number} of {method.Sets}: new / old {RatioOf(outcomes):0.000}; about {left.TotalSeconds:0} s left"));
        }

        return sets.Count == 0 ? null : Compare(found, sets);
    }

    // A set with a failure, or whose result is not valid, for example because messages were lost, is not used.
    private static string? FindFault(IReadOnlyList<InterleavedOutcome> outcomes) =>
        outcomes.Select(outcome => outcome switch
        {
            { Failure: { } failure } => $"{outcome.Case.Name} failed: {failure}",
            { Result: { Valid: false } result } => $"{outcome.Case.Name} is invalid: {string.Join(' ', result.InvalidReasons)}",
            { Slices.Count: 0 } => "It was aborted before anything was measured.",
            _ => null,
        }).FirstOrDefault(fault => fault is not null);

    private static double RatioOf(IReadOnlyList<InterleavedOutcome> outcomes) => outcomes[1].MessagesPerSecond / outcomes[0].MessagesPerSecond;

    private static double? CostRatioOf(IReadOnlyList<InterleavedOutcome> outcomes) =>
        CostOf(outcomes[1]) / CostOf(outcomes[0]) is { } ratio && double.IsFinite(ratio) && ratio > 0 ? ratio : null;

    private static double? CostOf(InterleavedOutcome outcome) => outcome.Result!.Costs.Server?.CpuMicrosecondsPerMessage;

    private ComparedCase Compare(SuiteCase found, List<IReadOnlyList<InterleavedOutcome>> sets)
    {
        var estimate = RatioEstimate.Of([.. sets.Select(RatioOf)], threshold);
        double[] ratiosPerCpuSecond = [.. sets.Select(CostRatioOf).OfType<double>().Select(cost => 1 / cost)];
        RatioEstimate? perCpuSecond = ratiosPerCpuSecond.Length == 0 ? null : RatioEstimate.Of(ratiosPerCpuSecond, threshold);
        return new ComparedCase(
            found.Title,
            found.Name,
            sets.Count,
            sets.Count,
            LaunchStatistics.Of([.. sets.Select(set => set[0].MessagesPerSecond)]).Median,
            LaunchStatistics.Of([.. sets.Select(set => set[1].MessagesPerSecond)]).Median,
            estimate.Ratio,
            estimate.Lower,
            estimate.Upper,
            RatioEstimate.Together(estimate.Verdict, perCpuSecond?.Verdict))
        {
            ServerCost = perCpuSecond is null ? null : new RatioFigure(1 / perCpuSecond.Ratio, 1 / perCpuSecond.Upper, 1 / perCpuSecond.Lower),
        };
    }
}
