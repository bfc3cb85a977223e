using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>The sets of all benchmarks come before the second set of the first one, so that an early end leaves a figure of each.</summary>
/// <param name="method"><see cref="SuiteCase.Plan"/> has the time of a case's slices in a set as its duration, unless the load ends by itself.</param>
/// <param name="baseline">In a benchmark without this library, the others are compared to the first case.</param>
internal sealed class SliceSchedule(IReadOnlyList<SuiteCase> cases, InterleavingMethod method, string baseline) : ISuiteSchedule
{
    private readonly Dictionary<SuiteCase, List<LaunchResult>> _results = cases.ToDictionary(suiteCase => suiteCase, _ => new List<LaunchResult>());
    private readonly Random _random = new(method.Seed);
    private readonly SetTimes _times = new();
    private long _start;

    public Func<IReadOnlyList<InterleavedCase>, TimeSpan, CancellationToken, Task<IReadOnlyList<InterleavedOutcome>>>? Measure { get; init; }
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>After the first set of a case; null to count none.</summary>
    public PacketCount? Packets { get; init; }

    /// <summary>In bytes. A benchmark that requires more is measured in several groups.</summary>
    public long Memory { get; init; } = SetMemory.Available();
    public Action<SuiteStep>? Starting { get; init; }
    public Action<RunProgress>? Progress { get; init; }
    public Action<SuiteStep, IReadOnlyList<CaseLaunch>>? Finished { get; init; }
    public Func<SuiteCase, int, LaunchResult?> Earlier { get; init; } = (_, _) => null;
    public InterleavingMethod Interleaving => method;

    private TimeSpan TimeLeft => TimeSpan.FromSeconds(method.LimitSeconds ?? 0) - Clock.GetElapsedTime(_start);

    public IReadOnlyList<LaunchResult> ResultsOf(SuiteCase suiteCase) => _results[suiteCase];

    public SuiteCase BaselineOf(IReadOnlyList<SuiteCase> benchmark) =>
        benchmark.Where(suiteCase => suiteCase.Library.Name == baseline).OrderBy(suiteCase => suiteCase.Plan.Profile).FirstOrDefault() ?? benchmark[0];

