using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Statistics;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>The outcome never ends a comparison: one that stops as soon as a difference shows finds differences that are none.</summary>
internal sealed class BuildComparison(ComparedVersion old, ComparedVersion now, InterleavingMethod method)
{
    // A set is repeated so often that a longer warm-up would take more time than the measurement.
    private static readonly TimeSpan s_maxWarmUp = TimeSpan.FromSeconds(2);

    private readonly List<string> _notCompared = [];
    private readonly Random _random = new(method.Seed);

    public Action<string>? Report { get; init; }
    public TimeProvider Clock { get; init; } = TimeProvider.System;
    public Func<IReadOnlyList<InterleavedCase>, CancellationToken, Task<IReadOnlyList<InterleavedOutcome>>>? Measure { get; init; }
    public IReadOnlyList<string> NotCompared => _notCompared;

    /// <param name="suiteCases">Their ports are chosen by the system, since both servers are alive together.</param>
    /// <param name="cancellationToken">Ends the comparison after the current round. The sets so far are kept.</param>
    /// <returns>The cases of which a set was measured.</returns>
    public async Task<IReadOnlyList<BuildContrast>> CompareAsync(IReadOnlyList<SuiteCase> suiteCases, CancellationToken cancellationToken)
    {
        CaseSets[] cases = [.. suiteCases.Select(suiteCase => new CaseSets(suiteCase))];
        long start = Clock.GetTimestamp();
        try
        {
            while (cases.Where(item => NeedsSet(item, start)).ToArray() is { Length: > 0 } next && !cancellationToken.IsCancellationRequested)
            {
                // The time may have ended since the sets of this round were chosen.
                foreach (CaseSets item in next.Where(item => !cancellationToken.IsCancellationRequested && NeedsSet(item, start)))
                {
                    string? fault = item.Add(await MeasureAsync(item.Case, cancellationToken).ConfigureAwait(false));
                    if (fault is not null)
                    {
                        _notCompared.Add($"{item.Case}, set {item.Attempts}: {fault}");
                    }

                    string number = method.LimitSeconds is null ? $"{item.Attempts} of {method.Sets}" : $"{item.Attempts}";
                    Report?.Invoke($"{item.Case}, set {number}: {fault ?? item.Describe(method.TargetHalfWidth) + DescribeTimeLeft(cases, start)}");
                }
            }
        }
        catch (OperationCanceledException) when (cases.Any(item => item.Count > 0))
        {
            // The set had not begun to measure. The sets before it are kept.
        }

        return [.. cases.Where(item => item.Count > 0).Select(item => item.ToContrast())];
    }

    // A case of which no set was valid is not measured again and again.
    private bool NeedsSet(CaseSets item, long start) => item.Attempts < method.Sets
        || (method is { LimitSeconds: { } limit, TargetHalfWidth: { } target } && item.Count > 0
            && !(item.WidestHalfWidth <= target) && Clock.GetElapsedTime(start).TotalSeconds < limit);

    private Task<IReadOnlyList<InterleavedOutcome>> MeasureAsync(SuiteCase suiteCase, CancellationToken cancellationToken)
    {
        RunPlan plan = suiteCase.Plan with { WarmUp = suiteCase.Plan.WarmUp < s_maxWarmUp ? suiteCase.Plan.WarmUp : s_maxWarmUp };
        InterleavedCase[] builds =
        [
            new("The old version", plan, suiteCase.Library, suiteCase.Workload, old.Start),
            new("The new version", plan, suiteCase.Library, suiteCase.Workload, now.Start),
        ];
        return (Measure ?? InterleaveAsync)(builds, cancellationToken);
    }

    private Task<IReadOnlyList<InterleavedOutcome>> InterleaveAsync(IReadOnlyList<InterleavedCase> builds, CancellationToken cancellationToken) =>
        new InterleavedSet(
            builds, TimeSpan.FromSeconds(method.SliceSeconds), TimeSpan.FromSeconds(method.SettleSeconds), method.Rounds!.Value, _random)
            .RunAsync(cancellationToken);

    private string DescribeTimeLeft(CaseSets[] cases, long start)
    {
        double elapsed = Clock.GetElapsedTime(start).TotalSeconds;
        double planned = elapsed / cases.Sum(item => item.Attempts) * cases.Sum(item => Math.Max(0, method.Sets - item.Attempts));
        double left = cases.Any(item => NeedsSet(item, start)) ? Math.Max(planned, (method.LimitSeconds ?? 0) - elapsed) : 0;
        return Invariant($"; {(method.LimitSeconds is null ? "about" : "at most")} {left:0} s left");
    }

    private sealed class CaseSets(SuiteCase suiteCase)
    {
        private readonly List<IReadOnlyList<InterleavedOutcome>> _sets = [];
        private SetRatio? _rate;
        private SetRatio? _serverCpu;

        public SuiteCase Case => suiteCase;

        public int Attempts { get; private set; }
        public int Count => _sets.Count;

        /// <summary>The wider one of the ratios that are judged; null if not known yet. A server of another program reports no CPU time.</summary>
        public double? WidestHalfWidth => _serverCpu is null || _rate?.HalfWidth is not { } rate ? _rate?.HalfWidth
            : _serverCpu.HalfWidth is { } cpu ? Math.Max(rate, cpu) : null;

