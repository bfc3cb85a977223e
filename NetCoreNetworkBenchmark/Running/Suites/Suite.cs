using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>The result of the launches of a session.</summary>
internal static class Suite
{
    public static SuiteResult ResultOf(Experiment experiment, SessionBegin begin, bool isAborted)
    {
        SuiteStrategy strategy = experiment.Strategy;
        IReadOnlyList<SuiteCase> cases = strategy.Cases;
        PlanOption[] varied = [.. PlanOptions.All.Where(option => cases[0].Varied.Contains(option.Name))];
        return new SuiteResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            StartedAt = begin.StartedAt,
            Environment = MachineInspector.Inspect(),
            Fitness = begin.Fitness,
            LaunchCount = cases.Max(suiteCase => suiteCase.Launches),
            Interleaving = strategy.Interleaving,
            Benchmarks = LoadRatios.With(
                [.. cases.GroupBy(suiteCase => suiteCase.Benchmark).Select(benchmark => RankedResultOf([.. benchmark], strategy))], varied),
            Varied = cases[0].Varied is { Count: > 0 } names ? names : null,
            Missing = experiment.Missing,
            Aborted = isAborted,
            Command = experiment.Command,
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
        });
    }
}
