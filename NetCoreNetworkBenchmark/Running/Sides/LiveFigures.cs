namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of about one second of a run.</summary>
internal sealed record LiveFigures(double MessagesPerSecond)
{
    /// <summary>Null during the warm-up, or if no latency is known.</summary>
    public double? P50Microseconds { get; init; }
    public double? P99Microseconds { get; init; }

    /// <summary>Null for server push.</summary>
    public long? InFlight { get; init; }

    /// <summary>Over the whole run so far.</summary>
    public long Lost { get; init; }

    /// <summary>Null if the server is in the same process.</summary>
    public double? ClientCores { get; init; }

    public double? ServerCores { get; init; }

    /// <summary>Null if each side has its own process.</summary>
    public double? CoresOfBoth { get; init; }

    /// <summary>Percentiles cannot be merged, so the highest is taken.</summary>
    public static LiveFigures Merge(IReadOnlyList<LiveFigures> generators) => new(generators.Sum(figures => figures.MessagesPerSecond))
    {
        P50Microseconds = generators.Max(figures => figures.P50Microseconds),
        P99Microseconds = generators.Max(figures => figures.P99Microseconds),
        InFlight = generators.Any(figures => figures.InFlight is null) ? null : generators.Sum(figures => figures.InFlight),
        Lost = generators.Sum(figures => figures.Lost),
        ClientCores = generators.Sum(figures => figures.ClientCores),
    };
}
