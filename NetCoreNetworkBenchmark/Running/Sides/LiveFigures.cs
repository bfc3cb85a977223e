namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of about one second of a run.</summary>
/// <param name="MessagesPerSecond">Messages that clients received per second.</param>
internal sealed record LiveFigures(double MessagesPerSecond)
{
    /// <summary>The median of the latencies; null during the warm-up, or if none is known.</summary>
    public double? P50Microseconds { get; init; }
    public double? P99Microseconds { get; init; }

    /// <summary>The messages in flight; null for server push.</summary>
    public long? InFlight { get; init; }

    /// <summary>The messages lost so far.</summary>
    public long Lost { get; init; }

    /// <summary>The cores that the clients' processes used; null if the server is in the same process.</summary>
    public double? ClientCores { get; init; }

    /// <summary>The cores that the server's process used; null if it is not known.</summary>
    public double? ServerCores { get; init; }

    /// <summary>The cores that the process of both sides used; null if each has its own.</summary>
    public double? CoresOfBoth { get; init; }

    /// <summary>Merges the figures of load generators that run at the same time. Percentiles cannot be merged, so the highest is taken.</summary>
    public static LiveFigures Merge(IReadOnlyList<LiveFigures> generators) => new(generators.Sum(figures => figures.MessagesPerSecond))
    {
        P50Microseconds = generators.Max(figures => figures.P50Microseconds),
        P99Microseconds = generators.Max(figures => figures.P99Microseconds),
        InFlight = generators.Any(figures => figures.InFlight is null) ? null : generators.Sum(figures => figures.InFlight),
        Lost = generators.Sum(figures => figures.Lost),
        ClientCores = generators.Sum(figures => figures.ClientCores),
    };
}
