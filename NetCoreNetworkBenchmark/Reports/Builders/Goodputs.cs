using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>Closed loops over bad networks: how much of a stream arrives.</summary>
internal static class Goodputs
{
    private const double BitsPerByte = 8;

    public static bool AppliesTo(BenchmarkResult benchmark) => benchmark is { Baseline: null, Part: not null }
        && CaseBlocks.MediansOf(benchmark) is { Length: > 0 } runs && runs.All(run => run is { Schedule: null, Relay: not null });

    public static Table TableOf(BenchmarkResult benchmark)
    {
        Column<CaseResult>[] columns =
        [
            new("Library", result => result.Library + CaseBlocks.MarkOf(result)) { IsText = true, IsRowHeader = true },
            new("Version", result => result.MedianLaunch()?.LibraryVersion) { IsText = true, Priority = 9 },
            new("Mbit/s", result => MegabitsOf(benchmark, result)?.Value)
            {
                Text = result => MegabitsOf(benchmark, result) is { } goodput
                    ? Figure(goodput.Value, "0.00") + (goodput.Lower is null ? string.Empty : $" ({Interval(goodput.Lower, goodput.Upper, "0.00")})")
                    : CaseBlocks.RateOf(benchmark, result),
            },
            .. Deliveries.OwnFiguresOf(benchmark),
            Deliveries.WireBytes,
            new("launches", CaseBlocks.ValidOf) { Priority = 8 },
        ];
        return Table.Create(benchmark.Title, columns, benchmark.Cases, CaseBlocks.ToneOf);
    }

    public static IEnumerable<Plot> PlotsOf(IEnumerable<BenchmarkResult> benchmarks, Palette palette)
    {
        var bars = new GroupedBars([.. benchmarks], palette, (benchmark, result) => $"{Figure(MegabitsOf(benchmark, result)?.Value, "0.00")} Mbit/s");
        return
        [
            bars.Plot(
                "Goodput", values => Axis.Logarithmic(values, Number), (benchmark, result) => MegabitsOf(benchmark, result) is { } goodput
                    ? (goodput.Lower ?? goodput.Value, goodput.Upper ?? goodput.Value, goodput.Value)
                    : null) with { YTitle = "Mbit/s, 95 % interval between launches (line: median)" },
        ];
    }

    private static CaseFigure? MegabitsOf(BenchmarkResult benchmark, CaseResult result)
    {
        double megabits = result.MedianLaunch() is { } run ? run.Plan.MessageSize * BitsPerByte / NeighbourReport.BitsPerMegabit : 0;
        return CaseFigures.From(benchmark, result).MessagesPerSecond is { } rate
            ? new CaseFigure(rate.Value * megabits, rate.Lower * megabits, rate.Upper * megabits)
            : null;
    }
}
