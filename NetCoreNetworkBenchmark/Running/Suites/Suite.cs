using NetCoreNetworkBenchmark.Running.Machine;
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
        bool isInterleaved = schedule.Interleaving is not null;
        BenchmarkResult[] benchmarks =
        [
            .. from benchmark in cases.GroupBy(suiteCase => (suiteCase.Part, suiteCase.Title))
               select new BenchmarkResult(
                   benchmark.Key.Title,
                   [
                       .. benchmark.Select(suiteCase =>
                           CaseSummarizer.Summarize(suiteCase.Name, schedule.ResultsOf(suiteCase), isInterleaved) with { IsBaseline = suiteCase.IsBaseline }),
                   ])
               {
                   RankedBy = benchmark.First().RankedBy,
                   Decision = schedule.DecisionOf([.. benchmark]),
                   Part = benchmark.Key.Part,
                   Row = benchmark.First().Row,
                   Baseline = schedule.BaselineOf([.. benchmark])?.Name,
               },
        ];
        return new SuiteResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            StartedAt = begin.StartedAt,
            Environment = MachineInspector.Inspect(),
            Fitness = begin.Fitness,
            LaunchCount = cases.Max(suiteCase => suiteCase.Launches),
            Interleaving = schedule.Interleaving,
            Benchmarks = BaselineRatios.Rank(benchmarks),
            Missing = Missing,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = command,
        };
    }
}

internal sealed record SuiteBegin(DateTimeOffset StartedAt, Fitness Fitness)
{
    public static SuiteBegin Now(IReadOnlyList<SuiteCase> cases) =>
        new(DateTimeOffset.UtcNow, FitnessInspector.Inspect(cases.MaxBy(suiteCase => SocketBuffers.NeededByServer(suiteCase.Plan))!.Plan));
}
