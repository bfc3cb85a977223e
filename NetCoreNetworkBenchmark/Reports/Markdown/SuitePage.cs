using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>
/// The page of several cases with several launches: the ranking, a table for each benchmark, and the details of each case of the first part. In
/// the other parts, only the invalid cases are explained: the page must stay short.
/// </summary>
internal static class SuitePage
{
    private static readonly string[] s_header =
        ["Library", "Version", "msg/s", "95 % interval", "p50 of all", "p99 of all", "msg per server CPU second", "launches"];

    private static readonly string[] s_numbered = ["Library", "Version", "msg/s", "p50 of all", "p99 of all", "msg per server CPU second", "sets"];

    public static void Write(SuiteResult result, TextWriter writer)
    {
        WriteBegin(result, writer);
        WriteSummary(result, writer);
        foreach (BenchmarkResult benchmark in result.Benchmarks.Where(benchmark => benchmark.Part is null))
        {
            writer.WriteLine();
            if (MedianLaunches(benchmark).FirstOrDefault() is { } first)
            {
                RunPage.WriteHeader(benchmark.Title, first, writer);
            }
            else
            {
                writer.WriteHeader(benchmark.Title, result.HarnessVersion, machine: null);
            }

            foreach (CaseResult found in benchmark.Cases)
            {
                WriteCase(found, writer);
            }
        }

        // A page with all details of more than the first part would be too long to read.
        foreach (IGrouping<string?, string> part in
            from benchmark in result.Benchmarks
            where benchmark.Part is not null
            from found in benchmark.Cases
            where found.InvalidReasons.Count > 0
            from paragraph in Reasons(found).Prepend($"#### {benchmark.Title}, {found.Library}")
            group paragraph by benchmark.Part)
        {
            writer.WriteParagraphs([$"## {part.Key}: invalid cases", .. part]);
        }
    }

    private static IEnumerable<string> Reasons(CaseResult found) => found.InvalidReasons.Select(reason => $"**Invalid:** {reason}");

    private static IEnumerable<RunResult> MedianLaunches(BenchmarkResult benchmark) =>
        benchmark.Cases.Select(found => found.MedianLaunch()).OfType<RunResult>();

    /// <summary>Writes the tables alone.</summary>
    public static void WriteSummary(SuiteResult result, TextWriter writer)
    {
        writer.WriteLine(MethodOf(result));
        foreach (IGrouping<string?, BenchmarkResult> part in result.Benchmarks.GroupBy(benchmark => benchmark.Part))
        {
            writer.WriteParagraphs(part.Key is { } heading ? [$"## {heading}"] : []);
            RowTables.Write([.. part.Where(benchmark => benchmark.Row is not null)], writer);
            foreach (BenchmarkResult benchmark in part.Where(benchmark => benchmark.Row is null))
            {
                WriteTitle(benchmark, writer);
                WriteTables(benchmark, writer);
                writer.WriteParagraphs(ProfileLines.Of(benchmark) is { } profiles ? [profiles] : []);
            }
        }

        WriteRemarks(result, writer);
        WriteReasons(result, writer);
    }

    /// <summary>Returns the description of the figures, in a few sentences.</summary>
    public static string MethodOf(SuiteResult result)
    {
        if (result.Benchmarks.All(benchmark => benchmark.Row is not null))
        {
            return RowTables.MethodOf(result);
        }

        if (result.Benchmarks.Any(DeliveryTable.Fits))
        {
            return DeliveryTable.MethodOf(result);
        }

        const string PerCpuSecond = " \"Per server CPU second\" is what the server alone can do.";
        return result.Interleaving is null
            ? $"Medians of {LaunchesOf(result)} launches, with their 95 % confidence interval between launches. " +
                $"The latencies are percentiles of all launches together.{PerCpuSecond}"
            : result.Benchmarks.Any(RankingTable.Fits) ? RankingTable.MethodOf(result)
            : RankingTable.MethodToFloor(result) + PerCpuSecond;
    }

    /// <summary>Returns the tables of a benchmark with their titles, with a row for each case. The first has the title of the benchmark.</summary>
    public static IEnumerable<(string Title, TextTable Table)> TablesOf(BenchmarkResult benchmark)
    {
        if (RankingTable.Fits(benchmark))
        {
            TextTable baselines = RankingTable.Of(benchmark, ofBaselines: true);
            return
            [
                (benchmark.Title, RankingTable.Of(benchmark, ofBaselines: false)),
                .. baselines.Rows.Count > 0 ? [(DecisionTable.TitleOfBaselines, baselines)] : ((string, TextTable)[])[],
            ];
        }

        TextTable table = DeliveryTable.Fits(benchmark) ? DeliveryTable.Of(benchmark)
            : benchmark.Floor is null ? new TextTable(2, s_header, [.. benchmark.Cases.Select(found => Row(found, withInterval: true))])
            : RankingTable.ToFloor(benchmark, s_numbered, found => Row(found, withInterval: false));
        return [(benchmark.Title, table)];
    }

