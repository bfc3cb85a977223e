using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Sets of results of different times, with the changes between them (<c>trend FOLDER</c>).</summary>
public sealed record TrendResult() : Result(ResultKind.Trend)
{
    /// <summary>The folder that holds the sets.</summary>
    public required string Source { get; init; }

    /// <summary>Changes up to this share (0.1 is 10 %) count as none.</summary>
    public required double Threshold { get; init; }

    /// <summary>The sets, the oldest first.</summary>
    public required IReadOnlyList<TrendSet> Sets { get; init; }

    /// <summary>The cases that two sets or more have.</summary>
    public required IReadOnlyList<TrendCase> Cases { get; init; }

    /// <summary>Facts that matter for the reading, and what was left out, a sentence each.</summary>
    public required IReadOnlyList<string> Remarks { get; init; }
}

/// <summary>The results of one time.</summary>
/// <param name="Name">The name of the folder or file.</param>
/// <param name="StartedAt">The start of the first measurement, in UTC.</param>
/// <param name="Version">The version of the harness that measured, with the commit if the build has it; several if they differ.</param>
public sealed record TrendSet(string Name, DateTimeOffset StartedAt, string Version);

/// <summary>One case over time.</summary>
/// <param name="Benchmark">The benchmark's title.</param>
/// <param name="Library">The library's name.</param>
/// <param name="RelativeTo">The case by whose rate the rates are divided, such as the floor; null for rates in messages per second.</param>
/// <param name="Points">The figures of the sets that have the case, the oldest first.</param>
/// <param name="Changes">The changes of the rate, the oldest first.</param>
public sealed record TrendCase(
    string Benchmark, string Library, string? RelativeTo, IReadOnlyList<TrendPoint> Points, IReadOnlyList<TrendChange> Changes);

/// <summary>The figures of a case in one set.</summary>
/// <param name="Set">The number of the set, from 1.</param>
/// <param name="Launches">The number of launches.</param>
/// <param name="Rate">Messages per second, or the ratio to another case.</param>
public sealed record TrendPoint(int Set, int Launches, TrendFigure Rate)
{
    /// <summary>
    /// The 99th percentile of the latency, in microseconds, of all launches together; if the set has several results of the case, the median of the launches.
    /// Null if it was not measured.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TrendFigure? P99Microseconds { get; init; }

    /// <summary>The server's CPU time of one message, in microseconds; null if it is not known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TrendFigure? ServerCpuMicroseconds { get; init; }
}

/// <summary>A figure over the launches of a set.</summary>
/// <param name="Value">The median; of a ratio to the floor, the geometric mean; of a latency, the percentile of all launches together.</param>
/// <param name="Lower">The lower end of the 95 % confidence interval; null if there are too few launches.</param>
/// <param name="Upper">The upper end of the interval; null if there are too few launches.</param>
public sealed record TrendFigure(double Value, double? Lower, double? Upper);

/// <summary>A change of the rate from one set to the next.</summary>
/// <param name="Set">The number of the first set with the new rate, from 1.</param>
/// <param name="Verdict">Slower or faster.</param>
/// <param name="Ratio">New / old, as a comparison of both sets has it.</param>
/// <param name="Lower">The lower end of the ratio's 95 % confidence interval.</param>
/// <param name="Upper">The upper end of the interval.</param>
/// <param name="IsConfirmed">Whether the next set has the change too; false if there is no next set yet.</param>
public sealed record TrendChange(int Set, Verdict Verdict, double Ratio, double? Lower, double? Upper, bool IsConfirmed);
