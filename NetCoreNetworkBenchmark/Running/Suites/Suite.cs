using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>Several launches of several cases, each in fresh processes, and the quoted figures of them.</summary>
internal sealed class Suite(IReadOnlyList<SuiteCase> cases, ISuiteSchedule schedule, string command)
{
    /// <summary>The start of the first launch, if it was earlier; null if it starts now.</summary>
    public SuiteBegin? Begin { get; init; }

    /// <summary>Libraries that were left out, with the reason.</summary>
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

/// <summary>The start of several launches.</summary>
internal sealed record SuiteBegin(DateTimeOffset StartedAt, Fitness Fitness)
{
    public static SuiteBegin Now(IReadOnlyList<SuiteCase> cases) =>
        new(DateTimeOffset.UtcNow, FitnessInspector.Inspect(cases.MaxBy(suiteCase => SocketBuffers.NeededByServer(suiteCase.Plan))!.Plan));
}
