using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static partial class SearchBuilder
{
    private static readonly Column<SearchStep> s_holds = new("holds", step => step.Holds ? "yes" : step.IsSpoiled ? "undecided" : "no") { IsText = true };

    private static readonly Percentile[] s_drawn = [Percentile.P50, Percentile.P99, Percentile.P999];

    public static Document Create(SweepResult sweep) => new($"Sweep of {sweep.Library}", sweep.HarnessVersion,
    [
        CommonBlocks.Aborted(sweep.Aborted, "sweep"),
        AnswerOf(
            sweep.Highest is { } highest
            ? new Paragraph(
                $"Highest {NameOf(sweep)} of {sweep.Library} with {LimitsOf(sweep)}: ",
                Inline.Strong(Figure(highest, unit: sweep.Variable == SweepVariable.Rate ? " msg/s" : string.Empty)),
                CostOf(sweep.HighestStep) is { } cost
                    ? $", where a message costs the server {Time(cost)} of CPU time. {sweep.Conclusion}"
                    : $". {sweep.Conclusion}")
            : new Paragraph(
                sweep.Aborted ? $"No {NameOf(sweep)} of {sweep.Library} was found. {sweep.Conclusion}"
                    : sweep.IsUndecided ? $"Whether {sweep.Library} can have {LimitsOf(sweep)} is undecided. {sweep.Conclusion}"
                    : $"At no {NameOf(sweep)} did {sweep.Library} have {LimitsOf(sweep)}. {sweep.Conclusion}"),
            new Paragraph($"Load: {LoadOf(sweep)}.") { Tone = Tone.Soft }),
        .. StepsOf(sweep),
        CommonBlocks.Environment(sweep.Environment, null),
        CommonBlocks.Command(sweep.Command),
    ]);

    public static Document Create(SweepsResult result)
    {
        SweepResult[] sweeps = [.. result.Sweeps.OrderByDescending(sweep => sweep.Highest ?? 0)];
        SweepResult? first = sweeps.FirstOrDefault();
        string variable = first is null ? "value" : NameOf(first);
        return new Document($"Highest {variable} of {Plural.Format(sweeps.Length, "library", "libraries")}", result.HarnessVersion,
        [
            CommonBlocks.Aborted(result.Aborted, "sweeps"),
            .. sweeps.Select(sweep => new Section(sweep.Library, [.. StepsOf(sweep)]) { Media = Media.File }),
            new Section("Answer",
            [
                new Paragraph(first is null ? "No library was measured."
                    : $"Highest {variable} with {LimitsOf(first)}, and the figures there ({LoadOf(first)}):"),
                Table.Create(
                    "Highest values",
                    [
                        new("library", sweep => sweep.Library) { IsText = true, IsRowHeader = true },
                        new(first is null ? "value" : UnitOf(first), sweep => sweep.Highest),
                        new("p99 ms", sweep => Percentile.P99.In(sweep.HighestStep?.Result?.Clients.Latency) / 1000) { Format = "N2" },
                        CostColumn<SweepResult>(sweep => sweep.HighestStep),
                        .. GameColumns<SweepResult>(sweep => sweep.HighestStep?.Result),
                    ],
                    sweeps,
                    sweep => sweep.Highest is null ? Tone.Bad : sweep.IsUndecided ? Tone.Doubtful : Tone.Plain),
                new BulletList(sweeps.Select(sweep => $"{sweep.Library}: {sweep.Conclusion}")),
            ],
            IsLead: true),
            CommonBlocks.Environment(result.Environment, null),
            CommonBlocks.Command(result.Command),
        ]);
    }

    public static Document Create(CapacityResult search) => new($"Most clients of {search.Library}", search.HarnessVersion,
    [
        CommonBlocks.Aborted(search.Aborted, "search"),
        CommonBlocks.LoadOn(
            search.Environment,
            new("Library", CommonBlocks.TransportOf(search)),
            new("Clients", search.ClientLibrary),
            new("Message size", SizeOf(search.Plan)),
            new("Deadline of each client's round trip", Figure(search.Plan.LossDeadline.TotalMilliseconds, "0.###", " ms"))),
        AnswerOf(search.HighestClients is { } clients
            ? new Paragraph(
                $"Most clients of {search.Library} that were all connected and all had their answer in time: ",
                Inline.Strong(Figure(clients)),
                $". {search.Conclusion}")
            : new Paragraph($"No number of clients of {search.Library} {(search.Aborted ? "was found" : "held")}. {search.Conclusion}")),
        PlotOf(search, "clients", "clients"),
        TableOf(
            "Numbers of clients",
            search.Steps,
            new("clients", step => step.Value) { IsRowHeader = true },
            s_holds,
            new("connect ms", step => step.Result?.Clients.ConnectSeconds * 1000),
            new("µs/client", step => step.Result?.Clients.ConnectSeconds * MicrosecondsPerSecond / step.Value) { Priority = 3 },
            new("p50 ms", step => Percentile.P50.In(step.Result?.Clients.Latency) / 1000) { Format = "N2", Priority = 1 },
            new("p99 ms", step => Percentile.P99.In(step.Result?.Clients.Latency) / 1000) { Format = "N2" },
            new("max ms", step => step.Result?.LatencyMicroseconds?.Max / 1000) { Format = "N2", Priority = 5 },
            new("server empty MiB", step => step.Result?.ServerMemory?.ResidentBytesBefore / BytesPerMebibyte) { Format = "N1", Priority = 9 },
            new("server MiB", step => step.Result?.ServerMemory?.ResidentBytes / BytesPerMebibyte) { Format = "N1", Priority = 2 },
            new("bytes/client", step => step.Result?.ServerMemory?.ResidentBytesPerClient),
            new("managed/client", step => step.Result?.ServerMemory?.ManagedBytesPerClient) { Priority = 4 }),
        .. ReasonsOf(search.Steps, "clients"),
        new Paragraph(
            "Connect: all clients, and the same for each of them. Round trips: one of each client, all at once. Server: resident memory of its process " +
                "before the first client and with all of them idle, and by how much it grew for each; managed is the part in .NET's heap.")
        {
            Tone = Tone.Soft,
        },
        .. CommonBlocks.Warnings(search.Fitness),
        CommonBlocks.Environment(search.Environment, search.Fitness),
        CommonBlocks.Command(search.Command),
    ]);

    private static Block[] StepsOf(SweepResult sweep) =>
    [
        PlotOf(sweep, sweep.Variable == SweepVariable.Rate ? "rate, msg/s" : "clients", PlainUnitOf(sweep)),
        TableOf(
            sweep.Variable == SweepVariable.Rate ? "Runs by rate" : "Runs by number of clients",
            sweep.Steps,
            [
                new(UnitOf(sweep), step => step.Value) { IsRowHeader = true },
                s_holds,
                new("p50 ms", step => Percentile.P50.In(step.Result?.Clients.Latency) / 1000) { Format = "N2" },
                new("p99 ms", step => Percentile.P99.In(step.Result?.Clients.Latency) / 1000) { Format = "N2" },
                new("p99.9 ms", step => Percentile.P999.In(step.Result?.Clients.Latency) / 1000) { Format = "N2", Priority = 1 },
                new("max ms", step => step.Result?.LatencyMicroseconds?.Max / 1000) { Format = "N2", Priority = 4 },
                CostColumn<SearchStep>(step => step),
                .. sweep.Variable == SweepVariable.Rate
                    ? [new("lost", step => step.Result?.Lost) { Priority = 2 }]
                    : GameColumns<SearchStep>(step => step.Result),
            ]),
        .. ReasonsOf(sweep.Steps, PlainUnitOf(sweep)),
    ];

    private static double? CostOf(SearchStep? step) => step?.Result?.Costs.Server?.CpuMicrosecondsPerMessage;

    private static Column<TRow> CostColumn<TRow>(Func<TRow, SearchStep?> stepOf) => new(
        "server CPU per message", row => CostOf(stepOf(row)), Text: row => Time(CostOf(stepOf(row))), ShortTitle: "CPU/msg", IsOptional: true, Priority: 3);

    // What is the same at each step: of the clients, of each client if their number was searched.
    private static string LoadOf(SweepResult sweep)
    {
        RunPlan plan = sweep.Plan;
        RunPlan? there = sweep.HighestStep?.Result?.Plan;
        string? sending = sweep.Variable == SweepVariable.Rate ? $"{Plural.Format(plan.Clients, "client")}{Loads.ArrivalsOf(plan)}"
            : there is null ? null
            : there.Rate is { } rate ? $"{Number(rate / there.Clients)} msg/s for each client"
            : $"{Plural.Format(there.ParallelMessages, "message")} in flight each";
        return string.Join(", ", ((string?[])[sending, SizeOf(plan), Loads.NameOf(sweep.Protocol)]).OfType<string>()) + Loads.PathOf(plan);
    }

    // What bounds a server with many clients.
    private static Column<TRow>[] GameColumns<TRow>(Func<TRow, RunResult?> runOf) =>
    [
        new("age p99 ms", row => Percentile.P99.In(runOf(row)?.Ages) / 1000) { Format = "N1", IsOptional = true },
        new("late ticks", row => runOf(row)?.LateTicks * 100) { Format = "0.##", Unit = " %", IsOptional = true, Priority = 2 },
        new("server CPU", row => runOf(row)?.Costs.Server?.BusyCores * 100) { Format = "N0", Unit = " %", IsOptional = true },
        new("wire B/msg", row => runOf(row)?.Wire?.BytesPerMessage) { Format = "N1", IsOptional = true },
        new("lost", row => runOf(row)?.Lost) { Priority = 2 },
    ];

    private static string NameOf(SweepResult sweep) => sweep.Variable == SweepVariable.Rate ? "rate" : "number of clients";

    private static string PlainUnitOf(SweepResult sweep) => sweep.Variable == SweepVariable.Rate ? "msg/s" : "clients";

    private static string UnitOf(SweepResult sweep) => sweep.Variable == SweepVariable.Rate ? "rate msg/s" : "clients";

    private static string LimitsOf(SweepResult sweep) =>
        string.Join(", ", sweep.Limits) + (sweep.Plan.HasLimit(LimitKind.Loss) ? string.Empty
            : sweep.Steps.Any(step => step.Result?.Relay?.Counts.DroppedOnPurpose > 0) ? " and nothing lost but by the impairment"
            : " and nothing lost");

    private static Table TableOf(string caption, IReadOnlyList<SearchStep> steps, params Column<SearchStep>[] columns)
    {
        double[] p99 = [.. steps.Select(step => Percentile.P99.In(step.Result?.Clients.Latency) ?? 0)];
        return Table.Create(caption, columns, steps, step => step.Holds ? Tone.Good : Tone.Bad)
            .WithBars(Plot.BarsOf(Axis.Linear(p99, ShortTime), 0, p99), "p99", columnsBefore: 2);
    }

    private static Section AnswerOf(params Paragraph[] answer) => new("Answer", answer, IsLead: true);

    // Reasons that differ in their figures alone are one line, with the figures of the lowest step.
    private static IEnumerable<Block> ReasonsOf(IReadOnlyList<SearchStep> steps, string unit) =>
        from step in steps
        let reason = step.Reason?.TrimEnd('.')
        where reason is not null
        group (step.Value, reason) by Figures().Replace(reason, "#") into equal
        let first = equal.First()
        let of = equal.All(step => step.reason == first.reason) ? string.Empty : $" (at {Figure(first.Value)})"
        select new Paragraph($"{string.Join("; ", equal.Select(step => Figure(step.Value)))} {unit}: {first.reason}{of}.");

    [GeneratedRegex("[0-9][0-9.,]*")]
    private static partial Regex Figures();

    private static Plot PlotOf(SearchResult search, string title, string unit)
    {
        LoadPoint[] measured =
        [
            .. from step in search.Steps
               let latency = step.Result?.Clients.Latency
               where latency?.Microseconds is not null
               select new LoadPoint(step.Value, latency, step.Holds),
        ];
        RunLimit[] limits = [.. (search.Plan.Limits ?? []).Where(limit => limit.Kind == LimitKind.Latency)];
        return LoadPoint.PlotOf(measured, s_drawn, Axis.Logarithmic(measured.Select(point => point.Load), Short), unit, limits) with
        {
            Note = "Circles: does not hold.",
            XTitle = title,
        };
    }
}

