using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Tables in which each benchmark is a row and each library a column, as the reference benchmark for framed messages has them.</summary>
internal static class RowTables
{
    private const double MicrosecondsPerMillisecond = 1000;

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

    /// <summary>Returns the table of a part, which has at least one row.</summary>
    public static TextTable Of(IReadOnlyList<BenchmarkResult> rows)
    {
        string[] libraries = [.. rows.SelectMany(row => row.Cases).Select(found => found.Library).Distinct()];
        bool isPublished = IsPublished(rows);
        return new TextTable(
            1,
            [rows[0].Row!.Table == RowTable.Latencies ? "content" : "clients x messages", .. isPublished ? ["published"] : (string[])[], .. libraries],
            [
                .. rows.Select(row => (string[])
                [
                    row.Row!.Load,
                    .. isPublished ? [Figure(row.Row.Published, unit: "/s")] : (string[])[],
                    .. libraries.Select(library => row.Cases.FirstOrDefault(found => found.Library == library) is { } found ? Cell(row.Row, found) : "-"),
                ]),
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
        const string Latencies = "Least / mean / largest round trip in ms.";
        string meaning = table switch
        {
            RowTable.TotalTimes => $"Time from the first message of the first client to the last answer, and messages a second in it{Repetitions(runs)}.",
            _ when runs.All(run => run.ParallelMessages == 1) => Latencies,
            _ => $"{Latencies} The messages of a burst are sent at once, and a round trip contains the wait for those before it.",
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

    private static string Cell(BenchmarkRow row, CaseResult found)
    {
        if (found.MedianLaunch() is not { } run)
        {
            return SuitePage.Rate(found);
        }

        string figures = row.Table == RowTable.Latencies ? LatenciesOf(run.LatencyMicroseconds) : TotalTime(run);
        return found.Valid ? figures : $"{figures} (invalid)";
    }

    private static string LatenciesOf(LatencySummary? latency) =>
        $"{Milliseconds(latency?.Min)} / {Milliseconds(latency?.Mean)} / {Milliseconds(latency?.Max)}";

    private static string Milliseconds(double? microseconds) => Figure(microseconds / MicrosecondsPerMillisecond, "0.000");

    private static string TotalTime(RunResult run)
    {
        double? seconds = run.Figures?.FirstOrDefault(figure => figure.Name == WorkloadFigure.WholeTime && figure.Value > 0)?.Value;
        return $"{Figure(seconds, "0.000", " s")}, {Figure((double)run.Clients * run.ParallelMessages / seconds, unit: "/s")}";
    }
}
