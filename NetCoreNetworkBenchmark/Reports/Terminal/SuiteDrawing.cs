using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using Spectre.Console;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>Several launches: a ranking for each benchmark, with the interval of each ratio or rate in its bar.</summary>
internal static class SuiteDrawing
{
    private const string BarStyle = "blue";
    private const string InvalidStyle = "red";

    public static void Draw(SuiteResult result, IAnsiConsole console)
    {
        console.Write(new Markup($"[dim]{Markup.Escape(MethodOf(result))}[/]\n"));
        foreach (IGrouping<string?, BenchmarkResult> part in result.Benchmarks.GroupBy(benchmark => benchmark.Part))
        {
            if (part.Key is { } heading)
            {
                TerminalText.Paragraph(console, heading, "bold underline");
            }

            TerminalText.Draw(console, writer => RowTables.Write([.. part.Where(benchmark => benchmark.Row is not null)], writer));
            foreach (BenchmarkResult benchmark in part.Where(benchmark => benchmark.Row is null))
            {
                DrawBenchmark(benchmark, console);
            }
        }

        DrawInvalid(result, console);
        TerminalText.Draw(console, writer =>
        {
            SuitePage.WriteRemarks(result, writer);
            SuitePage.WriteMissing(result, writer);
        });
        if (result.Benchmarks.Any(benchmark => benchmark.Decision is not null))
        {
            // The notes may have moved the ranking out of sight.
            TerminalText.Paragraph(console, RankingSentences.ConditionsOf(result));
            TerminalText.Draw(console, writer => RankingPage.WriteTables(result, writer));
        }
    }

    private static string MethodOf(SuiteResult result) => result.Benchmarks.Any(DeliveryTable.Fits)
        ? DeliveryTable.MethodOf(result)
        : result.Interleaving is null
        ? "Medians of launches in fresh processes. ▒ is the 95 % confidence interval between launches."
        : result.Benchmarks.All(benchmark => benchmark.Row is not null) ? RowTables.MethodOf(result)
        : $"{RankingTable.MethodOf(result)} A bar is the ratio of the messages per second to those of the floor; ▒ is its 95 % interval.";

    private static void DrawBenchmark(BenchmarkResult benchmark, IAnsiConsole console)
    {
        TerminalText.Paragraph(console, $"**{benchmark.Title}**{SuitePage.Load(benchmark)}");
        if (DeliveryTable.Fits(benchmark))
        {
            TerminalText.Draw(console, writer => writer.WriteTable(DeliveryTable.NarrowOf(benchmark)));
        }
        else if (benchmark.Floor is not null)
        {
            DrawRanking(benchmark, console);
        }
        else
        {
            DrawRates(benchmark, console);
        }

        if (benchmark is { Cases: [{ Launches.Count: > 1 } only] })
        {
            DrawLaunches(only, console);
        }

        if (ProfileLines.Of(benchmark) is { } profiles)
        {
            TerminalText.Paragraph(console, profiles, "dim");
        }
    }

    private static void DrawRanking(BenchmarkResult benchmark, IAnsiConsole console)
    {
        double scale = Scale(benchmark.Cases.Select(found => found.ToFloor?.Rate.Upper ?? found.ToFloor?.Rate.Ratio));
        BarTable.Draw(
            console,
            [
                new("place") { Text = RankingTable.PlaceOf },
                NameColumn,
                new("ratio, ▒ 95 %")
                {
                    IsFigure = false,
                    Bar = (found, width) => found.ToFloor is { } ratio
                        ? Bar(ratio.Rate.Ratio, ratio.Rate.Lower, ratio.Rate.Upper, scale, width, found)
                        : string.Empty,
                },
                new($"to {benchmark.Floor}") { Text = found => Figure(found.ToFloor?.Rate.Ratio, "0.000") },
                new("95 % interval") { Text = found => Interval(found.ToFloor?.Rate.Lower, found.ToFloor?.Rate.Upper, "0.000"), Need = 2 },
                .. Figures(),
                new("its ratio") { Text = found => Figure(found.ToFloor?.ServerCpu?.Ratio, "0.000"), Need = 3 },
            ],
            [.. RankingTable.Ordered(benchmark)]);
    }

