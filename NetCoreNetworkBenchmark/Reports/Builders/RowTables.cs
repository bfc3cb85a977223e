using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>Tables in which each benchmark is a row, with the figures of the reference benchmark for framed messages as columns.</summary>
internal static class RowTables
{
    private static readonly Column<Cell>[] s_totalTimes =
    [
        new("total s", cell => TotalSecondsOf(cell.Run)) { Format = ThreeDecimals },
        new("QPS", cell => (double?)cell.Run?.Plan.Clients * cell.Run?.Plan.ParallelMessages / TotalSecondsOf(cell.Run)),
    ];

    public static string MethodOf(SuiteResult suite)
    {
        RunResult[] runs = CaseBlocks.MediansOf(suite.Benchmarks);
        string sets = suite.LaunchCount == 1
            ? "one fresh set of processes, so nothing shows how much another set would differ (--launches 3 measures three)"
            : Invariant($"{suite.LaunchCount} fresh sets of processes; each cell is of the set with the library's median rate");
        string versions = string.Join(", ", runs.Select(run => $"{run.Library} {run.LibraryVersion}").Distinct());
        return $"The server sends each message back. The libraries of a row were measured in alternating slices, in {sets}. " +
            "Connecting and the warm-up do not count. " +
            $"{(versions.Length == 0 ? string.Empty : $"Libraries: {versions}; {CommonBlocks.FramingOf(runs[0].Framing)}.")}{BackgroundLoad(runs)}";
    }

    public static IEnumerable<Block> Create(string part, BenchmarkResult[] rows)
    {
        if (rows is not [{ Row: { } first }, ..])
        {
            return [];
        }

        RunResult[] runs = CaseBlocks.MediansOf(rows);
        Column<Cell>[] columns =
        [
            new(first.Table == RowTable.Latencies ? "content" : "clients x messages", cell => cell.Row.Load) { IsText = true },
            new("library", NameOf) { IsText = true, IsRowHeader = true },
            .. first.Table == RowTable.Latencies ? LatenciesOf(runs) : s_totalTimes,
            new("published QPS", cell => cell.Row.Published) { IsOptional = true },
        ];
        return
        [
            new Paragraph(MeaningOf(first.Table, runs) +
                (rows.Any(row => row.Row!.Published is not null) ? " The published figures are of C++ on another machine." : string.Empty)),
            Table.Create(part, columns, from row in rows from result in row.Cases select new Cell(row.Row!, result, result.MedianLaunch())),
        ];
    }

    // The absolute figures are of the machine as it was, although the libraries of a row had the same one.
    private static string BackgroundLoad(RunResult[] runs)
    {
        double[] shares = [.. runs.Select(run => run.Fitness.OtherShare).OfType<double>().Order()];
        return shares.Length == 0 ? string.Empty : Invariant(
            $" Other programs took {shares[shares.Length / 2]:P0} of the CPU time meanwhile (median of the cells; {shares[^1]:P0} at most).");
    }

    private static string MeaningOf(RowTable table, RunResult[] runs)
    {
        string meaning = table == RowTable.TotalTimes
            ? "Time from the first message of the first client to the last answer, and messages per second in it (QPS), the mean of the repetitions."
            : "Least, mean and largest round trip, the content that clients received, and messages per second (QPS)." +
                (runs.All(run => run.Plan.ParallelMessages == 1) ? string.Empty
                : " The messages of a burst are sent at once, and a round trip contains the wait for those before it; " +
                    "\"burst\" is from the first of them to the last answer, on average.");
        return Loads.DriverOf(runs) is { } clients ? $"{meaning} The clients are those of {clients}." : meaning;
    }

    private static string NameOf(Cell cell) =>
        cell.Run is null ? $"{cell.Case.Library} ({CaseBlocks.StateOf(cell.Case)})" : CaseBlocks.NameOf(cell.Case);

    private static double? TotalSecondsOf(RunResult? run) =>
        run?.Clients.Figures.FirstOrDefault(figure => figure.Name == WorkloadFigure.WholeTime && figure.Value > 0)?.Value;

    // The time of what a test counts as a whole, such as a burst, is between the round trips and the rates.
    private static IEnumerable<Column<Cell>> LatenciesOf(RunResult[] runs)
    {
        Column<Cell> Milliseconds(string name, Func<RunResult, double?> of) =>
            new($"{name} ms", cell => cell.Run is { } run ? of(run) / MicrosecondsPerMillisecond : null) { Format = ThreeDecimals };
        string? whole = runs.SelectMany(run => run.Clients.Distributions).FirstOrDefault()?.Name;
        return
        [
            Milliseconds("min", run => run.LatencyMicroseconds?.Min) with { Priority = 1 },
            Milliseconds("avg", run => run.LatencyMicroseconds?.Mean),
            Milliseconds("max", run => run.LatencyMicroseconds?.Max),
            Milliseconds(
                whole?.ToLowerInvariant() ?? string.Empty,
                run => run.Clients.Distributions is [var times, ..] ? times.Latency.Microseconds?.Mean : null) with { IsOptional = true },
            new("MiB/s", cell => cell.Run?.MessagesPerSecond * cell.Run?.Plan.MessageSize / BytesPerMebibyte) { Format = "N3", Priority = 2 },
            new("QPS", cell => cell.Run?.MessagesPerSecond),
        ];
    }

    private sealed record Cell(BenchmarkRow Row, CaseResult Case, RunResult? Run);
}
