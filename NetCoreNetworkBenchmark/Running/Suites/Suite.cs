using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// Several launches of several cases, each in fresh processes, and the quoted figures of them. A launch that fails reports its reason, and
/// the others go on.
/// </summary>
internal sealed class Suite(IReadOnlyList<SuiteCase> cases, int launches, string command)
{
    /// <summary>The deadline of each launch; null for the sum of its phases' deadlines.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>Called before each launch.</summary>
    public Action<SuiteStep>? Starting { get; init; }

    /// <summary>Called now and then with the progress of the current launch.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Called after each launch that was run now.</summary>
    public Action<SuiteStep, LaunchResult>? Finished { get; init; }

    /// <summary>Finds a launch that was run before, by its case and its number from 1; null if it has to be run.</summary>
    public Func<SuiteCase, int, LaunchResult?> Earlier { get; init; } = (_, _) => null;

    /// <summary>The start of the first launch, if it was earlier; null if it starts now.</summary>
    public SuiteBegin? Begin { get; init; }

    /// <summary>Libraries that were left out, with the reason.</summary>
    public IReadOnlyList<MissingLibrary> Missing { get; init; } = [];

    public async Task<SuiteResult> RunAsync(CancellationToken cancellationToken)
    {
        SuiteBegin begin = Begin ?? SuiteBegin.Now(cases);
        var schedule = new LaunchSchedule(cases, cancellationToken)
        {
            Deadline = Deadline,
            Starting = Starting,
            Progress = Progress,
            Finished = Finished,
            Earlier = Earlier,
        };
        await schedule.RunAsync().ConfigureAwait(false);
        return new SuiteResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            StartedAt = begin.StartedAt,
            Environment = MachineInspector.Inspect(),
            Fitness = begin.Fitness,
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
