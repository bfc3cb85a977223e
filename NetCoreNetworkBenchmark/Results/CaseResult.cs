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
