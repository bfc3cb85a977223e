using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using Spectre.Console;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>The steps of a search, with the 99th percentile of their latencies as bars, and the reasons of those that do not hold below.</summary>
internal static class SearchDrawing
{
    public static void Draw(SweepResult result, IAnsiConsole console)
    {
        Step[] steps = [.. result.Points.Select(point => new Step(point.Rate, point.Holds, point.Reason, point.Result?.LatencyMicroseconds))];
        TerminalText.Draw(console, writer => SweepPage.Write(result, writer), () => DrawSteps(console, steps, "msg/s", []));
    }

    public static void Draw(CapacityResult result, IAnsiConsole console)
    {
        Step[] steps =
        [
            .. result.Steps.Select(step => new Step(step.Clients, step.Holds, step.Reason, step.Figures?.LatencyMicroseconds) { Figures = step.Figures }),
        ];
        BarColumn<Step>[] costs =
        [
            new("connect") { Text = step => Units.Time(step.Figures?.ConnectSeconds * 1e6) },
            new("each") { Text = step => Units.Time(step.Figures?.ConnectMicrosecondsPerClient), Need = 3 },
            new("server MB") { Text = step => Figure(step.Figures?.ServerResidentBytes / BytesPerMegabyte, "N1"), Need = 2 },
            new("bytes/client") { Text = step => Figure(step.Figures?.ServerResidentBytesPerClient) },
            new("managed/client") { Text = step => Figure(step.Figures?.ServerManagedBytesPerClient), Need = 4 },
        ];
        TerminalText.Draw(console, writer => CapacityPage.Write(result, writer), () => DrawSteps(console, steps, "clients", costs));
    }

    private static void DrawSteps(IAnsiConsole console, Step[] steps, string unit, BarColumn<Step>[] costs)
    {
        double scale = steps.Max(step => step.Latency?.P99) is > 0 and var largest ? largest : 1;
        BarTable.Draw(
            console,
            [
                new(unit) { Text = step => Figure(step.Value), Style = StyleOf },
                new("holds") { Text = step => step.Holds ? "yes" : "no", Style = StyleOf, IsFigure = false },
                new("p99") { Bar = (step, width) => Bars.Of((step.Latency?.P99 ?? 0) / scale, width, StyleOf(step)), IsFigure = false },
                new("p50") { Text = step => Units.Time(step.Latency?.P50), Need = 1 },
                new("p99") { Text = step => Units.Time(step.Latency?.P99) },
                new("max") { Text = step => Units.Time(step.Latency?.Max), Need = 5 },
                .. costs,
            ],
            steps);
        foreach (Step step in steps.Where(step => step.Reason is not null))
        {
            TerminalText.Paragraph(console, $"{Figure(step.Value)} {unit}: {step.Reason}");
        }
    }

    private static string StyleOf(Step step) => step.Holds ? "green" : "red";

    private sealed record Step(double Value, bool Holds, string? Reason, LatencySummary? Latency)
    {
        public CapacityFigures? Figures { get; init; }
    }
}
