using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>
/// The page of several cases with several launches: the machine, a table for each benchmark, and the details of each case of the first part. In
/// the other parts, only the invalid cases are explained: the page must stay short.
/// </summary>
internal static class SuitePage
{
    public static void Write(SuiteResult result, TextWriter writer)
    {
        WriteTitle(result, writer);
        WriteSummary(result, writer);
        foreach (BenchmarkResult benchmark in result.Benchmarks.Where(benchmark => benchmark.Part is null))
        {
            RunResult? first = benchmark.Cases.Select(found => found.MedianLaunch()).FirstOrDefault(run => run is not null);
            writer.WriteLine();
            if (first is null)
            {
                writer.WriteHeader(benchmark.Title, result.HarnessVersion, machine: null);
            }
            else
            {
                RunPage.WriteHeader(benchmark.Title, first, writer);
            }

            foreach (CaseResult found in benchmark.Cases)
            {
                WriteCase(found, writer);
            }
        }

        foreach (IGrouping<string?, BenchmarkResult> part in
            result.Benchmarks.Where(benchmark => benchmark.Part is not null).GroupBy(benchmark => benchmark.Part))
        {
            WriteInvalid(part.Key!, part, writer);
        }
    }

    // A page with all details of more than the first part would be too long to read.
    private static void WriteInvalid(string part, IEnumerable<BenchmarkResult> benchmarks, TextWriter writer)
    {
        (BenchmarkResult Benchmark, CaseResult Case)[] invalid =
            [.. benchmarks.SelectMany(benchmark => benchmark.Cases.Where(found => found.InvalidReasons.Count > 0).Select(found => (benchmark, found)))];
        if (invalid.Length == 0)
        {
            return;
        }

        writer.WriteLine();
        writer.WriteLine($"## {part}: invalid cases");
        foreach ((BenchmarkResult benchmark, CaseResult found) in invalid)
        {
            writer.WriteLine();
            writer.WriteLine($"#### {benchmark.Title}, {found.Library}");
            WriteReasons(found, writer);
        }
    }

    private static void WriteReasons(CaseResult found, TextWriter writer) =>
        writer.WriteParagraphs(found.InvalidReasons.Select(reason => $"**Invalid:** {reason}"));

    /// <summary>Writes the tables alone.</summary>
    public static void WriteSummary(SuiteResult result, TextWriter writer)
    {
        writer.WriteLine(
            Invariant($"Medians of {LaunchesOf(result)} launches, with their 95 % confidence interval between launches. ") +
                "\"Per server CPU second\" is what the server alone can do.");
        foreach (IGrouping<string?, BenchmarkResult> part in result.Benchmarks.GroupBy(benchmark => benchmark.Part))
        {
            if (part.Key is { } heading)
            {
                writer.WriteLine();
                writer.WriteLine($"## {heading}");
            }

            foreach (BenchmarkResult benchmark in part)
            {
                WriteTable(benchmark, writer);
            }
        }

        WriteRemarks(result, writer);
    }

    private static string LaunchesOf(SuiteResult result)
    {
        int[] counts = [.. result.Benchmarks.SelectMany(benchmark => benchmark.Cases).Select(found => found.Launches.Count).Where(count => count > 0)];
        return counts.Length == 0 || counts.Min() == counts.Max() ? Invariant($"{result.LaunchCount}") : Invariant($"{counts.Min()} to {counts.Max()}");
    }

    private static void WriteTable(BenchmarkResult benchmark, TextWriter writer)
    {
        writer.WriteLine();
        writer.WriteLine($"**{benchmark.Title}**{Load(benchmark)}");
        writer.WriteLine();
        var table = new MarkdownTable(
            ["Library", "Version", "msg/s", "95 % interval", "p50", "p99", "msg per server CPU second", "launches"], textColumns: 2);
        foreach (CaseResult found in benchmark.Cases)
        {
            table.Add(Row(found));
        }

        table.Write(writer);
        if (ProfileLines.Of(benchmark) is { } profiles)
        {
            writer.WriteLine();
            writer.WriteLine(profiles);
        }
    }

    /// <summary>Returns the load of a benchmark, which follows its title.</summary>
    public static string Load(BenchmarkResult benchmark) =>
        benchmark.Cases.Select(found => found.MedianLaunch()).FirstOrDefault(run => run is not null) is { } run
            ? Invariant($": {run.Clients:N0} {(run.Clients == 1 ? "client" : "clients")}, {Sending(run)}, {run.MessageSize:N0} bytes") +
                StreamLines.Load(benchmark.Cases.Select(found => found.MedianLaunch()).OfType<RunResult>())
            : string.Empty;

