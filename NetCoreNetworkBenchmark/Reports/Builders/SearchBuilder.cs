using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The reports of the searches: for the highest rate, and for the most clients.</summary>
internal static class SearchBuilder
{
    private static readonly (string Name, string Style, Func<LatencySummary, double> Of)[] s_percentiles =
    [
        ("p50", "s0", latency => latency.P50), ("p99", "s1", latency => latency.P99), ("p99.9", "s2", latency => latency.P999),
    ];

    public static Document Of(SweepResult sweep)
    {
        string limits = string.Join(", ", sweep.Limits);
        Step[] steps =
        [
            .. sweep.Points.Select(point => new Step(point.Rate, point.Holds, point.Reason, point.Result?.LatencyMicroseconds) { Run = point.Result }),
        ];
        return new Document($"Sweep of {sweep.Library}", sweep.HarnessVersion,
        [
            .. CommonBlocks.Aborted(sweep.Aborted, "sweep"),
            sweep.HighestRate is { } rate
                ? new Paragraph($"Highest rate with {limits} and nothing lost: ", Inline.Strong(Figure(rate, unit: " msg/s")), $". {sweep.Conclusion}")
                : new Paragraph($"No rate held {limits} with nothing lost. {sweep.Conclusion}"),
            .. PlotOf(steps, "rate, msg/s", "msg/s"),
            TableOf(
                "Runs by rate",
                steps,
                [
                    new("rate msg/s", step => step.Value),
                    Holds,
                    new("p50 µs", step => step.Latency?.P50),
                    new("p99 µs", step => step.Latency?.P99),
                    new("p99.9 µs", step => step.Latency?.P999) { Priority = 1 },
                    new("max µs", step => step.Latency?.Max) { Priority = 3 },
                    new("lost", step => step.Run?.Lost) { Priority = 2 },
                ]),
            .. ReasonsOf(steps, "msg/s"),
            CommonBlocks.Environment(sweep.Environment, null),
            .. CommonBlocks.Command(sweep.Command),
        ]);
    }

    public static Document Of(CapacityResult search)
    {
        Step[] steps =
        [
            .. search.Steps.Select(step => new Step(step.Clients, step.Holds, step.Reason, step.Figures?.LatencyMicroseconds) { Figures = step.Figures }),
        ];
        return new Document($"Most clients of {search.Library}", search.HarnessVersion,
        [
            .. CommonBlocks.Aborted(search.Aborted, "search"),
            new Facts(
            [
                .. CommonBlocks.SystemOf(search.Environment),
                new("Library", CommonBlocks.TransportOf(search)),
                new("Clients", search.ClientLibrary),
                new("Message size", Figure(search.MessageSize, unit: " bytes")),
                new("Deadline of each client's round trip", Figure(search.DeadlineMilliseconds, "0.###", " ms")),
            ]) { Style = FactStyle.List },
            search.HighestClients is { } clients
                ? new Paragraph(
                    "Most clients that were all connected and all had their answer in time: ", Inline.Strong(Figure(clients)), $". {search.Conclusion}")
                : new Paragraph($"No number of clients held. {search.Conclusion}"),
            .. PlotOf(steps, "clients", "clients"),
            TableOf(
                "Numbers of clients",
                steps,
                [
                    new("clients", step => step.Value), Holds,
                    new("connect ms", step => step.Figures?.ConnectSeconds * 1000),
                    new("µs/client", step => step.Figures?.ConnectMicrosecondsPerClient) { Priority = 3 },
                    new("p50 ms", step => step.Latency?.P50 / 1000) { Format = "N2", Priority = 1 },
                    new("p99 ms", step => step.Latency?.P99 / 1000) { Format = "N2" },
                    new("max ms", step => step.Latency?.Max / 1000) { Format = "N2", Priority = 5 },
                    new("server empty MB", step => step.Figures?.ServerResidentBytesBefore / BytesPerMegabyte) { Format = "N1", Priority = 9 },
                    new("server MB", step => step.Figures?.ServerResidentBytes / BytesPerMegabyte) { Format = "N1", Priority = 2 },
                    new("bytes/client", step => step.Figures?.ServerResidentBytesPerClient),
                    new("managed/client", step => step.Figures?.ServerManagedBytesPerClient) { Priority = 4 },
                ]),
            .. ReasonsOf(steps, "clients"),
            new Paragraph(
                "Connect: all clients, and the same for each of them. Round trips: one of each client, all at once. Server: resident memory of its process " +
                    "before the first client and with all of them idle, and by how much it grew for each; managed is the part in .NET's heap.")
            {
                Tone = Tone.Soft,
            },
            .. CommonBlocks.Warnings(search.Fitness),
            CommonBlocks.Environment(search.Environment, search.Fitness),
            .. CommonBlocks.Command(search.Command),
        ]);
    }

    private static Column<Step> Holds { get; } = new("holds", step => step.Holds ? "yes" : "no") { IsText = true };

    private static Table TableOf(string caption, Step[] steps, Column<Step>[] columns) =>
        Table.Of(caption, columns, steps, step => step.Holds ? Tone.Good : Tone.Bad) with
        {
            Bars = Plot.BarsOf(Axis.Linear(steps.Select(step => step.Latency?.P99 ?? 0), ShortTime), 0, steps.Select(step => step.Latency?.P99 ?? 0)),
            BarTitle = "p99",
            ColumnsBeforeBars = 2,
        };

    private static IEnumerable<Block> ReasonsOf(Step[] steps, string unit) => CommonBlocks.Paragraphs(
        from step in steps where step.Reason is not null select $"{Figure(step.Value)} {unit}: {step.Reason}");

    private static IEnumerable<Block> PlotOf(Step[] steps, string title, string unit)
    {
        Series[] lines =
        [
            .. s_percentiles.Select(percentile => new Series(
                percentile.Name,
                percentile.Style,
                [
                    .. from step in steps
                       where step.Latency is not null
                       let value = percentile.Of(step.Latency!)
                       select new PlotPoint(step.Value, value, $"{Figure(step.Value)} {unit}, {percentile.Name}: {Microseconds(value)}", !step.Holds),
                ])),
        ];
        PlotPoint[] points = [.. lines.SelectMany(line => line.Points)];
        return points.Length == 0 ? [] :
        [
            new Plot("Latency over load", Axis.Logarithmic(points.Select(point => point.X), Short))
            {
                Note = "Circles: does not hold.",
                YTitle = "latency",
                XTitle = title,
                Y = Axis.Logarithmic(points.Select(point => point.Y), ShortTime),
                Series = lines,
                Legend = [.. lines.Select(line => (line.Name, line.Style))],
                Media = Media.Html,
            },
        ];
    }

    private sealed record Step(double Value, bool Holds, string? Reason, LatencySummary? Latency)
    {
        public CapacityFigures? Figures { get; init; }

        public RunResult? Run { get; init; }
    }
}
