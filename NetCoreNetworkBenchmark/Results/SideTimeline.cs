namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// The course of a measurement at one side, in parts of about 0.1 s (longer in a measurement of more than 100 s, and 0.5 s in a brief result). Each list has
/// an entry for each part. Of several load generators, counts and CPU time are sums, and the other values the largest. Of parts that were put together, the
/// pauses are sums too.
/// </summary>
/// <param name="Seconds">The end of each part, in seconds of measured time.</param>
/// <param name="Messages">The messages that were received in each part; in an open loop, those due in it and answered. Null if they are not counted.</param>
/// <param name="P99Microseconds">The 99th percentile of the latencies of these messages in microseconds, 0 if there were none; null at the server.</param>
/// <param name="CpuSeconds">The CPU time of the process in each part, in seconds.</param>
/// <param name="PauseMilliseconds">The time in milliseconds for which the garbage collector stopped the process in each part.</param>
/// <param name="PoolQueue">The work items that waited in .NET's thread pool at the end of each part.</param>
/// <param name="PoolThreads">The threads of .NET's thread pool at the end of each part.</param>
public sealed record SideTimeline(
    IReadOnlyList<double> Seconds, IReadOnlyList<long>? Messages, IReadOnlyList<double>? P99Microseconds, IReadOnlyList<double> CpuSeconds,
    IReadOnlyList<double> PauseMilliseconds, IReadOnlyList<long> PoolQueue, IReadOnlyList<int> PoolThreads)
{
    private const int PartsTogether = 5;

    internal SideTimeline Coarse() => new(
        Seconds: [.. Seconds.Chunk(PartsTogether).Select(parts => parts[^1])],
        Messages: Messages is null ? null : [.. Messages.Chunk(PartsTogether).Select(parts => parts.Sum())],
        P99Microseconds: P99Microseconds is null ? null : [.. P99Microseconds.Chunk(PartsTogether).Select(parts => parts.Max())],
        CpuSeconds: [.. CpuSeconds.Chunk(PartsTogether).Select(parts => Math.Round(parts.Sum(), 4))],
        PauseMilliseconds: [.. PauseMilliseconds.Chunk(PartsTogether).Select(parts => Math.Round(parts.Sum(), 2))],
        PoolQueue: [.. PoolQueue.Chunk(PartsTogether).Select(parts => parts.Max())],
        PoolThreads: [.. PoolThreads.Chunk(PartsTogether).Select(parts => parts.Max())]);
}