    public Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark) =>
        new(
            HalfWidth: null,
            benchmark[0].TargetHalfWidth ?? 0,
            _times.Of(benchmark[0].Benchmark).TotalSeconds,
            [],
            Parts: _times.PartsOf(benchmark[0].Benchmark));

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        _start = Clock.GetTimestamp();
        SuiteCase[][] groups =
        [
            .. from benchmark in cases.GroupBy(suiteCase => suiteCase.Benchmark)
               from @group in SetMemory.Divide([.. benchmark], BaselineOf([.. benchmark]), Memory)
               select @group,
        ];
        int planned = groups.Sum(group => group[0].Launches);
        int number = 0;
        for (int set = 1; GroupsOf(set) is { Length: > 0 } next; set++)
        {
            SuiteCase[][] laterSets = [.. groups.SelectMany(group => Enumerable.Repeat(group, Math.Max(0, group[0].Launches - set)))];
            var pool = new AgentPool();
            await using ConfiguredAsyncDisposable end = pool.ConfigureAwait(false);
            foreach ((int index, SuiteCase[] group) in next.Index())
            {
                if (cancellationToken.IsCancellationRequested)
                {
                    return;
                }

                // The time may have ended since the sets of this round were chosen.
                if (set <= group[0].Launches || EndsInTime(group))
                {
                    var step = new SuiteStep($"{group[0].Title}, set {set}", ++number, Math.Max(planned, number), _times.Expected([group]), TimeSpan.Zero);
                    SuiteCase[][] rest = set > group[0].Launches ? [] : [.. next[(index + 1)..], .. laterSets];
                    await pool.KeepAsync([.. group.Select(suiteCase => suiteCase.Plan)]).ConfigureAwait(false);
                    await RunSetAsync(group, set, WithTimeLeft(step, step.Expected, rest), rest, pool, cancellationToken).ConfigureAwait(false);
                }
            }
        }

        // The order of further sets is that of need, because there may not be time for all.
        SuiteCase[][] GroupsOf(int set) =>
        [
            .. from @group in groups
               where set == 1 || HasResult(@group)
               let width = set <= @group[0].Launches ? 0 : WidthAboveTarget(@group)
               where width is not null
               orderby width descending
               select @group,
        ];
    }

    /// <summary>The half width of a group that requires a further set; otherwise, null.</summary>
    /// <param name="before">The time until the set can begin.</param>
    private double? WidthAboveTarget(SuiteCase[] group, TimeSpan before = default) =>
        group[0].TargetHalfWidth is { } target && EndsInTime(group, before)
            && (Judge(group)?.HalfWidth ?? double.PositiveInfinity) is var width && width > target ? width : null;

    private bool EndsInTime(SuiteCase[] group, TimeSpan before = default) =>
        method.LimitSeconds is not null && before + _times.Expected([group]) <= TimeLeft;

    // Further sets may take all of the time, and what is shown does not rise when they begin.
    private SuiteStep WithTimeLeft(SuiteStep step, TimeSpan current, SuiteCase[][] rest)
    {
        TimeSpan planned = current + _times.Expected(rest);
        bool mayGoOn = cases.GroupBy(suiteCase => suiteCase.Benchmark).Any(benchmark => WidthAboveTarget([.. benchmark], planned) is not null);
        return step with { ExpectedAfter = (mayGoOn ? TimeLeft : planned) - current, MayEndBefore = mayGoOn };
    }

    // What fails in every case of the first set, such as what cannot run on this machine, does not run in a further one.
    private bool HasResult(SuiteCase[] group) => group.Any(suiteCase => _results[suiteCase].Any(launch => launch.Result is not null));

    private Decision? Judge(SuiteCase[] group) =>
        Suite.RankedResultOf([.. cases.Where(suiteCase => suiteCase.Benchmark == group[0].Benchmark)], this).Decision;

    private async Task RunSetAsync(
        SuiteCase[] group, int set, SuiteStep step, SuiteCase[][] rest, AgentPool pool, CancellationToken cancellationToken)
    {
        if (group.All(suiteCase => Earlier(suiteCase, set) is not null))
        {
            _times.AddRestored(group);
            Add(group.Select(suiteCase => new CaseLaunch(suiteCase, Earlier(suiteCase, set)!)));
            return;
        }

        Starting?.Invoke(step);
        long start = Clock.GetTimestamp();
        IReadOnlyList<CaseLaunch> launches = await MeasureAsync(group, set, pool, cancellationToken).ConfigureAwait(false);
        _times.Add(group, Clock.GetElapsedTime(start));
        CaseLaunch[] added = Add(set == 1 ? await CountAsync(launches, pool, cancellationToken).ConfigureAwait(false) : launches);

        // At the pace that is known now, with which the next step begins.
        Finished?.Invoke(WithTimeLeft(step, TimeSpan.Zero, rest) with { Decision = group[0].TargetHalfWidth is null ? null : Judge(group) }, added);
    }

    // Nothing of the group is timed any more in this set, and its processes are idle.
    private async Task<IReadOnlyList<CaseLaunch>> CountAsync(IReadOnlyList<CaseLaunch> launches, AgentPool pool, CancellationToken cancellationToken)
    {
        var counted = new List<CaseLaunch>();
        foreach (CaseLaunch measured in launches)
        {
            bool counts = Packets is not null && measured.Launch.Result is not null && _results[measured.Case].Count == 0;
            counted.Add(!counts || cancellationToken.IsCancellationRequested
                ? measured
                : measured with { Launch = await Packets!.AddToAsync(measured.Launch, measured.Case, pool, cancellationToken).ConfigureAwait(false) });
        }

        return counted;
    }

    private async Task<CaseLaunch[]> MeasureAsync(SuiteCase[] group, int set, AgentPool pool, CancellationToken cancellationToken)
    {
        IReadOnlyList<InterleavedOutcome> outcomes;
        try
        {
            // All servers of a set show the same certificate: keys are slow to make, and no library has a better one than another.
            RunCredentials? credentials = RunCredentials.For(group[0].Plan);
            InterleavedCase[] interleaved = [.. group.Select(suiteCase => CaseOf(suiteCase, pool, credentials))];
            TimeSpan time = SetTimes.OfSlices(group);
            outcomes = await (Measure?.Invoke(interleaved, time, cancellationToken) ?? InterleaveAsync(group, interleaved, time, cancellationToken))
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The set had not begun to measure.
            return [];
        }
        catch (Exception exception)
        {
            // What no case of this benchmark can do here, such as make certificates, is no reason to end the others.
            return [.. group.Select(suiteCase => new CaseLaunch(suiteCase, new LaunchResult(set, null, exception.Message)))];
        }

        BaselineFigures? baselineFigures = outcomes[Array.IndexOf(group, BaselineOf(group))].Result is { Valid: true, MessagesPerSecond: > 0 } result
            ? new BaselineFigures(result.MessagesPerSecond, result.Costs.Server?.CpuMicrosecondsPerMessage)
            : null;
        return
        [
            .. group.Zip(outcomes)
                .Where(pair => pair.Second is not { Result: null, Failure: null })
                .Select(pair => new CaseLaunch(pair.First, pair.Second.ToLaunch(set) with { Baseline = baselineFigures })),
        ];
    }

    private async Task<IReadOnlyList<InterleavedOutcome>> InterleaveAsync(
        SuiteCase[] group, IReadOnlyList<InterleavedCase> interleaved, TimeSpan time, CancellationToken cancellationToken)
    {
        var set = new InterleavedSet(
            interleaved, TimeSpan.FromSeconds(method.SliceSeconds), TimeSpan.FromSeconds(method.SettleSeconds), method.Rounds ?? int.MaxValue, _random)
        {
            Time = time,
            Starting = round => Progress?.Invoke(new RunProgress(round == 0 ? RunPhase.WarmUp : RunPhase.Measure, TimeSpan.Zero, time, 0)),
        };
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(cancellationToken).ConfigureAwait(false);
        _times.Add(group[0].Benchmark, set.Parts ?? SetParts.None);
        return outcomes;
    }

    private static InterleavedCase CaseOf(SuiteCase suiteCase, AgentPool pool, RunCredentials? credentials) => new(
        suiteCase.Name,
        suiteCase.Plan,
        suiteCase.Library,
        suiteCase.Workload,
        plan => Placement.InFreshProcesses(suiteCase.WithAdapter(plan), credentials: plan.Protocol.HasTls() ? credentials : null, pool: pool));

    // The baseline takes part in every group. Its figures are those of the first.
    private CaseLaunch[] Add(IEnumerable<CaseLaunch> launches)
    {
        CaseLaunch[] added = [.. launches.Where(caseLaunch => _results[caseLaunch.Case].All(launch => launch.Number != caseLaunch.Launch.Number))];
        foreach (CaseLaunch caseLaunch in added)
        {
            _results[caseLaunch.Case].Add(caseLaunch.Launch);
        }

        return added;
    }
}

internal static class SetMemory
{
    // Measured in Benchmark 2: a process has 60 to 115 MB resident. A client's buffers, those of the kernel too, come in addition.
    private const long BytesOfProcesses = 230L << 20;
    private const long BytesOfClient = 64L << 10;

    // Other programs also need memory.
    private const double MaxShare = 0.8;

    public static long Available() => (long)(MaxShare * GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    /// <summary>The baseline takes part in each group, so that it can be compared.</summary>
    /// <param name="memory">In bytes. A group has two cases at least.</param>
    public static IReadOnlyList<SuiteCase[]> Divide(IReadOnlyList<SuiteCase> cases, SuiteCase baseline, long memory)
    {
        long ofCase = BytesOfProcesses + (BytesOfClient * cases.Max(suiteCase => suiteCase.Plan.Clients));
        int max = (int)Math.Clamp(memory / ofCase, 2, int.MaxValue);
        return cases.Count <= max
            ? [[.. cases]]
            :
            [
                .. from others in cases.Where(suiteCase => suiteCase != baseline).Chunk(max - 1)
                   select cases.Where(suiteCase => suiteCase == baseline || others.Contains(suiteCase)).ToArray(),
            ];
    }
}