    private static string Sending(RunResult run) => run.Schedule is { } schedule
        ? Invariant($"{schedule.AskedPerSecond:N0} msg/s")
        : Invariant($"{run.ParallelMessages:N0} in flight each");

    private static string[] Row(CaseResult found)
    {
        CaseSummary? summary = found.Summary;
        string rate = summary is null ? found.Launches.Count == 0 ? "not run" : "failed" : Median(summary.MessagesPerSecond, "N0");
        return
        [
            found.Library,
            found.MedianLaunch()?.LibraryVersion ?? "-",
            found.InvalidReasons.Count > 0 && summary is not null ? $"{rate} (invalid)" : rate,
            Interval(summary?.MessagesPerSecond.Lower, summary?.MessagesPerSecond.Upper, "N0"),
            Median(summary?.P50Microseconds, "N0", " µs"),
            Median(summary?.P99Microseconds, "N0", " µs"),
            Median(summary?.MessagesPerServerCpuSecond, "N0"),
            Invariant($"{found.Launches.Count(launch => launch.IsValid)} of {found.Launches.Count}"),
        ];
    }

    /// <summary>Writes the remarks that follow the tables.</summary>
    public static void WriteRemarks(SuiteResult result, TextWriter writer)
    {
        foreach ((BenchmarkResult benchmark, CaseResult found) in
            result.Benchmarks.SelectMany(benchmark => benchmark.Cases.Select(found => (benchmark, found))))
        {
            if (found.Summary?.MessagesPerSecond.Modes is { Count: > 1 } modes)
            {
                writer.WriteLine();
                writer.WriteLine($"{benchmark.Title}, {found.Library}: the launches were in {modes.Count} modes, {Modes(modes)}.");
            }

            writer.WriteParagraphs(found.Launches.SelectMany(launch => launch.Remarks).Distinct()
                .Select(remark => $"Note: {benchmark.Title}, {found.Library}: {remark}"));
        }

        writer.WriteParagraphs(
            result.Aborted ? ["**Aborted:** the user ended the benchmark before its time; what is here is what was measured until then."] : []);
        writer.WriteParagraphs(result.Fitness.Warnings.Select(warning => $"Warning: {warning}"));

        if (result.Missing.Count > 0)
        {
            writer.WriteLines([string.Empty, "Not measured:", string.Empty, .. result.Missing.Select(missing => $"* {missing.Library}: {missing.Reason}.")]);
        }
    }

    private static string Modes(IEnumerable<SpreadMode> modes) =>
        string.Join(" and ", modes.Select(mode => Invariant($"{mode.Centre:N0} msg/s ({mode.Launches})")));

    private static void WriteTitle(SuiteResult result, TextWriter writer)
    {
        EnvironmentInfo machine = result.Environment;
        writer.WriteLine($"# {machine.Cpu}, {machine.Cores} cores, {machine.Os}");
        writer.WriteLine();
        writer.WriteLine("```");
        writer.WriteLine($"OS: {machine.Os} ({machine.Kernel})");
        writer.WriteLine(Invariant($"CPU: {machine.Cpu}, {machine.Cores} logical cores, {machine.Architecture}"));
        writer.WriteLine($"Mainboard: {machine.Mainboard ?? "unknown"}");
        writer.WriteLine(Invariant($"RAM: {machine.MemoryBytes / BytesPerMegabyte / 1024:N1} GB"));
        writer.WriteLine("```");
        writer.WriteLine();
        writer.WriteLine(Invariant($"Measured on {result.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC with `{result.Command}`."));
        writer.WriteLine();
    }

    private static void WriteCase(CaseResult found, TextWriter writer)
    {
        writer.WriteLine();
        writer.WriteLine($"#### {found.Library}");
        WriteReasons(found, writer);

        if (found.MedianLaunch() is { } median)
        {
            writer.WriteLine();
            writer.WriteLine($"Launches: {string.Join(", ", found.Launches.Select(LaunchRate))} msg/s{Controls(found)}. Below is the median one.");
            writer.WriteLine();
            RunPage.WriteBody(median, writer);
        }
    }

    private static string Controls(CaseResult found)
    {
        IEnumerable<string> controls = found.Launches.Select(launch => launch.Control is { } control ? Invariant($"{control:N0}") : "-");
        return found.Launches.Any(launch => launch.Control is not null)
            ? $"; raw sockets just before each: {string.Join(", ", controls)}"
            : string.Empty;
    }

    private static string LaunchRate(LaunchResult launch) => launch.MessagesPerSecond is { } rate
        ? Invariant($"{rate:N0}{(launch.IsValid ? string.Empty : " (invalid)")}")
        : "failed";
}
