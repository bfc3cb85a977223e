using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using Spectre.Console;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>One run: the headline figures, the percentiles as bars, what went wrong, and the cost of each side.</summary>
internal static class RunDrawing
{
    private const string InvalidStyle = "red";
    private const string BarStyle = "blue";
    private const int Gap = 2;

    public static void Draw(RunResult result, IAnsiConsole console)
    {
        DrawHeadline(result, console);
        DrawPercentiles(result, console);
        DrawCounts(result, console);
        DrawCosts(result.Costs, console);
        DrawDetails(result, console);
    }

    private static void DrawHeadline(RunResult result, IAnsiConsole console)
    {
        LatencySummary? latency = result.LatencyMicroseconds;
        string[] lines =
        [
            Invariant($"[bold]{result.MessagesPerSecond:N0} msg/s[/]   {result.MegabytesPerSecond:N2} MB/s") +
                (latency is null ? string.Empty : $"   p50 {Units.Time(latency.P50)}   p99 {Units.Time(latency.P99)}   max {Units.Time(latency.Max)}"),
            Markup.Escape(Invariant(
                $"{result.Test}: {result.Clients:N0} {(result.Clients == 1 ? "client" : "clients")}, {Sending(result)}, {result.MessageSize:N0} bytes, ") +
                Invariant($"{result.DurationSeconds:0.0} s")),
            Markup.Escape(PageParts.Transport(result)),
            .. result.InvalidReasons.Select(reason => $"[{InvalidStyle} bold]Invalid:[/] {Markup.Escape(reason)}"),
        ];
        console.Write(new Panel(new Markup(string.Join('\n', lines)))
        {
            Header = new PanelHeader($" {Markup.Escape(result.Name)} "),
            Border = BoxBorder.Rounded,
            BorderStyle = Style.Parse(result.Valid ? "green" : InvalidStyle),
            Expand = true,
        });
    }

    private static string Sending(RunResult result) => (result.Schedule, result.LatencyKind) switch
    {
        ({ } schedule, LatencyKind.OneWay) => Invariant($"{schedule.AskedPerSecond:N0} msg/s in all, paced by the server"),
        ({ } schedule, _) => Invariant($"{schedule.AskedPerSecond:N0} msg/s (open loop)"),
        (_, LatencyKind.OneWay) => "as fast as the clients take it",
        _ => Invariant($"{result.ParallelMessages:N0} in flight each"),
    };

    private static void DrawPercentiles(RunResult result, IAnsiConsole console)
    {
        if (result.LatencyMicroseconds is not { } latency)
        {
            TerminalText.Paragraph(console, MessageLines.Latency(result));
            return;
        }

        Percentile[] percentiles =
        [
            .. latency.Min is { } min ? (Percentile[])[new("min", min)] : [],
            new("mean", latency.Mean), new("p50", latency.P50), new("p90", latency.P90), new("p95", latency.P95), new("p99", latency.P99),
            new("p99.9", latency.P999), new("p99.99", latency.P9999), new("max", latency.Max),
        ];

        // Each latency is a bar from the power of ten below the smallest.
        double[] positive = [.. percentiles.Select(percentile => percentile.Microseconds).Where(value => value > 0)];
        double from = positive.Length == 0 ? 0 : Math.Floor(Math.Log10(positive.Min()));
        double to = positive.Length == 0 ? 1 : Math.Max(from + 1, Math.Log10(positive.Max()));
        console.WriteLine();
        BarTable.Draw<Percentile>(
            console,
            [
                new("latency") { Text = percentile => percentile.Name, IsFigure = false },
                new("µs") { Text = percentile => Figure(percentile.Microseconds, "N3") },
                new($"log scale from {Units.Time(Math.Pow(10, from))}")
                {
                    IsFigure = false,
                    Bar = (percentile, width) => Bars.Of(
                        percentile.Microseconds > 0 ? (Math.Log10(percentile.Microseconds) - from) / (to - from) : 0, width, BarStyle),
                },
            ],
            percentiles);
    }

    private static void DrawCounts(RunResult result, IAnsiConsole console)
    {
        (string Name, string Count, bool IsFault)[] counts =
        [
            ("sent", Figure(result.Messages.ClientSent), false),
            ("received", Figure(result.Messages.ClientReceived), false),
            ("lost", Figure(result.Lost), result.Lost > 0),
            ("duplicated", Figure(result.Duplicated), result.Duplicated > 0),
            ("reordered", Figure(result.Reordered), result.Reordered > 0),
            ("corrupted", Figure(result.Corrupted), result.Corrupted > 0),
            ("errors", Figure(result.Errors), result.Errors > 0),
        ];
        console.WriteLine();
        if (counts.Sum(count => Math.Max(count.Name.Length, count.Count.Length) + Gap) > console.Profile.Width + Gap)
        {
            console.Write(new Markup($"{string.Join(", ", counts.Select(count => $"{count.Name} {count.Count}"))}\n"));
            return;
        }

        var table = new Table().Border(TableBorder.None);
        foreach ((string name, _, _) in counts)
        {
            table.AddColumn(new TableColumn($"[dim]{name}[/]") { Alignment = Justify.Right, Padding = new Padding(0, 0, Gap, 0), NoWrap = true });
        }

        table.AddRow([.. counts.Select(count => Bars.Styled(count.Count, count.IsFault ? InvalidStyle : string.Empty))]);
        console.Write(table);
    }

    private static void DrawCosts(RunCosts costs, IAnsiConsole console)
    {
        Side[] sides =
        [
            .. costs.Server is { } server ? (Side[])[new("Server", server)] : [],
            .. costs.Clients is { } clients ? (Side[])[new("Clients", clients)] : [],
            .. costs.Together is { } together ? (Side[])[new("Server and clients", together)] : [],
        ];
        if (sides.Length == 0)
        {
            return;
        }

        double scale = Math.Max(sides.Max(side => side.Cost.CpuMicrosecondsPerMessage ?? 0), double.Epsilon);
        console.WriteLine();
        BarTable.Draw<Side>(
            console,
            [
                new("CPU") { Text = side => side.Name, IsFigure = false },
                new("µs a message") { Text = side => Figure(side.Cost.CpuMicrosecondsPerMessage, "N3") },
                new("█ user ▒ system")
                {
                    IsFigure = false,
                    Bar = (side, width) => Bars.OfParts(
                        PerMessage(side.Cost, side.Cost.UserCpuSeconds) / scale, PerMessage(side.Cost, side.Cost.SystemCpuSeconds) / scale, width, BarStyle),
                },
                new("bytes a message") { Text = side => Figure(side.Cost.AllocatedBytesPerMessage, "N2") },
                new("GCs") { Text = side => string.Join('/', side.Cost.Collections) },
                new("GC pause") { Text = side => Units.Time(side.Cost.PauseSeconds * 1e6), Need = 2 },
                new("threads") { Text = side => Figure(side.Cost.PeakThreads), Need = 3 },
                new("MB") { Text = side => Figure(side.Cost.PeakResidentBytes / BytesPerMegabyte), Need = 1 },
            ],
            sides);
    }

    private static double PerMessage(ProcessCost cost, double seconds) => cost.Messages == 0 ? 0 : seconds * 1e6 / cost.Messages;

    private static void DrawDetails(RunResult result, IAnsiConsole console)
    {
        console.WriteLine();
        TerminalText.Draw(console, writer => RunPage.WriteDetails(result, writer));
    }

    private sealed record Percentile(string Name, double Microseconds);

    private sealed record Side(string Name, ProcessCost Cost);
}