    private static void DrawRates(BenchmarkResult benchmark, IAnsiConsole console)
    {
        double scale = Scale(benchmark.Cases.Select(found => found.Summary?.MessagesPerSecond.Upper ?? found.Summary?.MessagesPerSecond.Median));
        BarTable.Draw(
            console,
            [
                NameColumn,
                new("median, ▒ 95 %")
                {
                    IsFigure = false,
                    Bar = (found, width) => found.Summary?.MessagesPerSecond is { } rate
                        ? Bar(rate.Median, rate.Lower, rate.Upper, scale, width, found)
                        : string.Empty,
                },
                .. Figures(),
                new("95 % interval") { Text = found => IntervalOf(found.Summary?.MessagesPerSecond), Need = 2 },
                new("valid") { Text = found => Invariant($"{found.Launches.Count(launch => launch.IsValid)} of {found.Launches.Count}") },
            ],
            [.. benchmark.Cases.OrderByDescending(found => found.Summary?.MessagesPerSecond.Median ?? -1)]);
    }

    private static void DrawLaunches(CaseResult found, IAnsiConsole console)
    {
        double scale = Scale(found.Launches.Select(launch => launch.MessagesPerSecond));
        console.WriteLine();
        BarTable.Draw<LaunchResult>(
            console,
            [
                new("launch") { Text = launch => Invariant($"{launch.Number}") },
                new(string.Empty)
                {
                    Bar = (launch, width) => Bars.Of((launch.MessagesPerSecond ?? 0) / scale, width, StyleOf(launch.IsValid)),
                    IsFigure = false,
                },
                new("msg/s") { Text = launch => Figure(launch.MessagesPerSecond), Style = launch => launch.IsValid ? string.Empty : InvalidStyle },
                new("p99") { Text = launch => Units.Time(launch.Result?.LatencyMicroseconds?.P99 ?? launch.Figures?.P99Microseconds) },
                new("server CPU a message") { Text = launch => Units.Time(launch.ServerCpuMicroseconds), Need = 1 },
            ],
            found.Launches);
    }

    private static BarColumn<CaseResult> NameColumn => new("Library")
    {
        Text = found => found.Library,
        Style = TextStyle,
        IsFigure = false,
        MayWrap = true,
    };

    private static BarColumn<CaseResult>[] Figures() =>
    [
        new("msg/s") { Text = found => $"{SuitePage.Rate(found)}{(IsDoubtful(found) ? " (!)" : string.Empty)}", Style = TextStyle },
        new("p50") { Text = found => Units.Time(found.Summary?.P50Microseconds?.Median), Need = 4 },
        new("p99") { Text = found => Units.Time(found.Summary?.P99Microseconds?.Median), Need = 1 },
        new("server CPU") { Text = found => Units.Time(found.Summary?.ServerCpuMicroseconds?.Median), Need = 5 },
    ];

    private static void DrawInvalid(SuiteResult result, IAnsiConsole console)
    {
        IEnumerable<string> reasons =
            from benchmark in result.Benchmarks
            from found in benchmark.Cases
            from reason in found.InvalidReasons
            select $"(!) {benchmark.Title}, {found.Library}: {reason}";
        foreach (string reason in reasons)
        {
            TerminalText.Paragraph(console, reason, InvalidStyle);
        }
    }

    private static string Bar(double value, double? lower, double? upper, double scale, int width, CaseResult found) => lower is { } from && upper is { } to
        ? Bars.OfInterval(from / scale, to / scale, width, StyleOf(found.Valid))
        : Bars.Of(value / scale, width, StyleOf(found.Valid));

    private static string IntervalOf(Spread? rate) => Interval(rate?.Lower, rate?.Upper, "N0");

    private static double Scale(IEnumerable<double?> values) => values.Max() is > 0 and var largest ? largest : 1;

    private static string StyleOf(bool isValid) => isValid ? BarStyle : InvalidStyle;

    private static bool IsDoubtful(CaseResult found) => found.InvalidReasons.Count > 0 && found.Summary is not null;

    private static string TextStyle(CaseResult found) => found.Valid ? string.Empty : InvalidStyle;
}
