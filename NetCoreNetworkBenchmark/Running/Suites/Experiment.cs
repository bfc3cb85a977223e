using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>What is measured, in which order, and how. A command line or a part of <c>-b</c> makes one.</summary>
/// <param name="Command">The command line that repeats it.</param>
internal sealed record Experiment(SuiteStrategy Strategy, IStepRunner Runner, string Command)
{
    /// <summary>The libraries that the result names as not measured.</summary>
    public IReadOnlyList<MissingLibrary> Missing { get; init; } = [];

    /// <summary>The result of the launches of a session.</summary>
    public SuiteResult ResultOf(SessionBegin begin, bool isAborted)
    {
        IReadOnlyList<SuiteCase> cases = Strategy.Cases;
        PlanOption[] varied = [.. PlanOptions.All.Where(option => cases[0].Varied.Contains(option.Name))];
        return new SuiteResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            StartedAt = begin.StartedAt,
            Environment = MachineInspector.Inspect(),
            Fitness = begin.Fitness,
            LaunchCount = cases.Max(suiteCase => suiteCase.Launches),
            Interleaving = Strategy.Interleaving,
            Benchmarks = LoadRatios.With(
                [.. cases.GroupBy(suiteCase => suiteCase.Benchmark).Select(benchmark => RankedResultOf([.. benchmark], Strategy))], varied),
            Varied = cases[0].Varied is { Count: > 0 } names ? names : null,
            Missing = Missing,
            Aborted = isAborted,
            Command = Command,
        };
    }

    public static BenchmarkResult RankedResultOf(IReadOnlyList<SuiteCase> benchmark, SuiteStrategy strategy)
    {
        bool isInterleaved = strategy.Interleaving is not null;
        IEnumerable<CaseResult> results = benchmark.Select(suiteCase =>
            CaseSummarizer.Summarize(suiteCase.Name, strategy.LaunchesOf(suiteCase), isInterleaved) with { IsBaseline = suiteCase.IsBaseline });
        return CaseRanking.Rank(new BenchmarkResult(benchmark[0].Title, [.. results])
        {
            Decision = strategy.DecisionOf(benchmark),
            Part = benchmark[0].Part,
            Row = benchmark[0].Row,
            Baseline = strategy.BaselineOf(benchmark)?.Name,
            HasRawBaseline = strategy.BaselineOf(benchmark)?.Library.IsBaseline == true,
        });
    }
}
