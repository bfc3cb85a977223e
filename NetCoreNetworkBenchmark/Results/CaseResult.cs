using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>One library under one load, measured in several launches: fresh processes each.</summary>
/// <param name="Library">The library's name, with the profile in brackets where it is not the default.</param>
/// <param name="Launches">In the order in which they ran.</param>
/// <param name="Summary">What is quoted of them; null where no launch was valid.</param>
/// <param name="InvalidReasons">Why the case may not be used, a sentence each; empty where it may.</param>
public sealed record CaseResult(
    string Library, IReadOnlyList<LaunchResult> Launches, CaseSummary? Summary, IReadOnlyList<string> InvalidReasons)
{
    /// <summary>Whether its figures may be used.</summary>
    public bool Valid => InvalidReasons.Count == 0 && Summary is not null;

    /// <summary>The launch whose rate is the median (the lower one of two): its details stand for the case. Null where none has a result.</summary>
    /// <returns>The launch's result.</returns>
    public RunResult? MedianLaunch()
    {
        RunResult[] results = [.. Launches.Select(launch => launch.Result).OfType<RunResult>()];
        RunResult[] candidates = results.Any(result => result.Valid) ? [.. results.Where(result => result.Valid)] : results;
        return candidates.OrderBy(result => result.MessagesPerSecond).ElementAtOrDefault((candidates.Length - 1) / 2);
    }

    /// <summary>The same with the median launch whole, and the figures of the others.</summary>
    /// <returns>A copy.</returns>
    public CaseResult Brief()
    {
        RunResult? median = MedianLaunch();
        return this with
        {
            Launches =
            [
                .. Launches.Select(launch => launch.Result is null || ReferenceEquals(launch.Result, median)
                    ? launch
                    : launch with { Result = null, Figures = LaunchFigures.Of(launch.Result) }),
            ],
        };
    }
}

/// <summary>One launch: a result, or the reason why there is none, or both where the result is invalid.</summary>
/// <param name="Number">The launch's number, from 1.</param>
/// <param name="Result">What was measured.</param>
/// <param name="Failure">Why it failed or is invalid, in a sentence.</param>
public sealed record LaunchResult(int Number, RunResult? Result, string? Failure)
{
    /// <summary>
    /// Round trips per second of raw sockets just before the launch, without library, workload or measuring: the machine's own speed, by
    /// which results of different times can be compared. Null where it was not measured.
    /// </summary>
    public double? Control { get; init; }

    /// <summary>What is kept of a launch whose result is not kept; otherwise null.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LaunchFigures? Figures { get; init; }

    /// <summary>What the launch measured, in messages per second; null where it has no result.</summary>
    [JsonIgnore]
    public double? MessagesPerSecond => Result?.MessagesPerSecond ?? Figures?.MessagesPerSecond;

    /// <summary>Whether its figures may be used.</summary>
    [JsonIgnore]
    public bool IsValid => Result?.Valid ?? Figures?.Valid ?? false;

    /// <summary>What the library's adapter did otherwise than asked, a sentence each.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> Remarks => Result?.Remarks ?? Figures?.Remarks ?? [];
}

/// <summary>What a brief result keeps of a launch that is not the median one of its case: what the case's summary and a comparison are made of.</summary>
public sealed record LaunchFigures
{
    /// <summary>When the measurement began.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Messages per second.</summary>
    public required double MessagesPerSecond { get; init; }

    /// <summary>The 50th percentile of the latency, in microseconds; null where no message came back.</summary>
    public double? P50Microseconds { get; init; }

    /// <summary>The 99th percentile of the latency, in microseconds; null where no message came back.</summary>
    public double? P99Microseconds { get; init; }

    /// <summary>The server's CPU time of one message, in microseconds; null where the server had no process of its own.</summary>
    public double? ServerCpuMicroseconds { get; init; }

    /// <summary>Whether the figures may be used.</summary>
    public required bool Valid { get; init; }

    /// <summary>What the library's adapter did otherwise than asked, a sentence each.</summary>
    public required IReadOnlyList<string> Remarks { get; init; }

    /// <summary>The figures of a result.</summary>
    /// <param name="result">The result.</param>
    /// <returns>The figures.</returns>
    public static LaunchFigures Of(RunResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new LaunchFigures
        {
            StartedAt = result.StartedAt,
            MessagesPerSecond = result.MessagesPerSecond,
            P50Microseconds = result.LatencyMicroseconds?.P50,
            P99Microseconds = result.LatencyMicroseconds?.P99,
            ServerCpuMicroseconds = result.Costs.Server?.CpuMicrosecondsPerMessage,
            Valid = result.Valid,
            Remarks = result.Remarks,
        };
    }
}

/// <summary>What is quoted of several launches.</summary>
public sealed record CaseSummary
{
    /// <summary>Round trips per second.</summary>
    public required Spread MessagesPerSecond { get; init; }

    /// <summary>The 50th percentile of the round trips, in microseconds.</summary>
    public required Spread P50Microseconds { get; init; }

    /// <summary>The 99th percentile of the round trips, in microseconds.</summary>
    public required Spread P99Microseconds { get; init; }

    /// <summary>Messages for each second of the server's CPU time; null where the server had no process of its own.</summary>
    public Spread? MessagesPerServerCpuSecond { get; init; }

    /// <summary>The server's CPU time of one message, in microseconds; null where the server had no process of its own.</summary>
    public Spread? ServerCpuMicroseconds { get; init; }
}

/// <summary>A figure over several launches.</summary>
/// <param name="Median">The median over the launches.</param>
/// <param name="Lower">The lower end of the 95 % confidence interval between launches; null where there are too few.</param>
/// <param name="Upper">Its upper end.</param>
/// <param name="Modes">Where launches fell into clearly different groups: the centre and size of each, the smallest first; otherwise empty.</param>
public sealed record Spread(double Median, double? Lower, double? Upper, IReadOnlyList<SpreadMode> Modes)
{
    /// <summary>Half the width of the interval in relation to the median; null where there is no interval.</summary>
    public double? RelativeHalfWidth => Lower is { } lower && Upper is { } upper && Median > 0 ? (upper - lower) / 2 / Median : null;
}

/// <summary>A group of launches.</summary>
/// <param name="Centre">The median of the group.</param>
/// <param name="Launches">How many launches are in it.</param>
public sealed record SpreadMode(double Centre, int Launches);
