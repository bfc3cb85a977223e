using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Tables in which each benchmark is a row and each library a column, as the reference benchmark for framed messages has them.</summary>
internal static class RowTables
{
    private const double MicrosecondsPerMillisecond = 1000;

    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult result) => Invariant(
        $"The server sends each message back. The libraries of a row took turns in slices, in {Sets(result.LaunchCount)}; connecting and the warm-up do not ") +
        (result.LaunchCount == 1
            ? "count. One set does not show how much another one would differ: --launches 3 measures three, of which the median one is shown."
            : "count. Each cell is of the set with the library's median rate.");

    /// <summary>Writes the table of a part.</summary>
    /// <param name="rows">The benchmarks, all with the same kind of figures; nothing is written if there are none.</param>
    /// <param name="writer">The page.</param>
    public static void Write(IReadOnlyList<BenchmarkResult> rows, TextWriter writer)
    {
        if (rows.Count == 0)
        {
            return;
        }

        string[] libraries = [.. rows.SelectMany(row => row.Cases).Select(found => found.Library).Distinct()];
        RunResult[] runs = [.. rows.SelectMany(row => row.Cases).Select(found => found.MedianLaunch()).OfType<RunResult>()];
        RowTable table = rows[0].Row!.Table;
        bool isPublished = rows.Any(row => row.Row!.Published is not null);
        writer.WriteParagraphs($"{MeaningOf(table, runs)}{(isPublished ? " The published figures are of C++ on another machine." : string.Empty)}");
        writer.WriteLine();
        writer.WriteTable(
            textColumns: 1,
            [table == RowTable.Latencies ? "content" : "clients x messages", .. isPublished ? ["published"] : (string[])[], .. libraries],
            rows.Select(row => (string[])
            [
                row.Row!.Load,
                .. isPublished ? [Figure(row.Row.Published, unit: "/s")] : (string[])[],
                .. libraries.Select(library => row.Cases.FirstOrDefault(found => found.Library == library) is { } found ? Cell(row.Row, found) : "-"),
            ]));
    }

    private static string Sets(int count) => count == 1 ? "one fresh set of processes" : Invariant($"{count} fresh sets of processes");

    private static string MeaningOf(RowTable table, RunResult[] runs)
    {
        string load = StreamLines.Load(runs);
        return table switch
        {
            RowTable.TotalTimes => $"Seconds from the first message of the first client to the last answer, and messages a second in them{load}.",
            _ when runs.All(run => run.ParallelMessages == 1) => $"Round trips in ms: least / mean / largest{load}.",
            _ => $"Round trips in ms: least / mean / largest{load}. The messages of a burst are sent at once, and a round trip contains the wait for others.",
        };
    }

    private static string Cell(BenchmarkRow row, CaseResult found)
    {
        if (found.MedianLaunch() is not { } run)
        {
            return SuitePage.Rate(found);
        }

        string figures = row.Table == RowTable.Latencies ? Latencies(run.LatencyMicroseconds) : TotalTime(run);
        return found.Valid ? figures : $"{figures} (invalid)";
    }

    private static string Latencies(LatencySummary? latency) =>
        $"{Milliseconds(latency?.Min)} / {Milliseconds(latency?.Mean)} / {Milliseconds(latency?.Max)}";

    private static string Milliseconds(double? microseconds) => Figure(microseconds / MicrosecondsPerMillisecond, "0.000");

    private static string TotalTime(RunResult run)
    {
        double? seconds = run.Figures?.FirstOrDefault(figure => figure.Name == WorkloadFigure.WholeTime && figure.Value > 0)?.Value;
        return $"{Figure(seconds, "0.000", " s")}, {Figure((double)run.Clients * run.ParallelMessages / seconds, unit: "/s")}";
    }
}
