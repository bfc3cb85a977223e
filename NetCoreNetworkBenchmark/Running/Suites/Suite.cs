using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Suites;

internal sealed class Suite(IReadOnlyList<SuiteCase> cases, ISuiteSchedule schedule, string command)
{
    public SuiteBegin? Begin { get; init; }
    public IReadOnlyList<MissingLibrary> Missing { get; init; } = [];

    public async Task<SuiteResult> RunAsync(CancellationToken cancellationToken)
    {
        SuiteBegin begin = Begin ?? SuiteBegin.Now(cases);
        await schedule.RunAsync(cancellationToken).ConfigureAwait(false);
        PlanOption[] varied = [.. PlanOptions.All.Where(option => cases[0].Varied.Contains(option.Name))];
        return new SuiteResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            StartedAt = begin.StartedAt,
            Environment = MachineInspector.Inspect(),
            Fitness = begin.Fitness,
            LaunchCount = cases.Max(suiteCase => suiteCase.Launches),
            Interleaving = schedule.Interleaving,
            Benchmarks = LoadRatios.With(
                [.. cases.GroupBy(suiteCase => suiteCase.Benchmark).Select(benchmark => RankedResultOf([.. benchmark], schedule))], varied),
            Varied = cases[0].Varied is { Count: > 0 } names ? names : null,
            Missing = Missing,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = command,
        };
    }

    public static BenchmarkResult RankedResultOf(IReadOnlyList<SuiteCase> benchmark, ISuiteSchedule schedule)
    {
        bool isInterleaved = schedule.Interleaving is not null;
        IEnumerable<CaseResult> results = benchmark.Select(suiteCase =>
            CaseSummarizer.Summarize(suiteCase.Name, schedule.ResultsOf(suiteCase), isInterleaved) with { IsBaseline = suiteCase.IsBaseline });
        return BaselineRatios.Rank(new BenchmarkResult(benchmark[0].Title, [.. results])
        {
            Decision = schedule.DecisionOf(benchmark),
            Part = benchmark[0].Part,
            Row = benchmark[0].Row,
            Baseline = schedule.BaselineOf(benchmark)?.Name,
        });
    }
}

internal sealed record SuiteBegin(DateTimeOffset StartedAt, Fitness Fitness)
{
    public static SuiteBegin Now(IReadOnlyList<SuiteCase> cases) =>
        new(DateTimeOffset.UtcNow, FitnessInspector.Inspect(cases.MaxBy(suiteCase => SocketBuffers.NeededByServer(suiteCase.Plan))!.Plan));
}