    private static void WriteTables(BenchmarkResult benchmark, TextWriter writer)
    {
        foreach ((int index, (string title, TextTable table)) in TablesOf(benchmark).Index())
        {
            writer.WriteLines(index > 0 ? [string.Empty, $"{title}:", string.Empty] : []);
            writer.WriteTable(table);
        }
    }

    /// <summary>Returns the number of launches of a case, in words.</summary>
    public static string LaunchesOf(SuiteResult result)
    {
        int[] counts = [.. result.Benchmarks.SelectMany(benchmark => benchmark.Cases).Select(found => found.Launches.Count).Where(count => count > 0)];
        return counts.Length == 0 || counts.Min() == counts.Max() ? Invariant($"{result.LaunchCount}") : Invariant($"{counts.Min()} to {counts.Max()}");
    }

    /// <summary>Writes the title of a benchmark with its load, between two empty lines.</summary>
    public static void WriteTitle(BenchmarkResult benchmark, TextWriter writer) =>
        writer.WriteLines(string.Empty, $"**{benchmark.Title}**{Load(benchmark)}", string.Empty);

    /// <summary>Returns the load of a benchmark, after a colon; empty if no launch has a result.</summary>
    public static string Load(BenchmarkResult benchmark) => MedianLaunches(benchmark).FirstOrDefault() is { } run
        ? Invariant($": {run.Clients:N0} {(run.Clients == 1 ? "client" : "clients")}, {Sending(run)}, {run.MessageSize:N0} bytes") +
            (DeliveryTable.Fits(benchmark) ? string.Empty : StreamLines.Load(MedianLaunches(benchmark)))
        : string.Empty;

    private static string Sending(RunResult run) => run.Schedule is { } schedule
        ? Invariant($"{schedule.AskedPerSecond:N0} msg/s")
        : Invariant($"{run.ParallelMessages:N0} {(run.ParallelMessages == 1 ? "message" : "messages")} in flight each");

    private static string[] Row(CaseResult found, bool withInterval)
    {
        CaseSummary? summary = found.Summary;
        return
        [
            found.Library,
            found.MedianLaunch()?.LibraryVersion ?? "-",
            found.InvalidReasons.Count > 0 && summary is not null ? $"{Rate(found)} (invalid)" : Rate(found),
            .. withInterval ? [Interval(summary?.MessagesPerSecond.Lower, summary?.MessagesPerSecond.Upper, "N0")] : (string[])[],
            Figure(summary?.P50Microseconds?.Median, "N0", " µs"),
            Figure(summary?.P99Microseconds?.Median, "N0", " µs"),
            Figure(summary?.MessagesPerServerCpuSecond?.Median),
            Invariant($"{found.Launches.Count(launch => launch.IsValid)} of {found.Launches.Count}"),
        ];
    }

    /// <summary>Returns the median rate of a case, or the reason why there is none.</summary>
    public static string Rate(CaseResult found) =>
        found.Summary is { } summary ? Figure(summary.MessagesPerSecond.Median) : found.Launches.Count == 0 ? "not run" : "failed";

    /// <summary>Writes the remarks that follow the tables.</summary>
    public static void WriteRemarks(SuiteResult result, TextWriter writer)
    {
        foreach ((BenchmarkResult benchmark, CaseResult found) in
            result.Benchmarks.SelectMany(benchmark => benchmark.Cases.Select(found => (benchmark, found))))
        {
            writer.WriteParagraphs(benchmark.Floor is null && found.Summary?.MessagesPerSecond.Modes is { Count: > 1 } modes
                ? [$"{benchmark.Title}, {found.Library}: the launches were in {modes.Count} modes, {Modes(modes)}."]
                : []);
        }

        // Once for all libraries and launches to which it applies.
        writer.WriteParagraphs(
            from benchmark in result.Benchmarks
            from note in (from found in benchmark.Cases
                          from remark in found.Launches.SelectMany(launch => launch.Remarks)
                          group found.Library by remark)
            select $"Note: {benchmark.Title}, {string.Join(", ", note.Distinct())}: {note.Key}");

        writer.WriteAborted(result.Aborted, "the benchmark before its time; what is here is what was measured until then.");
        writer.WriteWarnings(result.Fitness);
    }

