using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Cases that were measured in several launches on one machine: the content of <c>results.json</c>.</summary>
public sealed record SuiteResult() : Result(ResultKind.Suite)
{
    /// <summary>The start of the first launch, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The machine.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The conditions that could disturb the runs, as found before the first.</summary>
    public required Fitness Fitness { get; init; }

    /// <summary>The requested number of launches of each case.</summary>
    public required int LaunchCount { get; init; }

    /// <summary>The slices of the cases; null if each case was measured by itself.</summary>
    public InterleavingMethod? Interleaving { get; init; }

    /// <summary>The benchmarks in their order.</summary>
    public required IReadOnlyList<BenchmarkResult> Benchmarks { get; init; }

    /// <summary>The options of the load that have several values, by their names; null if the user did not vary the load.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public IReadOnlyList<string>? Varied { get; init; }

    /// <summary>Libraries that were not measured, with the reason.</summary>
    public required IReadOnlyList<MissingLibrary> Missing { get; init; }

    /// <summary>Whether the user ended the suite early.</summary>
    public required bool Aborted { get; init; }

    /// <summary>Whether only the median launch of each case is kept whole, and only the figures of the others (<see cref="LaunchResult.Figures"/>).</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsBrief { get; init; }

    /// <summary>Returns a copy with the details of each case's median launch alone, to be committed. It gives the same page and comparisons.</summary>
    public SuiteResult Brief() => IsBrief ? this : WithCases(measured => measured.Brief()) with { IsBrief = true };

    internal override IEnumerable<(LimitResult Limit, string? Case)> AllLimits
    {
        get
        {
            CaseFigures[] cases = [.. Benchmarks.SelectMany(benchmark => benchmark.Cases.Select(result => CaseFigures.WithLimits(benchmark, result)))];
            return cases.SelectMany(of => (of.Limits ?? []).Select(limit => (limit, cases.Length == 1 ? null : of.Library)));
        }
    }

    public SuiteResult WithCases(Func<CaseResult, CaseResult> change) => this with
    {
        Benchmarks = [.. Benchmarks.Select(benchmark => benchmark with { Cases = [.. benchmark.Cases.Select(change)] })],
    };

    /// <summary>The command line that repeats the suite.</summary>
    public required string Command { get; init; }
}

/// <summary>One benchmark with every library's case.</summary>
/// <param name="Title">The heading, such as "Benchmark 1".</param>
/// <param name="Cases">The cases in the order in which they ran.</param>
/// <param name="Baseline">The name of the case to which the others are compared; null if they were not measured in slices.</param>
/// <param name="RankedBy">The figure by which the libraries are ranked: the server's CPU time if it is known of each, otherwise the rate.</param>
/// <param name="Decision">Whether the comparison is decided; null if the cases were not measured in slices.</param>
/// <param name="Part">The heading of the part of the page that contains the benchmark; null for the first part, which has none.</param>
/// <param name="Row">The row of the benchmark in the table of its part, with a column for each library; null if it has a table of its own.</param>
/// <param name="HasRawBaseline">Whether the baseline is raw sockets, which no version of a library changes.</param>
public sealed record BenchmarkResult(
    string Title, IReadOnlyList<CaseResult> Cases, string? Baseline = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] RankedFigure RankedBy = default, Decision? Decision = null,
    string? Part = null, BenchmarkRow? Row = null, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] bool HasRawBaseline = false)
{
    /// <summary>The figures of each case as every report has them; null if no case has any.</summary>
    public IReadOnlyList<CaseFigures>? Figures =>
        Cases.All(result => result.Summary is null) ? null : [.. Cases.Select(result => CaseFigures.WithLimits(this, result))];
}

/// <summary>A figure by which libraries are ranked.</summary>
public enum RankedFigure
{
    /// <summary>Messages per second; the highest first.</summary>
    MessagesPerSecond,

    /// <summary>The server's CPU time per message; the lowest first.</summary>
    ServerCpu,
}

/// <summary>How far a benchmark is decided.</summary>
/// <param name="HalfWidth">
/// Half the width of the widest interval of a ratio of two valid cases in the ranked figure, on a logarithmic scale: 0.05 is ±5 %. Null if one has none. It is
/// that while no pair is decided, so no interval of the ranking is wider, and the measurement does not end by its outcome.
/// </param>
/// <param name="TargetHalfWidth">The half width at which the measurement ends.</param>
/// <param name="Seconds">The wall time of the benchmark.</param>
/// <param name="Undecided">The pairs of libraries that are neighbours in the ranking and undecided.</param>
/// <param name="Confidence">
/// The confidence of each interval in relation to the best library and of each undecided pair, in the ranked figure, such as 0.995: at it, an interval excludes
/// 1 exactly if the pair is decided, and a whole ranking has a wrong difference with a chance of 5 % at most. Null if there is no ranking.
/// </param>
/// <param name="Parts">The parts of <see cref="Seconds"/>; null if they are not known.</param>
public sealed record Decision(
    double? HalfWidth, double TargetHalfWidth, double Seconds, IReadOnlyList<UndecidedPair> Undecided,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] double? Confidence = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] SetParts? Parts = null);

/// <summary>The parts of the wall time of a benchmark's process sets, in seconds; of several sets, the sums.</summary>
/// <param name="Start">The processes started, and the clients connected.</param>
/// <param name="WarmUp">The load ran until the JIT compilers were quiet.</param>
/// <param name="Settle">A load ran after its pause, before it was measured.</param>
/// <param name="Measure">A load was measured.</param>
/// <param name="Drain">A load waited for what was in flight.</param>
/// <param name="Pause">Processes were suspended and resumed, and notified of the phases.</param>
/// <param name="End">The figures were collected, and the loads ended.</param>
public sealed record SetParts(double Start, double WarmUp, double Settle, double Measure, double Drain, double Pause, double End)
{
    internal static SetParts None { get; } = new(0, 0, 0, 0, 0, 0, 0);

    internal SetParts Plus(SetParts other) => new(
        Start + other.Start, WarmUp + other.WarmUp, Settle + other.Settle, Measure + other.Measure, Drain + other.Drain, Pause + other.Pause, End + other.End);
}

/// <summary>Two libraries whose difference is smaller than its uncertainty.</summary>
/// <param name="First">The library with the better figure.</param>
/// <param name="Second">The other library.</param>
/// <param name="Ratio">The figure of the second divided by that of the first, with the interval that decides (<see cref="Decision.Confidence"/>).</param>
/// <param name="MoreSeconds">The expected further seconds until the pair is decided; null if more than two hours, or if there is no interval.</param>
public sealed record UndecidedPair(string First, string Second, RatioFigure Ratio, double? MoreSeconds);

/// <summary>A library that was not measured.</summary>
/// <param name="Library">The library's name.</param>
/// <param name="Reason">The reason, with the remedy, in a sentence.</param>
public sealed record MissingLibrary(string Library, string Reason);
