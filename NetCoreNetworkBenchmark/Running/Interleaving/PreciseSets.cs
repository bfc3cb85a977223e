using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>
/// Sets of interleaved cases: a number of sets of each benchmark, and further ones until its intervals have their target width, while there is time. The sets
/// of all benchmarks come before the second set of the first one, so that an early end leaves a figure of each.
/// </summary>
/// <param name="method"><see cref="SuiteCase.Plan"/> has the time of a case's slices in a set as its duration, unless the load ends by itself.</param>
/// <param name="baseline">In a benchmark without this library, the others are compared to the first case.</param>
internal class PreciseSets(IReadOnlyList<SuiteCase> cases, InterleavingMethod method, string baseline) : SuiteStrategy(cases)
{
    // Measured in Benchmark 2: a process has 60 to 115 MB resident. A client's buffers, those of the kernel too, come in addition.
    private const long BytesOfProcesses = 230L << 20;
    private const long BytesOfClient = 64L << 10;

    // Other programs also need memory.
    private const double MaxShareOfMemory = 0.8;

    private readonly SetTimes _times = new();
    private SuiteCase[][] _groups = [];
    private Queue<SuiteCase[]> _ofSet = [];
    private int _set;
    private int _place;
    private long _start;

    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>In bytes. A benchmark that requires more is measured in several groups.</summary>
    public long Memory { get; init; } = (long)(MaxShareOfMemory * GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    public override InterleavingMethod Interleaving => method;

    /// <summary>The time of all sets. That of sets of an earlier session is not known, so it is the expected one.</summary>
    public TimeSpan Duration =>
        Cases.Select(suiteCase => suiteCase.Benchmark).Distinct().Aggregate(TimeSpan.Zero, (sum, benchmark) => sum + _times.Of(benchmark));

    private TimeSpan TimeLeft => TimeSpan.FromSeconds(method.LimitSeconds ?? 0) - Clock.GetElapsedTime(_start);

    // The planned sets that follow the current one.
    private IEnumerable<SuiteCase[]> Planned =>
        [.. _ofSet.Where(IsPlanned), .. _groups.SelectMany(group => Enumerable.Repeat(group, Math.Max(0, group[0].Launches - _set)))];

    public override SuiteCase BaselineOf(IReadOnlyList<SuiteCase> benchmark) =>
        benchmark.Where(suiteCase => suiteCase.Library.Name == baseline).OrderBy(suiteCase => suiteCase.Plan.Profile).FirstOrDefault() ?? benchmark[0];

    public override Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark) =>
        new(
            HalfWidth: null,
            benchmark[0].TargetHalfWidth ?? 0,
            _times.Of(benchmark[0].Benchmark).TotalSeconds,
            [],
            Parts: _times.PartsOf(benchmark[0].Benchmark));

    public override Step? Next()
    {
        if (_set == 0)
        {
            _start = Clock.GetTimestamp();
            _groups = [.. Cases.GroupBy(suiteCase => suiteCase.Benchmark).SelectMany(benchmark => Divide([.. benchmark]))];
        }

        do
        {
            while (_ofSet.TryDequeue(out SuiteCase[]? group))
            {
                // The time may have ended since the sets of this round were chosen.
                if (IsPlanned(group) || EndsInTime(group))
                {
                    return StepOf(group);
                }
            }

            _set++;
            _ofSet = new Queue<SuiteCase[]>(GroupsOf(_set));
        }
        while (_ofSet.Count > 0);
        return null;
    }

    public override Step Add(Step step, Measurement measurement)
    {
        SuiteCase[] group = [.. step.Cases];
        _times.Add(group, measurement);
        IReadOnlyList<CaseLaunch> added = Keep(measurement.Launches);

        // At the pace that is known now, with which the next step begins.
        return WithTimeLeft(step, TimeSpan.Zero) with
        {
            Launches = added,
            Decision = group[0].TargetHalfWidth is null ? null : DecideBenchmarkOf(group),
        };
    }

    /// <summary>What fails in every case of the first set, such as what cannot run on this machine, does not run in a further one.</summary>
    protected virtual bool CanBeMeasured(IReadOnlyList<SuiteCase> group) =>
        group.Any(suiteCase => LaunchesOf(suiteCase).Any(launch => launch.Result is not null));

    /// <summary>How far the sets so far decide a benchmark.</summary>
    protected virtual Decision? Decide(IReadOnlyList<SuiteCase> benchmark) => Experiment.RankedResultOf(benchmark, this).Decision;

    // The baseline takes part in each group, so that it can be compared. A group has two cases at least.
    private IEnumerable<SuiteCase[]> Divide(SuiteCase[] benchmark)
    {
        long ofCase = BytesOfProcesses + (BytesOfClient * benchmark.Max(suiteCase => suiteCase.Plan.Clients));
        int max = (int)Math.Clamp(Memory / ofCase, 2, int.MaxValue);
        SuiteCase baseline = BaselineOf(benchmark);
        return benchmark.Length <= max
            ? [benchmark]
            : from others in benchmark.Where(suiteCase => suiteCase != baseline).Chunk(max - 1)
              select benchmark.Where(suiteCase => suiteCase == baseline || others.Contains(suiteCase)).ToArray();
    }

    private Step StepOf(SuiteCase[] group)
    {
        _place++;
        var step = new Step($"{group[0].Title}, set {_set}", group, _set)
        {
            Baseline = BaselineOf(group),
            Place = _place,
            Count = Math.Max(_groups.Sum(planned => planned[0].Launches), _place),
            Expected = _times.Expected([group]),
        };
        return WithTimeLeft(step, step.Expected);
    }

    private bool IsPlanned(SuiteCase[] group) => _set <= group[0].Launches;

    // The order of further sets is that of need, because there may not be time for all.
    private IEnumerable<SuiteCase[]> GroupsOf(int set) =>
        from @group in _groups
        where set == 1 || CanBeMeasured(@group)
        let width = set <= @group[0].Launches ? 0 : WidthAboveTarget(@group)
        where width is not null
        orderby width descending
        select @group;

    /// <summary>The half width of a group that requires a further set; otherwise, null.</summary>
    /// <param name="before">The time until the set can begin.</param>
    private double? WidthAboveTarget(SuiteCase[] group, TimeSpan before = default) =>
        group[0].TargetHalfWidth is { } target && EndsInTime(group, before)
            && (DecideBenchmarkOf(group)?.HalfWidth ?? double.PositiveInfinity) is var width && width > target ? width : null;

    private bool EndsInTime(SuiteCase[] group, TimeSpan before = default) =>
        method.LimitSeconds is not null && before + _times.Expected([group]) <= TimeLeft;

    // Further sets may take all of the time, and what is shown does not rise when they begin.
    private Step WithTimeLeft(Step step, TimeSpan current)
    {
        TimeSpan planned = current + _times.Expected(Planned);
        bool mayGoOn = Cases.GroupBy(suiteCase => suiteCase.Benchmark).Any(benchmark => WidthAboveTarget([.. benchmark], planned) is not null);
        return step with { ExpectedAfter = (mayGoOn ? TimeLeft : planned) - current, MayEndBefore = mayGoOn };
    }

    private Decision? DecideBenchmarkOf(SuiteCase[] group) => Decide([.. Cases.Where(suiteCase => suiteCase.Benchmark == group[0].Benchmark)]);
}