    /// <summary>Writes the libraries that were not measured, with the reasons.</summary>
    public static void WriteReasons(SuiteResult result, TextWriter writer) =>
        writer.WriteList("Not measured:", result.Missing.Select(missing => $"{missing.Library}: {missing.Reason}."));

    /// <summary>Writes the libraries that were not measured, in one line.</summary>
    public static void WriteMissing(SuiteResult result, TextWriter writer) => writer.WriteParagraphs(
        result.Missing.Count == 0
            ? []
            : [$"Not in this build: {string.Join(", ", result.Missing.Select(missing => missing.Library))} (why: `--list` or Docs/libraries.md)."]);

    private static string Modes(IEnumerable<SpreadMode> modes) =>
        string.Join(" and ", modes.Select(mode => Invariant($"{mode.Centre:N0} msg/s ({mode.Launches})")));

    // The reader's question is answered first, and the machine is described below it.
    private static void WriteBegin(SuiteResult result, TextWriter writer)
    {
        bool isRanked = DecisionTable.Fits(result);
        EnvironmentInfo machine = result.Environment;
        writer.WriteLine(isRanked ? $"# {TitleOf(result)}" : $"# {machine.Cpu}, {machine.Cores} cores, {machine.Os}");
        if (isRanked)
        {
            writer.WriteLine();
            RankingPage.WriteRanking(result, writer, isNarrow: false);
        }

        writer.WriteParagraphs((RankingPicture.LineOf(result) ?? LossPicture.LineOf(result)) is { } picture ? [picture] : []);
        writer.WriteParagraphs("```");
        writer.WriteLine($"OS: {machine.Os} ({machine.Kernel})");
        writer.WriteLine(Invariant($"CPU: {machine.Cpu}, {machine.Cores} logical cores, {machine.Architecture}"));
        writer.WriteLine($"Mainboard: {machine.Mainboard ?? "unknown"}");
        writer.WriteLine(Invariant($"RAM: {machine.MemoryBytes / BytesPerMegabyte / 1024:N1} GB"));
        writer.WriteLine("```");
        writer.WriteParagraphs(Invariant($"Measured on {result.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC with `{result.Command}`."));
        writer.WriteLine();
    }

    /// <summary>Returns the title of a page that begins with a ranking.</summary>
    public static string TitleOf(SuiteResult result) => $"Network libraries on {result.Environment.Framework}, ranked";

    private static void WriteCase(CaseResult found, TextWriter writer)
    {
        writer.WriteParagraphs($"#### {found.Library}");
        WriteCaseBody(found, writer);
    }

    /// <summary>Writes the details of a case after an empty line, without a heading.</summary>
    public static void WriteCaseBody(CaseResult found, TextWriter writer)
    {
        writer.WriteParagraphs(Reasons(found));
        if (found.MedianLaunch() is { } median)
        {
            string of = found.ToFloor is null ? "Launches" : "Sets";
            string rates = string.Join(", ", found.Launches.Select(LaunchRate));
            writer.WriteParagraphs($"{of}: {rates} msg/s{Controls(found)}. Below is the median one, with its own latencies{Queueing(found, median)}.");

            // Notes are those of all launches, and follow the tables.
            RunPage.WriteBody(median with { Remarks = [] }, writer);
        }
    }

    // Little 1961: the number in flight is the rate times the round trip, so with a full window the latency is the inverse of the rate.
    private static string Queueing(CaseResult found, RunResult run) => found.ToBest is not null && run.Schedule is null
        ? ", which are queueing, because each client keeps its window full"
        : string.Empty;

    private static string Controls(CaseResult found)
    {
        if (found.Launches.Any(launch => launch.Floor is not null))
        {
            return $"; the floor in the same sets: {string.Join(", ", found.Launches.Select(launch => Figure(launch.Floor?.MessagesPerSecond)))}";
        }

        IEnumerable<string> controls = found.Launches.Select(launch => launch.Control is { } control ? Invariant($"{control:N0}") : "-");
        return found.Launches.Any(launch => launch.Control is not null)
            ? $"; raw sockets just before each: {string.Join(", ", controls)}"
            : string.Empty;
    }

    private static string LaunchRate(LaunchResult launch) => launch.MessagesPerSecond is { } rate
        ? Invariant($"{rate:N0}{(launch.IsValid ? string.Empty : " (invalid)")}")
        : "failed";
}
