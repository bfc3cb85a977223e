namespace NetCoreNetworkBenchmark.Results;

/// <summary>The course of a measurement at each side, so that a dip of the rate can be explained.</summary>
/// <param name="Server">The server's process; null if it reported none, or if it is the clients' process too.</param>
/// <param name="Clients">The clients' process; of several drivers, all of them together.</param>
public sealed record TimelineResult(SideTimeline? Server, SideTimeline? Clients)
{
    /// <summary>Puts parts that follow each other together, at both sides.</summary>
    /// <param name="parts">The number of parts that become one.</param>
    /// <returns>Timelines of the same time.</returns>
    public TimelineResult Coarsen(int parts) => new(Server?.Coarsen(parts), Clients?.Coarsen(parts));
}

/// <summary>
/// The course of a measurement at one side, in parts of about 0.1 s (longer in a measurement of more than 100 s, and 0.5 s in a brief result). Each list has
/// an entry for each part. Of several drivers counts and CPU time are sums, and the other values the largest; of parts that were put together the pauses are
/// sums too.
/// </summary>
public sealed record SideTimeline
{
    /// <summary>The end of each part, in seconds of measured time.</summary>
    public required IReadOnlyList<double> Seconds { get; init; }

    /// <summary>
    /// The messages that were received in each part; at the clients of an open loop, those that were due in it and were answered. Null if the library does not
    /// count them.
    /// </summary>
    public IReadOnlyList<long>? Messages { get; init; }

    /// <summary>The 99th percentile of the latencies of these messages in microseconds, 0 if there were none; null at the server.</summary>
    public IReadOnlyList<double>? P99Microseconds { get; init; }

    /// <summary>The CPU time of the process in each part, in seconds.</summary>
    public required IReadOnlyList<double> CpuSeconds { get; init; }

    /// <summary>The time in milliseconds for which the garbage collector stopped the process in each part.</summary>
    public required IReadOnlyList<double> PauseMilliseconds { get; init; }

    /// <summary>The work items that waited in .NET's thread pool at the end of each part.</summary>
    public required IReadOnlyList<long> PoolQueue { get; init; }

    /// <summary>The threads of .NET's thread pool at the end of each part.</summary>
    public required IReadOnlyList<int> PoolThreads { get; init; }

    /// <summary>Puts parts that follow each other together.</summary>
    /// <param name="parts">The number of parts that become one. The last one may have fewer.</param>
    /// <returns>A timeline of the same time.</returns>
    public SideTimeline Coarsen(int parts) => new()
    {
        Seconds = [.. Seconds.Chunk(parts).Select(chunk => chunk[^1])],
        Messages = Messages is null ? null : [.. Messages.Chunk(parts).Select(chunk => chunk.Sum())],
        P99Microseconds = P99Microseconds is null ? null : [.. P99Microseconds.Chunk(parts).Select(chunk => chunk.Max())],
        CpuSeconds = [.. CpuSeconds.Chunk(parts).Select(chunk => Math.Round(chunk.Sum(), 4))],
        PauseMilliseconds = [.. PauseMilliseconds.Chunk(parts).Select(chunk => Math.Round(chunk.Sum(), 2))],
        PoolQueue = [.. PoolQueue.Chunk(parts).Select(chunk => chunk.Max())],
        PoolThreads = [.. PoolThreads.Chunk(parts).Select(chunk => chunk.Max())],
    };
}
