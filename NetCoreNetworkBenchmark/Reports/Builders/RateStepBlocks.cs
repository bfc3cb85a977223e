using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class RateStepBlocks
{
    public const string Picture = "steps.svg";

    private static readonly Percentile[] s_drawn = [Percentile.P50, Percentile.P99];

    public static IEnumerable<Block> Create(RunResult run) => run.Knee is { } knee ? [new Paragraph(knee), PlotOf(run), TableOf(run.Clients.Iterations)] : [];

    public static Plot PlotOf(RunResult run)
    {
        IReadOnlyList<IterationResult> parts = run.Clients.Iterations;
        LoadPoint[] measured =
        [
            .. from part in parts.Index()
               let latency = part.Item.Step!.Latency
               where latency.Microseconds is not null
               select new LoadPoint(part.Item.Step!.Rate, latency, RateKnee.ReasonOf(parts, part.Index) is null),
        ];
        return LoadPoint.PlotOf(measured, s_drawn, Axis.Linear(measured.Select(point => point.Load), Short), "msg/s") with
        {
            Note = "Circles: did not keep pace.",
            XTitle = "requested rate, msg/s",
        };
    }

    private static Table TableOf(IReadOnlyList<IterationResult> parts)
    {
        double[] p99 = [.. parts.Select(part => part.Step!.Latency.Microseconds?.P99 ?? 0)];
        double origin = Math.Pow(10, Math.Floor(Math.Log10(p99.Where(value => value > 0).DefaultIfEmpty(1).Min())));
        (IterationResult Part, RateStep Step, string? Reason)[] steps = [.. parts.Select((part, index) => (part, part.Step!, RateKnee.ReasonOf(parts, index)))];
        return Table.Create(
            "Steps of the rate",
            [
                new("rate msg/s", row => row.Step.Rate) { IsRowHeader = true },
                new("answered msg/s", row => row.Step.AnsweredPerSecond(row.Part)),
                new("kept pace", row => row.Reason is null ? "yes" : "no") { IsText = true },
                new("p50 µs", row => Percentile.P50.In(row.Step.Latency)),
                new("p99 µs", row => Percentile.P99.In(row.Step.Latency)),
                new("max µs", row => row.Step.Latency.Microseconds?.Max) { Priority = 2 },
                new("lost", row => row.Step.Lost),
                new("late", row => row.Step.SentLate) { Priority = 1 },
            ],
            steps,
            row => row.Reason is null ? Tone.Good : Tone.Bad).WithBars(
                Plot.BarsOf(Axis.LogarithmicFrom(origin, p99.Max()), origin, p99), $"p99, log scale from {Time(origin)}", columnsBefore: 3);
    }
}
