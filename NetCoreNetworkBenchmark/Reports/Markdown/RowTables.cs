using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Tables in which each benchmark is a row, with the figures of the reference benchmark for framed messages as columns.</summary>
internal static class RowTables
{
    private const double MicrosecondsPerMillisecond = 1000;
    private const double BytesPerMegabyte = 1e6;

    private static readonly Column[] s_totalTimes =
    [
        new("total s", (_, run) => Figure(TotalSecondsOf(run), "0.000")),
        new("QPS", (_, run) => Figure((double?)run?.Clients * run?.ParallelMessages / TotalSecondsOf(run))),
    ];

    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult result)
    {
        RunResult[] runs = RunsOf(result.Benchmarks);
        string sets = result.LaunchCount == 1
            ? "one fresh set of processes, so nothing shows how much another set would differ (--launches 3 measures three)"
            : Invariant($"{result.LaunchCount} fresh sets of processes; each cell is of the set with the library's median rate");
        string versions = string.Join(", ", runs.Select(run => $"{run.Library} {run.LibraryVersion}").Distinct());
        return $"The server sends each message back. The libraries of a row took turns in slices, in {sets}. Connecting and the warm-up do not count. " +
            $"{(versions.Length == 0 ? string.Empty : $"Libraries: {versions}; {StreamLines.Framing(runs[0].Framing).TrimStart(',', ' ')}.")}{OtherWork(runs)}";
    }

    /// <summary>Writes the table of a part.</summary>
    /// <param name="rows">The benchmarks, all with the same kind of figures; nothing is written if there are none.</param>
    /// <param name="writer">The page.</param>
    public static void Write(IReadOnlyList<BenchmarkResult> rows, TextWriter writer)
    {
        if (rows.Count == 0)
        {
            return;
        }

        writer.WriteParagraphs(MeaningOf(rows));
        writer.WriteLine();
        writer.WriteTable(Of(rows));
    }

    /// <summary>Returns the table of a part, which has at least one row: a line for each load and library.</summary>
    public static TextTable Of(IReadOnlyList<BenchmarkResult> rows)
    {
        IEnumerable<Column> figures = rows[0].Row!.Table == RowTable.Latencies ? LatenciesOf(rows) : s_totalTimes;
        Column[] columns = IsPublished(rows) ? [.. figures, new("published QPS", (row, _) => Figure(row.Published))] : [.. figures];
        return new TextTable(
            2,
            [rows[0].Row!.Table == RowTable.Latencies ? "content" : "clients x messages", "library", .. columns.Select(column => column.Name)],
            [
                .. from row in rows
                   from found in row.Cases
                   let run = found.MedianLaunch()
                   select (string[])[row.Row!.Load, NameOf(found, run), .. columns.Select(column => column.Text(row.Row, run))],
            ]);
    }

    /// <summary>Returns the meaning of a part's cells, in a few sentences.</summary>
    public static string MeaningOf(IReadOnlyList<BenchmarkResult> rows) =>
        MeaningOf(rows[0].Row!.Table, RunsOf(rows)) + (IsPublished(rows) ? " The published figures are of C++ on another machine." : string.Empty);

    private static bool IsPublished(IEnumerable<BenchmarkResult> rows) => rows.Any(row => row.Row!.Published is not null);

    private static RunResult[] RunsOf(IEnumerable<BenchmarkResult> benchmarks) =>
        [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Select(found => found.MedianLaunch()).OfType<RunResult>()];

    // The absolute figures are of the machine as it was, although the libraries of a row had the same one.
    private static string OtherWork(RunResult[] runs)
    {
        double[] shares = [.. runs.Select(run => run.Fitness.OtherShare).OfType<double>().Order()];
        return shares.Length == 0
            ? string.Empty
            : Invariant($" Other programs took {shares[shares.Length / 2]:P0} of the CPU time meanwhile (median of the cells; {shares[^1]:P0} at most).");
    }

    private static string MeaningOf(RowTable table, RunResult[] runs)
    {
        const string Latencies =
            "Least, mean and largest round trip, the content that clients received (1 MB is 10⁶ bytes), and messages a second (QPS).";
        string meaning = table switch
        {
            RowTable.TotalTimes =>
                $"Time from the first message of the first client to the last answer, and messages a second in it (QPS){Repetitions(runs)}.",
            _ when runs.All(run => run.ParallelMessages == 1) => Latencies,
            _ => $"{Latencies} The messages of a burst are sent at once, and a round trip contains the wait for those before it; " +
                "\"burst\" is from the first of them to the last answer, in the mean.",
        };
        return StreamLines.DriverOf(runs) is { } clients ? $"{meaning} The clients are those of {clients}." : meaning;
    }

    private static string Repetitions(RunResult[] runs)
    {
        int[] counts = [.. runs.Select(run => run.Iterations.Count).Order()];
        return counts switch
        {
            [] => string.Empty,
            [var least, ..] when least == counts[^1] => least == 1 ? ", measured once" : Invariant($", the mean of {least:N0} times"),
            _ => Invariant($", the mean of {counts[0]:N0} to {counts[^1]:N0} times"),
        };
    }

    private static string NameOf(CaseResult found, RunResult? run) =>
        run is null ? $"{found.Library} ({SuitePage.Rate(found)})" : found.Valid ? found.Library : $"{found.Library} (invalid)";

    private static string Milliseconds(double? microseconds) => Figure(microseconds / MicrosecondsPerMillisecond, "0.000");

    private static string Throughput(RunResult? run) => Figure(run?.MessagesPerSecond * run?.MessageSize / BytesPerMegabyte, "N3");

    private static double? TotalSecondsOf(RunResult? run) =>
        run?.Figures?.FirstOrDefault(figure => figure.Name == WorkloadFigure.WholeTime && figure.Value > 0)?.Value;

    // The time of what a test counts as a whole, such as a burst, is between the round trips and the rates.
    private static IEnumerable<Column> LatenciesOf(IEnumerable<BenchmarkResult> rows)
    {
        string? whole = RunsOf(rows).SelectMany(run => run.Distributions ?? []).FirstOrDefault()?.Name;
        return
        [
            new("min ms", (_, run) => Milliseconds(run?.LatencyMicroseconds?.Min)),
            new("avg ms", (_, run) => Milliseconds(run?.LatencyMicroseconds?.Mean)),
            new("max ms", (_, run) => Milliseconds(run?.LatencyMicroseconds?.Max)),
            .. whole is null ? [] : (Column[])[new($"{whole.ToLowerInvariant()} ms", (_, run) => WholeOf(run, whole))],
            new("MB/s", (_, run) => Throughput(run)),
            new("QPS", (_, run) => Figure(run?.MessagesPerSecond)),
        ];
    }

    private static string WholeOf(RunResult? run, string name) =>
        Milliseconds(run?.Distributions?.FirstOrDefault(found => found.Name == name)?.Microseconds?.Mean);

    /// <summary>A figure of each row and library.</summary>
    private sealed record Column(string Name, Func<BenchmarkRow, RunResult?, string> Text);
}
