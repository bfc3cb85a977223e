namespace NetCoreNetworkBenchmark.Results;

/// <summary>What the predefined benchmark measured on one machine: the content of <c>results.json</c>.</summary>
public sealed record SuiteResult
{
    /// <summary>The version of this schema, as in <see cref="RunResult.Schema"/>.</summary>
    public int Schema { get; init; } = 1;

    /// <summary>The version of the harness.</summary>
    public required string HarnessVersion { get; init; }

    /// <summary>When the first run began, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The machine.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The benchmarks in their order.</summary>
    public required IReadOnlyList<BenchmarkResult> Benchmarks { get; init; }

    /// <summary>Libraries that were not measured, and why.</summary>
    public required IReadOnlyList<MissingLibrary> Missing { get; init; }

    /// <summary>Whether the user ended it before its time.</summary>
    public required bool Aborted { get; init; }

    /// <summary>The command line that repeats it.</summary>
    public required string Command { get; init; }
}

/// <summary>One benchmark of the predefined ones, with every library's run.</summary>
/// <param name="Title">Such as "Benchmark 1".</param>
/// <param name="Runs">In the order in which they ran.</param>
public sealed record BenchmarkResult(string Title, IReadOnlyList<LibraryRun> Runs);

/// <summary>One library's run: a result, or the reason why there is none, or both where what was measured is incomplete.</summary>
/// <param name="Library">The library's name.</param>
/// <param name="Result">What was measured.</param>
/// <param name="Failure">Why it failed, in a sentence.</param>
public sealed record LibraryRun(string Library, RunResult? Result, string? Failure);

/// <summary>A library that was not measured.</summary>
/// <param name="Library">The library's name.</param>
/// <param name="Reason">Why, with the remedy, in a sentence.</param>
public sealed record MissingLibrary(string Library, string Reason);
