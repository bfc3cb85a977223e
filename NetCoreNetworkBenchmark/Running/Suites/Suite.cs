using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>Several launches of several cases, each in fresh processes, and the quoted figures of them.</summary>
/// <param name="cases">The cases.</param>
/// <param name="schedule">The order of the launches.</param>
/// <param name="command">The command that repeats the suite.</param>
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
        BenchmarkResult[] benchmarks =
        [
            .. from benchmark in cases.GroupBy(found => (found.Part, found.Title))
               select new BenchmarkResult(
                   benchmark.Key.Title,
                   [
                       .. benchmark.Select(found => CaseSummarizer.Summarize(found.Name, schedule.ResultsOf(found), schedule.Interleaving is not null) with
                       {
                           IsBaseline = found.IsBaseline,
                       }),
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
            LaunchCount = cases.Max(found => found.Launches),
            Interleaving = schedule.Interleaving,
            Benchmarks = BaselineRatios.Rank(benchmarks),
            Missing = Missing,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = command,
        };
    }
}

/// <summary>The start of several launches.</summary>
/// <param name="StartedAt">The start of the first launch, in UTC.</param>
/// <param name="Fitness">The conditions that could disturb the launches, as found before the first.</param>
internal sealed record SuiteBegin(DateTimeOffset StartedAt, Fitness Fitness)
{
    /// <summary>Returns the start of launches that begin now.</summary>
    /// <param name="cases">The cases that are launched.</param>
    public static SuiteBegin Now(IReadOnlyList<SuiteCase> cases) =>
        new(DateTimeOffset.UtcNow, FitnessInspector.Inspect(cases.MaxBy(found => SocketBuffers.NeededByServer(found.Plan))!.Plan));
}
