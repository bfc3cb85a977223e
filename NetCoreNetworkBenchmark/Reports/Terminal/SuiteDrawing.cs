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
        bool isRanked = DecisionTable.Fits(result);
        if (!isRanked || result.Benchmarks.Any(benchmark => benchmark.Decision is null || benchmark.Part is not null))
        {
            DrawBenchmarks(result, console);
        }

        DrawInvalid(result, console);
        TerminalText.Draw(console, writer => SuitePage.WriteRemarks(result, writer));
        if (isRanked)
        {
            // It is the end of the output, because the bars and the notes would move it out of sight. A first look is the ranking alone.
            console.WriteLine();
            TerminalText.Draw(console, writer => RankingPage.WriteRanking(result, writer, isNarrow: true));
        }

        TerminalText.Draw(console, writer => (isRanked ? (Action<SuiteResult, TextWriter>)SuitePage.WriteMissing : SuitePage.WriteReasons)(result, writer));
    }

    private static void DrawBenchmarks(SuiteResult result, IAnsiConsole console)
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
    }

    private static string MethodOf(SuiteResult result) => result.Benchmarks.Any(DeliveryTable.Fits)
        ? DeliveryTable.MethodOf(result)
        : result.Interleaving is null
        ? "Medians of launches in fresh processes. ▒ is the 95 % confidence interval between launches."
        : result.Benchmarks.All(benchmark => benchmark.Row is not null) ? RowTables.MethodOf(result)
        : result.Benchmarks.Any(RankingTable.Fits) ? $"{RankingTable.MethodOf(result)} ▒ is a comparison interval: {ComparisonBar.Meaning}"
        : Invariant($"All libraries of a benchmark took turns in slices, in {result.LaunchCount} fresh sets of processes. A bar is the ratio of a library's ") +
            "messages per second to those of the floor; ▒ is its 95 % interval between sets. Libraries that are undecided share a rank. " +
            "Latencies are of all sets together.";

    private static void DrawBenchmark(BenchmarkResult benchmark, IAnsiConsole console)
    {
        TerminalText.Paragraph(console, $"**{benchmark.Title}**{SuitePage.Load(benchmark)}");
        if (DeliveryTable.Fits(benchmark))
        {
            TerminalText.Draw(console, writer => writer.WriteTable(DeliveryTable.NarrowOf(benchmark)));
        }
        else if (RankingTable.Fits(benchmark))
        {
            DrawRanking(benchmark, ofBaselines: false, console);
            DrawRanking(benchmark, ofBaselines: true, console);
        }
        else if (benchmark.Floor is not null)
        {
            DrawToFloor(benchmark, console);
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

    // The bars of both tables have one scale.
    private static void DrawRanking(BenchmarkResult benchmark, bool ofBaselines, IAnsiConsole console)
    {
        CaseResult[] cases = [.. RankingTable.Ordered(benchmark).Where(found => found.IsBaseline == ofBaselines)];
        if (cases.Length == 0)
        {
            return;
        }

        if (ofBaselines)
        {
            TerminalText.Paragraph(console, $"{DecisionTable.TitleOfBaselines}:", "dim");
        }

        double scale = Scale(benchmark.Cases.Select(found => ComparisonBar.Of(benchmark, found)).Select(bar => bar?.Upper ?? bar?.Ratio));
        BarTable.Draw<CaseResult>(
            console,
            [
                .. ofBaselines ? [] : (BarColumn<CaseResult>[])[new("place") { Text = RankingTable.PlaceOf }],
                NameColumn,
                new("× best, ▒ 95 %")
                {
                    IsFigure = false,
                    Bar = (found, width) => ComparisonBar.Of(benchmark, found) is { } ratio
                        ? Bar(ratio.Ratio, ratio.Lower, ratio.Upper, scale, width, found)
                        : string.Empty,
                },
                .. benchmark.RankedBy == RankedFigure.ServerCpu ? FiguresAtRate(benchmark) : FiguresOf(benchmark),
            ],
            cases);
    }

    private static BarColumn<CaseResult>[] FiguresOf(BenchmarkResult benchmark) =>
    [
        new("msg/s × best") { Text = found => RankingTable.RatioOf(found.ToBest?.Rate) },
        new("server CPU ×") { Text = found => RankingTable.RatioOf(found.ToBest?.ServerCpu), Need = 1 },
        new("msg/s") { Text = found => RankingTable.RateOf(benchmark, found) is { } rate ? Figure(rate) : SuitePage.Rate(found), Style = TextStyle },
        new("CPU") { Text = found => Units.Time(RankingTable.CostOf(benchmark, found)), Need = 2 },
    ];

    private static BarColumn<CaseResult>[] FiguresAtRate(BenchmarkResult benchmark) =>
    [
        new("CPU × best") { Text = found => RankingTable.RatioOf(found.ToBest?.ServerCpu) },
        new("of a core") { Text = found => RankingTable.CoreOf(benchmark, found), Need = 1 },
        new("bytes") { Text = RankingTable.AllocationOf, Need = 3 },
        new("p50") { Text = found => Units.Time(found.Summary?.P50Microseconds?.Median), Need = 4 },
        new("p99") { Text = found => Units.Time(found.Summary?.P99Microseconds?.Median) },
        new("p99.9") { Text = found => Units.Time(found.Summary?.P999Microseconds?.Median), Need = 2 },
    ];

    // Results of earlier versions have no figures in relation to the best library.
    private static void DrawToFloor(BenchmarkResult benchmark, IAnsiConsole console)
    {
        double scale = Scale(benchmark.Cases.Select(found => found.ToFloor?.Rate.Upper ?? found.ToFloor?.Rate.Ratio));
        BarTable.Draw(
            console,
            [
                new("rank") { Text = found => Figure(found.ToFloor?.Rank) },
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
