using System.Diagnostics;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Where the predefined benchmark is, for a person to look at.</summary>
/// <param name="Title">The benchmark that runs.</param>
/// <param name="Library">The library that runs.</param>
/// <param name="Number">The run's number, from 1.</param>
/// <param name="Count">How many runs there are.</param>
/// <param name="Expected">How long this run is expected to take.</param>
/// <param name="ExpectedAfter">How long the runs after it are expected to take.</param>
internal sealed record SuiteStep(string Title, string Library, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter);

/// <summary>
/// Runs every predefined benchmark for every library, each in a fresh process, one after the other. A run that fails is a row that
/// says why, and the others go on.
/// </summary>
internal sealed class Suite(Catalog catalog, IReadOnlyList<PredefinedBenchmark> benchmarks)
{
    // What a run takes besides its load, until one has been seen.
    private static readonly TimeSpan s_firstGuess = TimeSpan.FromSeconds(2);

    /// <summary>How long each run may take; null for the sum of its phases' deadlines.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>Told before each run.</summary>
    public Action<SuiteStep>? Starting { get; init; }

    /// <summary>Told after each run.</summary>
    public Action<SuiteStep, LibraryRun>? Finished { get; init; }

    public async Task<SuiteResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        (List<string> libraries, List<MissingLibrary> missing) = Choose();
        int number = 0;
        TimeSpan overhead = s_firstGuess;
        var results = new List<BenchmarkResult>();
        foreach (PredefinedBenchmark benchmark in benchmarks)
        {
            var runs = new List<LibraryRun>();
            foreach (string library in libraries.TakeWhile(_ => !cancellationToken.IsCancellationRequested))
            {
                number++;
                TimeSpan load = benchmark.Template.WarmUp + benchmark.Template.Duration;
                int count = benchmarks.Count * libraries.Count;
                var step = new SuiteStep(benchmark.Title, library, number, count, load + overhead, (count - number) * (load + overhead));
                Starting?.Invoke(step);
                long start = Stopwatch.GetTimestamp();
                RunPlan plan = benchmark.Template with { Library = library };
                LibraryRun run = await ChildRun.RunAsync(plan, Deadline ?? ChildRun.DeadlineOf(plan), cancellationToken).ConfigureAwait(false);
                overhead = TimeSpan.FromTicks(Math.Max(0, (Stopwatch.GetElapsedTime(start) - load).Ticks));
                runs.Add(run);
                Finished?.Invoke(step, run);
            }

            results.Add(new BenchmarkResult(benchmark.Title, runs));
        }

        return new SuiteResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            StartedAt = startedAt,
            Environment = MachineInspector.Inspect(),
            Benchmarks = results,
            Missing = missing,
            Aborted = cancellationToken.IsCancellationRequested,
            Command = "NetCoreNetworkBenchmark --benchmark",
        };
    }

    private (List<string> Libraries, List<MissingLibrary> Missing) Choose()
    {
        var libraries = new List<string>();
        var missing = new List<MissingLibrary>(catalog.NotInBuild);
        foreach (LibraryInfo info in catalog.Libraries.Select(name => catalog.CreateLibrary(name)!.Info).Where(info => !info.OnlyWhenAsked))
        {
            if (info.Unavailable is null)
            {
                libraries.Add(info.Name);
            }
            else
            {
                missing.Add(new MissingLibrary(info.Name, info.Unavailable));
            }
        }

        return (libraries, missing);
    }
}