internal readonly record struct LoadPoint(double Load, LatencyReport Latency, bool Holds)
{
    public static Plot PlotOf(IReadOnlyList<LoadPoint> loads, IReadOnlyList<Percentile> drawn, Axis x, string unit, params RunLimit[] limits)
    {
        Series[] lines = loads.Count == 0 ? [] :
        [
            .. from line in drawn.Index()
               let percentile = line.Item
               let points = from load in loads
                            let known = percentile.In(load.Latency)
                            where known is not null
                            let value = known.Value
                            select new PlotPoint(load.Load, value, $"{Figure(load.Load)} {unit}, {percentile.Name}: {Time(value)}", !load.Holds)
               where points.Any()
               select new Series(percentile.Name, PlotStyle.Colour(line.Index), [.. points]),
            .. from limit in limits.Index()
               let name = $"limit {limit.Item.Text}"
               let ends = new[] { loads.Min(load => load.Load), loads.Max(load => load.Load) }
               let points = ends.Select(end => new PlotPoint(end, limit.Item.Bound, null)).ToArray()
               select new Series(name, $"{PlotStyle.Colour(drawn.Count + limit.Index)} {PlotStyle.Dash(1)}", points) { Marks = [], Words = name },
        ];
        return Plot.Lines("Latency over load", x, Axis.Logarithmic, ShortTime, lines) with { YTitle = "latency" };
    }
}
