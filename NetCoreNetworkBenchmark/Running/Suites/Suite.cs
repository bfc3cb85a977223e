using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// Several launches of several cases, each in fresh processes, and what is quoted of them. What fails is a launch that says why, and
/// the others go on.
/// </summary>
internal sealed class Suite(IReadOnlyList<SuiteCase> cases, int launches, string command)
{
    /// <summary>How long each launch may take; null for the sum of its phases' deadlines.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>Told before each launch.</summary>
    public Action<SuiteStep>? Starting { get; init; }

    /// <summary>Told now and then where the launch is that runs.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Told after each launch.</summary>
    public Action<SuiteStep, LaunchResult>? Finished { get; init; }

    /// <summary>Libraries that were left out, and why.</summary>
    public IReadOnlyList<MissingLibrary> Missing { get; init; } = [];

    /// <summary>The folder for BenchmarkDotNet's own results; null to run without it.</summary>
    public string? BenchmarkDotNetFolder { get; init; }

    public async Task<SuiteResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        Fitness fitness = FitnessInspector.Inspect(cases.MaxBy(found => SocketBuffers.NeededByServer(found.Plan))!.Plan);
        var schedule = new LaunchSchedule(cases, cancellationToken) { Deadline = Deadline, Starting = Starting, Progress = Progress, Finished = Finished };
        if (BenchmarkDotNetFolder is not null)
        {
            await BenchmarkDotNetRun.RunAsync(schedule, BenchmarkDotNetFolder).ConfigureAwait(false);
        }

        await schedule.CompletedAsync().ConfigureAwait(false);
        return new SuiteResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            StartedAt = startedAt,
            Environment = MachineInspector.Inspect(),
            Fitness = fitness,
            LaunchCount = launches,
            Benchmarks = [.. cases.GroupBy(found => (found.Part, found.Title)).Select(benchmark => new BenchmarkResult(
                benchmark.Key.Title, [.. benchmark.Select(found => CaseSummarizer.Summarize(found.Name, schedule.ResultsOf(found)))])
            {
                Part = benchmark.Key.Part,
            })],
            Missing = Missing,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = command,
        };
    }
}
