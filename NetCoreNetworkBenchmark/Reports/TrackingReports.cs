using System.Text.Json.Nodes;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>Figures of valid cases for a service that keeps them over time. They are written if they are requested.</summary>
public abstract class TrackingReport : IJoiningReport
{
    private readonly bool _hasTimes;

    private protected TrackingReport(string name, bool hasTimes) => (Name, _hasTimes) = (name, hasTimes);

    public string Name { get; }

    public bool IsWrittenByDefault => false;

    public string? FileNameOf(Result result) => TrackedFigure.From(result).Any() ? $"{ResultFile.FileNameOf(result.Kind)}.{Name}.json" : null;

    /// <inheritdoc/>
    /// <exception cref="BenchmarkException">Several results are of one case.</exception>
    public void WriteAll(IReadOnlyList<Result> results, TextWriter writer)
    {
        TrackedFigure[] figures = [.. results.SelectMany(TrackedFigure.From)];
        if (figures.GroupBy(figure => (figure.Case, figure.Measure)).FirstOrDefault(group => group.Count() > 1) is { Key.Case: var name })
        {
            throw BenchmarkException.BadInput($"Several results are of '{name}', and a service keeps one for each commit. Write each to a file of its own.");
        }

        writer.WriteLine(JsonOf(figures.Where(figure => _hasTimes || figure.IsRate)).ToJsonString(ResultJson.Readable.Options));
    }

    private protected abstract JsonNode JsonOf(IEnumerable<TrackedFigure> figures);
}

/// <summary>All figures in Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format).</summary>
public sealed class BencherReport() : TrackingReport("bencher", hasTimes: true)
{
    private protected override JsonNode JsonOf(IEnumerable<TrackedFigure> figures) => new JsonObject(
        from figure in figures
        group KeyValuePair.Create<string, JsonNode?>(figure.Measure, MetricOf(figure)) by figure.Case into measures
        select KeyValuePair.Create<string, JsonNode?>(measures.Key, new JsonObject(measures)));

    private static JsonObject MetricOf(TrackedFigure figure) => figure is { Lower: { } lower, Upper: { } upper }
        ? new() { ["value"] = figure.Value, ["lower_value"] = lower, ["upper_value"] = upper }
        : new() { ["value"] = figure.Value };
}

/// <summary>Rates for the tool customBiggerIsBetter of https://github.com/benchmark-action/github-action-benchmark: a file has one direction.</summary>
public sealed class GitHubActionReport() : TrackingReport("github-action", hasTimes: false)
{
    private protected override JsonNode JsonOf(IEnumerable<TrackedFigure> figures) => new JsonArray([.. figures.Select(EntryOf)]);

    private static JsonObject EntryOf(TrackedFigure rate)
    {
        var entry = new JsonObject { ["name"] = rate.Case, ["unit"] = "msg/s", ["value"] = rate.Value, ["extra"] = rate.Version };
        if (rate.Lower is not null)
        {
            entry["range"] = Interval(rate.Lower, rate.Upper, "N0");
        }

        return entry;
    }
}

/// <summary>Of a comparison, the figures are those of the new version. The interval is that of <see cref="CaseFigure"/>. Times are in nanoseconds.</summary>
internal sealed record TrackedFigure(string Case, string Measure, double Value, double? Lower, double? Upper, string Version)
{
    private const string Rate = "throughput";

    public bool IsRate => Measure == Rate;

    public static IEnumerable<TrackedFigure> From(Result result) => result switch
    {
        RunResult { Valid: true } run => From(
            $"{run.Plan.Test}, {LoadOf(run)}: {run.Name}", run.LibraryVersion, Alone(run.MessagesPerSecond),
            Alone(run.LatencyMicroseconds?.P50), Alone(run.LatencyMicroseconds?.P99), Alone(run.Costs.Server?.CpuMicrosecondsPerMessage)),
        SuiteResult suite =>
            from benchmark in suite.Benchmarks
            from valid in benchmark.Cases
            where valid.Valid
            let figures = CaseFigures.From(benchmark, valid)
            let median = valid.MedianLaunch()
            from figure in From(
                median is null ? $"{benchmark.Title}: {valid.Library}" : $"{benchmark.Title}, {LoadOf(median)}: {valid.Library}",
                median?.LibraryVersion ?? string.Empty, figures.MessagesPerSecond, figures.P50Microseconds,
                figures.P99Microseconds, figures.ServerCpuMicroseconds)
            select figure,
        ComparisonResult comparison =>
            from compared in comparison.Cases
            from figure in From(
                $"{compared.Benchmark}: {compared.Library}", comparison.New, Alone(compared.NewMedian), null,
                NewOf(compared, JudgedFigure.P99), NewOf(compared, JudgedFigure.ServerCpu))
            select figure,
        _ => [],
    };

    // Figures of different loads do not belong to one name.
    private static string LoadOf(RunResult run) => string.Join(", ", run.Plan.WorkloadOptions.Select(option => $"{option.Key} {option.Value}").Prepend(
        PlanOptions.DescribeLoad(PlanOptions.All, run.Plan, run.Tls?.Negotiated ?? string.Empty)));

    // "latency" and "throughput" are measures that every project at Bencher has, in nanoseconds and operations per second.
    private static IEnumerable<TrackedFigure> From(string name, string version, CaseFigure? rate, CaseFigure? p50, CaseFigure? p99, CaseFigure? cpu) =>
        from figure in ((string Measure, CaseFigure? Of, double Scale)[])
        [
            (Rate, rate, 1), ("latency", p50, NanosecondsPerMicrosecond), ("latency-p99", p99, NanosecondsPerMicrosecond),
            ("server-cpu", cpu, NanosecondsPerMicrosecond),
        ]
        where figure.Of is not null
        select new TrackedFigure(
            name, figure.Measure, figure.Of.Value * figure.Scale, figure.Of.Lower * figure.Scale, figure.Of.Upper * figure.Scale, version);

    private static CaseFigure? NewOf(ComparedCase compared, JudgedFigure judged) =>
        Alone(compared.Figures.FirstOrDefault(figure => figure.Figure == judged)?.New);

    private static CaseFigure? Alone(double? figure) => figure is { } value ? new CaseFigure(value) : null;
}
