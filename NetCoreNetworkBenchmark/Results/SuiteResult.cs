using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Cases that were measured in several launches on one machine: the content of <c>results.json</c>.</summary>
public sealed record SuiteResult : IResult
{
    /// <inheritdoc/>
    public int Schema { get; init; } = IResult.CurrentSchema;

    /// <inheritdoc/>
    public ResultKind Kind => ResultKind.Suite;

    /// <summary>The version of the harness.</summary>
    public required string HarnessVersion { get; init; }

    /// <summary>When the first launch began, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The machine.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>What could disturb the runs, as it was before the first.</summary>
    public required Fitness Fitness { get; init; }

    /// <summary>Launches of each case that were asked for.</summary>
    public required int LaunchCount { get; init; }

    /// <summary>The benchmarks in their order.</summary>
    public required IReadOnlyList<BenchmarkResult> Benchmarks { get; init; }

    /// <summary>Libraries that were not measured, and why.</summary>
    public required IReadOnlyList<MissingLibrary> Missing { get; init; }

    /// <summary>Whether the user ended it before its time.</summary>
    public required bool Aborted { get; init; }

    /// <summary>
    /// Whether of each case only the median launch is kept whole, and of the others their figures (<see cref="LaunchResult.Figures"/>).
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsBrief { get; init; }

    /// <summary>The same with the details of each case's median launch alone: what is committed. It gives the same page, and the same comparisons.</summary>
    /// <returns>A copy.</returns>
    public SuiteResult Brief() => this with
    {
        IsBrief = true,
        Benchmarks = [.. Benchmarks.Select(benchmark => benchmark with { Cases = [.. benchmark.Cases.Select(found => found.Brief())] })],
    };

    /// <summary>The command line that repeats it.</summary>
    public required string Command { get; init; }
}

/// <summary>One benchmark with every library's case.</summary>
/// <param name="Title">Such as "Benchmark 1".</param>
/// <param name="Cases">In the order in which they ran.</param>
public sealed record BenchmarkResult(string Title, IReadOnlyList<CaseResult> Cases)
{
    /// <summary>The part of the page that it stands in, by its heading; null for the first, which has none.</summary>
    public string? Part { get; init; }
}

/// <summary>A library that was not measured.</summary>
/// <param name="Library">The library's name.</param>
/// <param name="Reason">Why, with the remedy, in a sentence.</param>
public sealed record MissingLibrary(string Library, string Reason);
