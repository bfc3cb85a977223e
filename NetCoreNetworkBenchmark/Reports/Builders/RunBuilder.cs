using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class RunBuilder
{
    private static readonly (string Name, Func<LatencyReport, double?> Of)[] s_latencies =
    [
        ("min", latency => latency.Microseconds?.Min),
        ("mean", latency => latency.Microseconds?.Mean),
        .. Percentile.All.Select(percentile => (percentile.Name, (Func<LatencyReport, double?>)percentile.In)),
        ("max", latency => latency.Microseconds?.Max),
    ];

    public static Document Create(RunResult run) => new($"{run.Plan.Test}: {run.Name}", run.HarnessVersion,
    [
        LoadOf(run),
        new Section(run.Name,
        [
            new Paragraph(CommonBlocks.TransportOf(run)) { Tone = Tone.Soft },
            new Paragraph(
                $"{run.Plan.Test}: {Plural.Format(run.Plan.Clients, "client")}, {SendingOf(run)}, {SizeOf(run.Plan)}, " +
                Figure(run.DurationSeconds, "0.0", " s"))
            { Media = Media.Console },
            new Paragraph(run.Valid ? "Valid: the figures may be used." : "Invalid: the figures may not be used.")
            {
                Tone = run.Valid ? Tone.Good : Tone.Bad,
                Media = Media.Html,
            },
            .. CommonBlocks.Invalid(run.InvalidReasons),
            CommonBlocks.Aborted(run.Clients.Aborted, "measurement"),
            .. CommonBlocks.Limits(run),
            Headline(run),
            .. RateStepBlocks.Create(run),
            .. PlotsOf(run),
            TimelinePlots.Create(run),
            .. FiguresOf(run, run.Remarks),
            run.OneProcess ? new Paragraph("The CPU time is that of server and clients together. ", Inline.Code("--launches 3"), " has the server's.") : null,
            .. CommonBlocks.Warnings(run.Fitness),
        ]),
        CommonBlocks.Environment(run.Environment, run.Fitness),
        CommonBlocks.Command(run.Command),
    ]);

    public static Document Create(ServerResult result)
    {
        ServerReport server = result.Server;
        Cost[] costs = server.Cost is { } cost ? [new("Server", PlotStyle.Colour(0), cost)] : [];
        string duration = result.DurationSeconds is { } seconds
            ? Invariant($"{seconds:0.000} s from the first to the last message, {Math.Max(0, seconds - (server.Cost?.Seconds ?? 0)):0.000} s of it idle")
            : Figure(server.Cost?.Seconds, ThreeDecimals, " s");
        return new Document($"{result.Plan.Test} server: {result.Library}", result.HarnessVersion,
        [
            CommonBlocks.LoadOn(
                result.Environment, new("Address", result.EndPoint), new("Message size", SizeOf(result.Plan))),
            new Paragraph(CommonBlocks.TransportOf(result)) { Tone = Tone.Soft },
            .. Cost.PlotsOf(string.Empty, costs),
            new Facts(
            [
                new("Duration", duration),
                new("Messages server received", RunFacts.Reported(server.Received)),
                new("Messages sent by server", RunFacts.Reported(server.Sent)),
                new("Errors", Figure(server.Errors.Values.Sum()) + Names(server.Errors)),
                RunFacts.Ended(server.Disconnects),
                .. RunFacts.Unsolicited(server.Unsolicited),
                .. RunFacts.Tls(TlsResult.From(result.Plan, [], server, result.Environment)),
                .. RunFacts.Sides(result.Plan.Settings, server, null),
            ]),
            Cost.TableOf(costs),
            .. CommonBlocks.Notes(server.Remarks),
            .. CommonBlocks.Warnings(result.Fitness),
            CommonBlocks.Environment(result.Environment, result.Fitness),
            CommonBlocks.Command(result.Command),
        ]);
    }

    public static Facts LoadOf(RunResult run) => CommonBlocks.LoadOn(
        run.Environment,
        new("Test", run.Plan.Test),
        new("Address", Invariant($"{run.Address}, Port: {run.Port}")),
        new("Number of clients", Figure(run.Plan.Clients)),
        new("Multicast group on the interface", run.Plan.MulticastGroup is null ? null : run.Plan.MulticastInterface),
        (run.Schedule, run.IsOneWay) switch
        {
            (null, true) => new("Rate", "the server sends as fast as the clients take it"),
            (null, _) => new("Parallel messages per client", Figure(run.Plan.ParallelMessages)),
            _ => new("Rate", SendingOf(run)),
        },
        new("Message size", SizeOf(run.Plan)),
        new("Defined duration", Plural.Format(run.Plan.Duration.TotalSeconds, "second", format: "#,0.###")),
        new("Options of the test", run.Plan.WorkloadOptions.Count == 0 ? null : Pairs(run.Plan.WorkloadOptions, " "))) with
    { Media = Media.File };

    public static IEnumerable<Block?> FiguresOf(RunResult run, IEnumerable<string> remarks) =>
    [
        new Facts([.. RunFacts.Throughput(run)]),
        LatencyTable(run),
        new Facts([.. RunFacts.Deliveries(run)]),
        Cost.TableOf(Cost.From(run.Costs)),
        new Facts([.. RunFacts.Circumstances(run)]),
        .. CommonBlocks.Notes(remarks),
        .. ImpairmentOf(run),
    ];

    private static string SendingOf(RunResult run) => (run.Schedule, run.IsOneWay) switch
    {
        ({ } schedule, true) => Invariant($"{schedule.RequestedPerSecond:N0} msg/s in all, paced by the server"),
        (not null, _) => $"{Loads.RateOf(run.Plan)}, open loop{Loads.ArrivalsOf(run.Plan)}",
        (_, true) => "as fast as the clients take it",
        _ => Invariant($"{run.Plan.ParallelMessages:N0} in flight each"),
    };

    private static Facts Headline(RunResult run)
    {
        ProcessCost? cost = run.Costs.Server ?? run.Costs.Combined;
        return new Facts(
        [
            new("Messages per second", Figure(run.MessagesPerSecond)),
            new("Data", Figure(run.MebibytesPerSecond, "N2", " MiB/s")),
            .. from row in s_latencies
               where row.Name is "mean" or "p50" or "p99" or "p99.9" or "max"
               select new Fact($"Latency, {row.Name}", Time(row.Of(run.Clients.Latency))),
            new(run.Costs.Combined is null ? "Server CPU per message" : "CPU of both sides per message", Time(cost?.CpuMicrosecondsPerMessage)),
            new("Lost", Figure(run.Lost)),
            new("Errors", Figure(run.Errors)),
        ])
        { Style = FactStyle.Headline, Media = Media.Html | Media.Console };
    }

    private static NamedLatency[] DistributionsOf(RunResult run) =>
    [
        new(run.IsOneWay ? "one way" : "latency", run.Clients.Latency),
        new("uncorrected", run.Clients.Uncorrected ?? new LatencyReport(null, null)),
        .. run.Clients.Parts,
        .. run.Clients.Distributions,
    ];

    // A row for each percentile, and a column for each distribution. The bars are those of the first, from the power of ten below its least.
    private static Table? LatencyTable(RunResult run)
    {
        NamedLatency[] distributions = [.. DistributionsOf(run).Where(distribution => distribution.Latency.Microseconds is not null)];
        if (distributions.Length == 0)
        {
            return null;
        }

        (string Name, Func<LatencyReport, double?> Of)[] rows =
            [.. s_latencies.Where(row => distributions.Any(distribution => row.Of(distribution.Latency) is not null))];
        double[] drawn = [.. rows.Select(row => row.Of(distributions[0].Latency) ?? 0)];
        double origin = drawn.Where(value => value > 0).Select(value => Math.Pow(10, Math.Floor(Math.Log10(value)))).DefaultIfEmpty(1).Min();
        return Table.Create(
            "Latencies",
            [
                new("percentile", row => row.Name) { IsText = true, IsRowHeader = true },
                .. distributions.Index().Select(distribution => new Column<(string Name, Func<LatencyReport, double?> Of)>(
                    distribution.Item.Name, row => row.Of(distribution.Item.Latency))
                {
                    Text = row => Time(row.Of(distribution.Item.Latency)),
                    Priority = distribution.Index,
                }),
            ],
            rows).WithBars(
                Plot.BarsOf(Axis.LogarithmicFrom(origin, drawn.Max()), origin, drawn),
                $"log scale from {Time(origin)}",
                columnsBefore: 1 + distributions.Length);
    }

    private static IEnumerable<Block> PlotsOf(RunResult run)
    {
        NamedLatency[] all = DistributionsOf(run);
        var palette = new Palette(all.Select(distribution => distribution.Name));
        var ofOthers = new Palette(all.Skip(2).Select(distribution => distribution.Name));
        PlotPoint[] parts =
        [
            .. run.Clients.Iterations.Index().Select(part => new PlotPoint(
                part.Index + 1, part.Item.MessagesPerSecond, Invariant($"Part {part.Index + 1}: {part.Item.MessagesPerSecond:N0} msg/s"))),
        ];
        Series[] rates = parts.Length < 2 ? [] : [new Series("rate", PlotStyle.Colour(0), parts)];
        return
        [
            LatencyCurve.PlotOf("Latency over percentiles", null, all.Take(2), palette),
            LatencyCurve.PlotOf("Other times over percentiles", null, all.Skip(2), ofOthers),
            Plot.Lines("Rate over the measurement", Axis.Numbers(parts.Length), Axis.Linear, Short, rates) with { YTitle = "msg/s", XTitle = "part" },
            .. Cost.PlotsOf(string.Empty, Cost.From(run.Costs)),
        ];
    }

    // The requested impairments, the actions of the relay, and their effects as the clients saw them, over the whole run.
    private static IEnumerable<Block> ImpairmentOf(RunResult run)
    {
        if (run.Relay is not { Counts: { ToServer: var to, ToClients: var back } relay, Neighbour: var neighbour })
        {
            return [];
        }

        bool isOfPackets = run.Plan.Impairment.IsOfPackets;
        string[] events =
        [
            isOfPackets ? Plural.Format(relay.Stalls, "stall") : Plural.Format(relay.Cuts, "cut"),
            .. from times in new[] { (Count: relay.Outages, Name: "outage"), (Count: relay.Roams, Name: "roam") }
               where times.Count > 0
               select Plural.Format(times.Count, times.Name),
            isOfPackets
                ? Plural.Format(relay.Clients, "client")
                : $"{Plural.Format(relay.Clients, "connection")}, {Figure(relay.ResetConnections)} of them reset",
        ];
        var sentence = new Paragraph(
            $"Impaired on purpose with {Pairs(ImpairmentOptions.Arguments(run.Plan.Impairment), " ")}: {string.Join(", ", events)}.");
        if (!isOfPackets)
        {
            return [sentence];
        }

        RunTotals totals = run.Totals;
        (string Name, long ToServer, long ToClients, long Seen)[] rows =
        [
            ("passed on", to.Forwarded, back.Forwarded, totals.Received),
            ("dropped", to.Dropped + to.Overflowed, back.Dropped + back.Overflowed, totals.Lost),
            ("duplicated", to.Duplicated, back.Duplicated, totals.Duplicated),
            ("reordered", to.Reordered, back.Reordered, totals.Reordered),
            ("corrupted", to.Corrupted, back.Corrupted, totals.Corrupted),
        ];
        return
        [
            sentence,
            Table.Create(
                "What the relay did",
                [
                    new(run.Plan.Protocol.IsOverTcp() || neighbour is not null ? "Packets" : "Datagrams", row => row.Name, IsText: true, IsRowHeader: true),
                    new("to the server", row => row.ToServer),
                    new("to the clients", row => row.ToClients),
                    new("seen by the clients", row => row.Seen),
                ],
                rows),
            new Facts([new("TCP neighbour", neighbour is null ? null : DescribeNeighbour(neighbour))]),
        ];
    }

    private static string DescribeNeighbour(NeighbourReport neighbour) =>
        $"{Figure(neighbour.GoodputBitsPerSecond / NeighbourReport.BitsPerMegabit, "0.00", " Mbit/s")}, " +
        $"round trip p50 {Time(neighbour.RoundTripMicroseconds?.P50)}, p99 {Time(neighbour.RoundTripMicroseconds?.P99)} ({neighbour.CongestionControl})";
}
