namespace NetCoreNetworkBenchmark.Results;

/// <summary>A limit and the figure that it bounds.</summary>
/// <param name="Limit">The limit.</param>
/// <param name="Measured">The figure in the unit of the bound; null if it is not known.</param>
public sealed record LimitResult(RunLimit Limit, double? Measured)
{
    /// <summary>Whether the figure is known and not above the bound.</summary>
    public bool Holds => Measured <= Limit.Bound;

    /// <summary>The figure in a few words, such as "p99 was 7.214 ms".</summary>
    internal string Found => Measured is { } measured ? $"{Name} was {Describe(measured)}" : $"{Name} is not known";

    private string Name => Limit.Text.Split('=')[0];

    /// <param name="ofCase">The name of the case; null if there is no other.</param>
    internal string Sentence(string? ofCase) =>
        (ofCase is null ? Limit.Text : $"{Limit.Text} of {ofCase}") + (Measured is not { } measured
            ? " cannot be checked, because the figure is not known."
            : $" {(Holds ? "holds" : "is broken")}: {Describe(measured)}.");

    /// <summary>
    /// Judges the limits by the figures of one run, or by those that a case quotes of its launches: latencies, ages and losses of all of them together, the
    /// server's CPU time per message of <see cref="CaseFigures"/>, the means of its share of a core and of its late ticks, and what was counted on the wire.
    /// </summary>
    internal static IReadOnlyList<LimitResult>? From(IReadOnlyList<RunResult> launches, double? serverCpuMicroseconds, WireFigures? wire) =>
        launches is not [{ Plan.Limits: { } limits }, ..] ? null :
        [
            .. limits.Select(limit => new LimitResult(limit, limit.Kind switch
            {
                LimitKind.Latency => LatencyOf([.. launches.Select(run => run.Clients.Latency)], limit),
                LimitKind.Age => LatencyOf([.. launches.Select(run => run.Ages).OfType<LatencyReport>()], limit),
                LimitKind.LateTicks => launches.Average(run => run.LateTicks),
                LimitKind.ServerCores => launches.Average(run => run.Costs.Server?.BusyCores),
                LimitKind.Wire => wire?.BytesPerMessage,
                LimitKind.Loss => launches.Sum(run => run.SentToLose) is > 0 and var sent ? (double)launches.Sum(run => run.Lost) / sent : null,
                _ => serverCpuMicroseconds,
            })),
        ];

    private static double? LatencyOf(IReadOnlyList<LatencyReport> launches, RunLimit limit)
    {
        var all = LatencyHistogram.Sum(launches.Select(latency => latency.Histogram).OfType<string>().Select(HistogramCodec.Decode));

        // The encoding keeps the bucket of the maximum, and the report its value.
        return all.Count == 0 || limit.Percentile is not (> 0 and <= 100 and var percentile) ? null
            : percentile == 100 ? launches.Max(latency => latency.Microseconds?.Max)
            : all.ValueAtPercentile(percentile) / 1000.0;
    }

    private string Describe(double measured) =>
        Limit.Kind is LimitKind.Loss or LimitKind.LateTicks or LimitKind.ServerCores ? Invariant($"{measured * 100:0.####} %")
        : Limit.Kind == LimitKind.Wire ? Invariant($"{measured:#,0.#} B")
        : measured < 1000 ? Invariant($"{measured:0.###} µs")
        : Invariant($"{measured / 1000:#,0.###} ms");
}
