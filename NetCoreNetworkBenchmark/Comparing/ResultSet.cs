using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>
/// The valid launches of one or more results. A launch counts once (<see cref="RunResult.Id"/>), however many results have it: a copy, a brief form, or the
/// result of a benchmark that was continued, which then stands for the one before it.
/// </summary>
internal sealed class ResultSet
{
    private readonly Dictionary<CaseKey, List<ComparableLaunch>> _launches = [];
    private readonly List<(CaseKey Case, ComparableRatio Ratio)> _ratios = [];
    private readonly List<(CaseKey Case, RunResult Run)> _details = [];
    private readonly HashSet<string> _unusable = [];
    private readonly HashSet<Guid> _measured = [];
    private readonly IReadOnlyList<PlanOption> _options;

    public ResultSet(string name, IEnumerable<Result> results, IReadOnlyList<PlanOption>? options = null)
    {
        Name = name;
        _options = options ?? PlanOptions.All;
        results = [.. results];
        (string Command, EnvironmentInfo Environment)[] origins = [.. results.SelectMany(OriginOf)];
        Command = origins.Select(origin => origin.Command).Distinct().ToArray() is [var only] ? only : null;
        Environments = [.. origins.Select(origin => origin.Environment)];
        foreach (Result result in results.OrderByDescending(LastStartOf))
        {
            switch (result)
            {
                case RunResult run:
                    if (Add(run.Plan.Test, run.Name, run, new LaunchResult(1, run, null)))
                    {
                        AddDetails(run.Plan.Test, run);
                    }

                    break;
                case SuiteResult suite:
                    Add(suite);
                    break;
                default:
                    // Servers alone, searches and comparisons hold no launches.
                    break;
            }
        }
    }

    public string Name { get; }

    /// <summary>The command that measured the results; null if several did.</summary>
    public string? Command { get; }

    public IReadOnlyList<EnvironmentInfo> Environments { get; }

    public IReadOnlyCollection<CaseKey> Cases => _launches.Keys;

    /// <summary>Round trips per second of the raw sockets, one for each valid launch that has it.</summary>
    public IReadOnlyList<double> Control => [.. _launches.Values.SelectMany(launches => launches).Select(launch => launch.Control).OfType<double>()];
    public IEnumerable<string> Unusable => _unusable.Except(_launches.Keys.Select(key => key.Name));
    public bool HasRuns => _launches.Count + _unusable.Count > 0;

    public IReadOnlyList<ComparableLaunch> LaunchesOf(CaseKey key) => _launches.TryGetValue(key, out List<ComparableLaunch>? launches) ? launches : [];

    public IReadOnlyList<ComparableRatio> RatiosOf(CaseKey key) => [.. from known in _ratios where known.Case == key select known.Ratio];

    /// <summary>Merges those of runs and of each result's median launch, which a brief result has too. Null if none were measured.</summary>
    /// <exception cref="FormatException">A histogram cannot be read.</exception>
    /// <exception cref="OverflowException">The sum of all latencies is beyond 64 bits.</exception>
    public LatencyReport? LatencyOf(CaseKey key)
    {
        RunResult[] runs = [.. from known in _details where known.Case == key orderby known.Run.MessagesPerSecond select known.Run];
        return runs.Length == 0 ? null
            : runs.All(run => run.Clients.Latency.Histogram is not null) ? LatencyReport.Merge([.. runs.Select(run => run.Clients.Latency)])
            : runs[(runs.Length - 1) / 2].Clients.Latency;
    }

    // The result of a benchmark that was continued comes before the one that it continues, whose launches are then known, and a run by itself comes last.
    private static DateTimeOffset? LastStartOf(Result result) =>
        (result as SuiteResult)?.Benchmarks.SelectMany(benchmark => benchmark.Cases).SelectMany(measured => measured.Launches).Max(launch => launch.StartedAt);

    // A comparison measured nothing itself.
    private static (string Command, EnvironmentInfo Environment)[] OriginOf(Result result) => result switch
    {
        LibraryResult single => [(single.Command, single.Environment)],
        SuiteResult suite => [(suite.Command, suite.Environment)],
        _ => [],
    };

    private void AddDetails(string benchmark, RunResult? run)
    {
        if (run is { Valid: true, LatencyMicroseconds: not null })
        {
            _details.Add((CaseKey.From(benchmark, run, _options), run));
        }
    }

    private void Add(SuiteResult suite)
    {
        foreach (BenchmarkResult benchmark in suite.Benchmarks)
        {
            CaseContrasts? contrasts = benchmark.Baseline is null ? null : CaseContrasts.From(benchmark);
            foreach (CaseResult measured in benchmark.Cases)
            {
                // If only the figures of a launch are kept, the median launch describes the load.
                RunResult? median = measured.MedianLaunch();
                bool hasNew = false;
                foreach (LaunchResult launch in measured.Launches)
                {
                    hasNew |= Add(benchmark.Title, measured.Library, launch.Result ?? median, launch);
                }

                if (hasNew)
                {
                    AddRatio(benchmark, measured, median, contrasts);
                    AddDetails(benchmark.Title, median);
                }
            }
        }
    }

    private void AddRatio(BenchmarkResult benchmark, CaseResult measured, RunResult? median, CaseContrasts? contrasts)
    {
        // A library that is the baseline may be what has changed.
        bool isRaw = benchmark.HasRawBaseline || benchmark.Cases.Any(candidate => candidate.IsBaseline && candidate.Library == benchmark.Baseline);
        if (isRaw && benchmark.Baseline is { } baseline && measured is { Valid: true, ToBaseline: { } ratio } && median is not null)
        {
            SetRatio? ToBaseline(RoundContrasts? figure) => figure?.RatioOf(
                benchmark.Cases.Index().First(entry => ReferenceEquals(entry.Item, measured)).Index,
                benchmark.Cases.Index().FirstOrDefault(entry => entry.Item.Library == baseline).Index);
            var rate = new SetRatio(ratio.Rate.Ratio, ratio.Rate.Lower, ratio.Rate.Upper, ratio.StandardError, ratio.DegreesOfFreedom);
            _ratios.Add((
                CaseKey.From(benchmark.Title, median, _options),
                new ComparableRatio(baseline, rate, ToBaseline(contrasts?.ServerCpu), ToBaseline(contrasts?.P99))));
        }
    }

    private bool Add(string benchmark, string library, RunResult? load, LaunchResult launch)
    {
        if (load is null || !launch.IsValid || launch.MessagesPerSecond is not ({ } rate and > 0 and < double.PositiveInfinity))
        {
            _unusable.Add($"{benchmark}, {library}");
            return false;
        }

        var key = CaseKey.From(benchmark, load, _options);
        if (launch.Id is not { } id || !_measured.Add(id))
        {
            return false;
        }

        _launches.TryAdd(key, []);
        _launches[key].Add(new ComparableLaunch(
            rate,
            Positive(launch.Control),
            Positive(launch.ServerCpuMicroseconds),
            load.Plan.Rate is null ? null : Positive(launch.P99Microseconds),
            launch.ServerAllocatedBytes is >= 0 and < double.PositiveInfinity ? launch.ServerAllocatedBytes : null));
        return true;
    }

    private static double? Positive(double? figure) => figure is > 0 and < double.PositiveInfinity ? figure : null;
}
