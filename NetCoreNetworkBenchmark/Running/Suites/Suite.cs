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

    /// <summary>Told after each launch that was made now.</summary>
    public Action<SuiteStep, LaunchResult>? Finished { get; init; }

    /// <summary>Finds a launch that was made before, by its case and its number from 1; null where it has to be made.</summary>
    public Func<SuiteCase, int, LaunchResult?> Earlier { get; init; } = (_, _) => null;

    /// <summary>How the first launch began, where that was before; null where it begins now.</summary>
    public SuiteBegin? Begin { get; init; }

    /// <summary>Libraries that were left out, and why.</summary>
    public IReadOnlyList<MissingLibrary> Missing { get; init; } = [];

    /// <summary>The folder for BenchmarkDotNet's own results; null to run without it.</summary>
    public string? BenchmarkDotNetFolder { get; init; }

    /// <summary>Why BenchmarkDotNet has no results of its own, such as a disk that is full; null where it has.</summary>
    public Exception? BenchmarkDotNetFailure { get; private set; }

    public async Task<SuiteResult> RunAsync(CancellationToken cancellationToken)
    {
        SuiteBegin begin = Begin ?? SuiteBegin.Now(cases);
        var schedule = new LaunchSchedule(cases, cancellationToken) { Deadline = Deadline, Starting = Starting, Progress = Progress, Finished = Finished, Earlier = Earlier };
        if (BenchmarkDotNetFolder is not null)
        {
            await RunBenchmarkDotNetAsync(schedule, BenchmarkDotNetFolder).ConfigureAwait(false);
        }

        await schedule.CompletedAsync().ConfigureAwait(false);
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

    // The launches are ours: they are made and kept whatever becomes of BenchmarkDotNet's files.
    private async Task RunBenchmarkDotNetAsync(LaunchSchedule schedule, string folder)
    {
        try
        {
            await BenchmarkDotNetRun.RunAsync(schedule, folder).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            BenchmarkDotNetFailure = exception;
        }
    }
}

/// <summary>How several launches began.</summary>
/// <param name="StartedAt">When the first one did, in UTC.</param>
/// <param name="Fitness">What could disturb them, as it was before the first.</param>
internal sealed record SuiteBegin(DateTimeOffset StartedAt, Fitness Fitness)
{
    /// <summary>Launches that begin now.</summary>
    /// <param name="cases">What is launched.</param>
    public static SuiteBegin Now(IReadOnlyList<SuiteCase> cases) =>
        new(DateTimeOffset.UtcNow, FitnessInspector.Inspect(cases.MaxBy(found => SocketBuffers.NeededByServer(found.Plan))!.Plan));
}
