namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>A figure of a case that a service keeps over time, with its 95 % interval if there is one. Times are in nanoseconds.</summary>
internal sealed record TrackedFigure(string Case, string Measure, double Value, double? Lower, double? Upper, string Version)
{
    public const string Rate = "throughput";
    private const double NanosecondsPerMicrosecond = 1000;

    public bool IsRate => Measure == Rate;

    /// <summary>Returns the figures of the valid cases of results.</summary>
    /// <exception cref="BenchmarkException">Several results are of one case.</exception>
    public static TrackedFigure[] Of(IEnumerable<Result> results)
    {
        TrackedFigure[] figures = [.. results.SelectMany(Of)];
        return figures.GroupBy(figure => (figure.Case, figure.Measure)).FirstOrDefault(group => group.Count() > 1) is { Key.Case: var name }
            ? throw BenchmarkException.BadInput($"Several results are of '{name}', and a service keeps one for each commit. Write each to a file of its own.")
            : figures;
    }

    public static IEnumerable<TrackedFigure> Of(Result result) => result switch
    {
        RunResult { Valid: true } run => Of(
            $"{run.Plan.Test}, {Loads.Of(run)}, {Loads.NameOf(run.Protocol)}: {run.Name}", run.LibraryVersion, Alone(run.MessagesPerSecond),
            Alone(run.LatencyMicroseconds?.P50), Alone(run.LatencyMicroseconds?.P99), Alone(run.Costs.Server?.CpuMicrosecondsPerMessage)),
        SuiteResult suite =>
            from benchmark in suite.Benchmarks
            from valid in benchmark.Cases
            where valid.Valid
            let summary = valid.Summary
            from figure in Of(
                $"{benchmark.Title}: {valid.Library}", valid.MedianLaunch()?.LibraryVersion ?? string.Empty, summary.MessagesPerSecond,
                summary.P50Microseconds, summary.P99Microseconds, summary.ServerCpuMicroseconds)
            select figure,
        _ => [],
    };

    // "latency" and "throughput" are measures that every project at Bencher has, in nanoseconds and operations per second.
    private static IEnumerable<TrackedFigure> Of(string name, string version, Spread? rate, Spread? p50, Spread? p99, Spread? cpu) =>
        from figure in ((string Measure, Spread? Spread, double Scale)[])
        [
            (Rate, rate, 1), ("latency", p50, NanosecondsPerMicrosecond), ("latency-p99", p99, NanosecondsPerMicrosecond),
            ("server-cpu", cpu, NanosecondsPerMicrosecond),
        ]
        where figure.Spread is not null
        select new TrackedFigure(
            name, figure.Measure, figure.Spread.Median * figure.Scale, figure.Spread.Lower * figure.Scale, figure.Spread.Upper * figure.Scale, version);

    private static Spread? Alone(double? figure) => figure is { } value ? new Spread(value, null, null, []) : null;
}