        /// <returns>The fault; null if there is none.</returns>
        public string? Add(IReadOnlyList<InterleavedOutcome> set)
        {
            Attempts++;
            if (FindFault(set) is { } fault)
            {
                return fault;
            }

            _sets.Add(set);
            _rate = Contrast(outcome => outcome.Series().MessagesPerSecond);
            _serverCpu = Contrast(outcome => outcome.Series().ServerCpuMicroseconds);
            return null;
        }

        public string Describe(double? target)
        {
            double ratio = _rate?.Ratio ?? _sets[^1][1].MessagesPerSecond / _sets[^1][0].MessagesPerSecond;
            string serverCpu = _serverCpu is { } cpu ? Invariant($", server CPU {cpu.Ratio:0.000}{Width(cpu)}") : string.Empty;
            return Invariant($"new / old {ratio:0.000}{Width(_rate)}{serverCpu}") + (target is null ? string.Empty : Invariant($"; target ± {target:P1}"));
        }

        public BuildContrast ToContrast()
        {
            static double? AllocatedBytes(InterleavedOutcome outcome) => outcome.Result?.Costs.Server?.AllocatedBytesPerMessage;
            FigureContrast[] figures =
            [
                ContrastOf(
                    JudgedFigure.ServerCpu, outcome => outcome.Result?.Costs.Server?.CpuMicrosecondsPerMessage,
                    _serverCpu is null ? null : SetRatio.Inverse(_serverCpu)),
                ContrastOf(JudgedFigure.MessagesPerSecond, outcome => outcome.MessagesPerSecond, _rate),
                ContrastOf(
                    JudgedFigure.P99, outcome => outcome.Result?.LatencyMicroseconds?.P99,
                    Contrast(outcome => outcome.Series().P99Microseconds) is { } p99 ? SetRatio.Inverse(p99) : null),
                ContrastOf(JudgedFigure.AllocatedBytes, AllocatedBytes, Contrast(outcome =>
                    [AllocatedBytes(outcome) is { } bytes ? FigureContrast.Goodness(JudgedFigure.AllocatedBytes, bytes) : null])),
            ];
            return new BuildContrast(suiteCase, Count, _rate, _serverCpu, FigureContrast.Choose(figures, suiteCase.Plan.Rate is not null))
            {
                OldRate = figures[1].Old!.Value,
                NewRate = figures[1].New!.Value,
            };
        }

        private static string Width(SetRatio? ratio) => ratio?.HalfWidth is { } half ? Invariant($" ± {half:P1}") : string.Empty;

        // A set with a failure, or whose result is not valid, for example because messages were lost, is not used.
        private static string? FindFault(IReadOnlyList<InterleavedOutcome> outcomes) =>
            outcomes.Select(outcome => outcome switch
            {
                { Failure: { } failure } => $"{outcome.Case.Name} failed: {failure}",
                { Result: { Valid: false } result } => $"{outcome.Case.Name} is invalid: {string.Join(' ', result.InvalidReasons)}",
                { Slices.Count: 0 } => "It was aborted before anything was measured.",
                _ => null,
            }).FirstOrDefault(fault => fault is not null);

        private SetRatio? Contrast(Func<InterleavedOutcome, IReadOnlyList<double?>> figure) =>
            new RoundContrasts([.. _sets.Select(set => set.Select(figure).ToArray())]).RatioOf(1, 0);

        private FigureContrast ContrastOf(JudgedFigure figure, Func<InterleavedOutcome, double?> value, JudgedRatio? better)
        {
            double? MedianOf(int build) => _sets.Select(set => value(set[build])).OfType<double>().Order().ToArray() is { Length: > 0 } values
                ? Figures.MedianOf(values)
                : null;
            return new FigureContrast(figure, MedianOf(0), MedianOf(1), better);
        }
    }
}

internal sealed record BuildContrast(SuiteCase Case, int Sets, SetRatio? Rate, SetRatio? ServerCpu, IReadOnlyList<FigureContrast> Figures)
{
    public required double OldRate { get; init; }
    public required double NewRate { get; init; }

    public static IReadOnlyList<ComparedCase> Judge(IReadOnlyList<BuildContrast> contrasts, double threshold)
    {
        double confidence = FigureContrast.ConfidenceOf(contrasts.SelectMany(contrast => contrast.Figures), threshold);
        return [.. contrasts.Select(contrast => contrast.Judge(confidence, threshold))];
    }

    private ComparedCase Judge(double confidence, double threshold)
    {
        ComparedFigure[] figures = [.. Figures.Select(contrast => contrast.Judge(confidence, threshold, Sets, Sets))];
        return new ComparedCase(
            Case.Title, Case.Name, Sets, Sets, OldRate, NewRate, Rate?.Ratio ?? NewRate / OldRate, Rate?.Lower, Rate?.Upper, FigureContrast.VerdictOf(figures))
        {
            DecidedBy = figures.FirstOrDefault(figure => figure.Figure == JudgedFigure.MessagesPerSecond)?.DecidedBy,
            Figures = figures,
        };
    }
}
