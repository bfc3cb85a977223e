namespace NetCoreNetworkBenchmark.Results;

/// <summary>The search for the highest rate at which a limit holds (<c>--sweep</c>).</summary>
public sealed record SweepResult() : MeasuredResult(ResultKind.Sweep)
{
    /// <summary>The library's name.</summary>
    public required string Library { get; init; }

    /// <summary>The limits as requested, such as p99=5ms.</summary>
    public required IReadOnlyList<string> Limits { get; init; }

    /// <summary>The start of the first run, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The runs, by rate.</summary>
    public required IReadOnlyList<SweepPoint> Points { get; init; }

    /// <summary>The highest rate at which all limits held, in messages per second; null if they held at none.</summary>
    public required double? HighestRate { get; init; }

    /// <summary>The reason why the search ended there, in a sentence.</summary>
    public required string Conclusion { get; init; }

    /// <summary>Whether the user ended the search early.</summary>
    public required bool Aborted { get; init; }
}

/// <summary>One run of a sweep.</summary>
/// <param name="Rate">The requested messages per second.</param>
/// <param name="Holds">Whether all limits held.</param>
/// <param name="Reason">The limit that did not hold, in a few words; null if all held.</param>
/// <param name="Result">The run; null if it failed.</param>
public sealed record SweepPoint(double Rate, bool Holds, string? Reason, RunResult? Result);
