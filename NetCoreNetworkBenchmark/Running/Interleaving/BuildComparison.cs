using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Statistics;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

internal sealed class BuildComparison(string build, InterleavingMethod method)
{
    // A set is repeated so often that a longer warm-up would take more time than the measurement.
    private static readonly TimeSpan s_mostWarmUp = TimeSpan.FromSeconds(2);

    private readonly List<string> _notCompared = [];
    private readonly Random _random = new(method.Seed);

    public Action<string>? Report { get; init; }
    public IReadOnlyList<string> NotCompared => _notCompared;

    /// <param name="suiteCase">The case. Its port is chosen by the system, since both servers are alive together.</param>
    /// <param name="cancellationToken">Ends the comparison after the current round.</param>
    public async Task<BuildContrast?> CompareAsync(SuiteCase suiteCase, CancellationToken cancellationToken)
    {
        RunPlan plan = suiteCase.Plan with { WarmUp = suiteCase.Plan.WarmUp < s_mostWarmUp ? suiteCase.Plan.WarmUp : s_mostWarmUp };
        InterleavedCase[] cases =
        [
            new("The old build", plan, suiteCase.Library, suiteCase.Workload, warmed => Placement.InFreshProcesses(warmed, build)),
            new("The new build", plan, suiteCase.Library, suiteCase.Workload, warmed => Placement.InFreshProcesses(warmed)),
        ];
        var sets = new List<IReadOnlyList<InterleavedOutcome>>();
        long start = Stopwatch.GetTimestamp();
        for (int number = 1; number <= method.Sets && !cancellationToken.IsCancellationRequested; number++)
        {
            IReadOnlyList<InterleavedOutcome> outcomes;
            try
            {
                outcomes = await new InterleavedSet(
                    cases, TimeSpan.FromSeconds(method.SliceSeconds), TimeSpan.FromSeconds(method.SettleSeconds), method.Rounds!.Value, _random)
                    .RunAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (sets.Count > 0)
            {
                // The set had not begun to measure. The sets before it are kept.
                break;
            }

            if (FindFault(outcomes) is { } fault)
            {
                _notCompared.Add($"{suiteCase}, set {number}: {fault}");
                Report?.Invoke($"{suiteCase}, set {number} of {method.Sets}: {fault}");
                continue;
            }

            sets.Add(outcomes);
            SetRatio? soFar = Contrast(sets, slices => slices.MessagesPerSecond);
            double ratio = soFar?.Ratio ?? outcomes[1].MessagesPerSecond / outcomes[0].MessagesPerSecond;
            string width = soFar?.HalfWidth is { } half ? Invariant($" ± {half:P1}") : string.Empty;
            TimeSpan left = Stopwatch.GetElapsedTime(start) / number * (method.Sets - number);
            Report?.Invoke(Invariant($"{suiteCase}, set {number} of {method.Sets}: new / old {ratio:0.000}{width}; about {left.TotalSeconds:0} s left"));
        }

        return sets.Count == 0
            ? null
            : new BuildContrast(
                suiteCase,
                sets.Count,
                MedianOf(sets, 0),
                MedianOf(sets, 1),
                Contrast(sets, slices => slices.MessagesPerSecond),
                Contrast(sets, slices => slices.ServerCpuMicroseconds));
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

    private static SetRatio? Contrast(IEnumerable<IReadOnlyList<InterleavedOutcome>> sets, Func<SliceSeries, IReadOnlyList<double?>> figure) =>
        new RoundContrasts([.. sets.Select(set => set.Select(outcome => figure(outcome.Series())).ToArray())]).RatioOf(1, 0);

    private static double MedianOf(IEnumerable<IReadOnlyList<InterleavedOutcome>> sets, int build) =>
        LaunchStatistics.Of([.. sets.Select(set => set[build].MessagesPerSecond)]).Median;
}

internal sealed record BuildContrast(SuiteCase Case, int Sets, double OldRate, double NewRate, SetRatio? Rate, SetRatio? ServerCpu)
{
    /// <summary>
    /// Judges several cases together. A difference of the rate counts first. Otherwise, one of the messages per CPU second of the server counts: on a machine
    /// that the clients share, the rate shows only a part of it, with more noise.
    /// </summary>
    public static IReadOnlyList<ComparedCase> Judge(IReadOnlyList<BuildContrast> contrasts, double threshold)
    {
        SetRatio?[] ratios = [.. contrasts.SelectMany(contrast => (SetRatio?[])[contrast.Rate, contrast.ServerCpu])];
        double confidence = HolmProcedure.ConfidenceOf(HolmProcedure.Decide(ratios, threshold));
        return [.. contrasts.Select(contrast => contrast.Judge(confidence, threshold))];
    }

    private ComparedCase Judge(double confidence, double threshold)
    {
        Verdict verdict = Rate?.Judge(confidence, threshold) ?? Verdict.Undecided;
        Verdict? perCpuSecond = ServerCpu is null ? null : SetRatio.Inverse(ServerCpu).Judge(confidence, threshold);
        return new ComparedCase(Case.Title, Case.Name, Sets, Sets, OldRate, NewRate, Rate?.Ratio ?? NewRate / OldRate, Rate?.Lower, Rate?.Upper,
            verdict is not (Verdict.Slower or Verdict.Faster) && perCpuSecond is Verdict.Slower or Verdict.Faster ? perCpuSecond.Value : verdict)
        {
            DecidedBy = Rate?.IntervalAt(confidence),
            ServerCostDecidedBy = ServerCpu?.IntervalAt(confidence),
            ServerCost = ServerCpu is null ? null : new RatioFigure(ServerCpu.Ratio, ServerCpu.Lower, ServerCpu.Upper),
        };
    }
}
