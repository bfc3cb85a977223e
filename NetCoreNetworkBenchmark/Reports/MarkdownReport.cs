using System.Globalization;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// Results as the markdown that users of the original harness commit to <c>Benchmarks/</c>: its lines, in its order, with what was
/// measured behind them. Numbers are in the invariant culture.
/// </summary>
public sealed class MarkdownReport : IReport
{
    private const double BytesPerMegabyte = 1024 * 1024;

    /// <inheritdoc/>
    public string RunFile => "result.md";

    /// <inheritdoc/>
    public string SuiteFile => "README.md";

    /// <inheritdoc/>
    public void Write(RunResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(writer);
        WriteHeader(result.Test, result, writer);
        WriteRun(new LibraryRun(result.Library, result, null), writer);
    }

    /// <inheritdoc/>
    public void Write(SuiteResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(writer);
        WriteTitle(result, writer);
        WriteSummary(result, writer);
        foreach (BenchmarkResult benchmark in result.Benchmarks)
        {
            RunResult? first = benchmark.Runs.Select(run => run.Result).FirstOrDefault(run => run is not null);
            writer.WriteLine();
            if (first is null)
            {
                writer.WriteLine($"### {benchmark.Title} (v {result.HarnessVersion})");
                writer.WriteLine();
            }
            else
            {
                WriteHeader(benchmark.Title, first, writer);
            }

            foreach (LibraryRun run in benchmark.Runs)
            {
                WriteRun(run, writer);
            }
        }
    }

    /// <summary>Writes the table of all libraries and benchmarks alone.</summary>
    /// <param name="result">The results.</param>
    /// <param name="writer">Where to.</param>
    public static void WriteSummary(SuiteResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteLine("Message round trips per second, and the 99th percentile of their latency:");
        writer.WriteLine();
        var table = new MarkdownTable(["Library", "Version", .. result.Benchmarks.SelectMany(benchmark => (string[])[benchmark.Title, "p99"])], textColumns: 2);
        foreach (string library in result.Benchmarks.SelectMany(benchmark => benchmark.Runs).Select(run => run.Library).Distinct())
        {
            LibraryRun?[] runs = [.. result.Benchmarks.Select(benchmark => benchmark.Runs.FirstOrDefault(run => run.Library == library))];
            string version = runs.Select(run => run?.Result?.LibraryVersion).FirstOrDefault(found => found is not null) ?? "-";
            table.Add([library, version, .. runs.SelectMany(SummaryCells)]);
        }

        table.Write(writer);
        WriteRemarks(result, writer);
    }

    private static void WriteRemarks(SuiteResult result, TextWriter writer)
    {
        if (result.Aborted)
        {
            writer.WriteLine();
            writer.WriteLine("**Aborted:** the user ended the benchmark before its time; what is here is what was measured until then.");
        }

        if (result.Missing.Count > 0)
        {
            writer.WriteLine();
            writer.WriteLine("Not measured:");
            writer.WriteLine();
            foreach (MissingLibrary missing in result.Missing)
            {
                writer.WriteLine($"* {missing.Library}: {missing.Reason}.");
            }
        }
    }

    private static string[] SummaryCells(LibraryRun? run) => run switch
    {
        null => ["not run", "-"],
        { Result: null } => ["failed", "-"],
        { Result: { Valid: false } result } => [Invariant($"{result.MessagesPerSecond:N0} (invalid)"), P99(result)],
        { Result: { } result } => [Invariant($"{result.MessagesPerSecond:N0}"), P99(result)],
    };

    private static string P99(RunResult result) => result.LatencyMicroseconds is { } latency ? Invariant($"{latency.P99:N0} µs") : "-";

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

    private static void WriteHeader(string title, RunResult result, TextWriter writer)
    {
        writer.WriteLine($"### {title} (v {result.HarnessVersion})");
        writer.WriteLine();
        writer.WriteLine($"* OS: {result.Environment.Os}");
        writer.WriteLine($"* Framework: {result.Environment.Framework}");
        writer.WriteLine($"* Test: {result.Test}");
        writer.WriteLine(Invariant($"* Address: {result.Address}, Port: {result.Port}"));
        writer.WriteLine(Invariant($"* Number of clients: {result.Clients:N0}"));
        writer.WriteLine(Invariant($"* Parallel messages per client: {result.ParallelMessages:N0}"));
        writer.WriteLine(Invariant($"* Message size: {result.MessageSize:N0} bytes"));
        writer.WriteLine(Invariant($"* Defined duration: {result.DefinedDurationSeconds} seconds"));
    }

    private static void WriteRun(LibraryRun run, TextWriter writer)
    {
        writer.WriteLine();
        writer.WriteLine($"#### {run.Library}");
        writer.WriteLine();
        if (run.Result is { } result)
        {
            writer.WriteLine($"{result.LibraryVersion}, {result.Protocol}, {result.Transmission}");
            writer.WriteLine();
            foreach (string reason in result.InvalidReasons)
            {
                writer.WriteLine($"**Invalid:** {reason}");
                writer.WriteLine();
            }

            writer.WriteLine("```");
            WriteFigures(result, writer);
            writer.WriteLine("```");
        }
        else
        {
            writer.WriteLine($"**Failed:** {run.Failure}");
        }
    }

    private static void WriteFigures(RunResult result, TextWriter writer)
    {
        writer.WriteLine(Invariant($"Duration: {result.DurationSeconds:0.000} s"));
        writer.WriteLine(Invariant($"Messages sent by clients: {result.Messages.ClientSent:N0}"));
        writer.WriteLine(Invariant($"Messages server received: {result.Messages.ServerReceived:N0}"));
        writer.WriteLine(Invariant($"Messages sent by server: {result.Messages.ServerSent:N0}"));
        writer.WriteLine(Invariant($"Messages clients received: {result.Messages.ClientReceived:N0}"));
        writer.WriteLine();
        writer.WriteLine(Invariant($"Total data: {result.Messages.ClientReceived * result.MessageSize / BytesPerMegabyte:N2} MB"));
        writer.WriteLine(Invariant($"Data throughput: {result.MegabytesPerSecond:N2} MB/s"));
        writer.WriteLine(Invariant($"Message throughput: {result.MessagesPerSecond:N0} msg/s"));
        WriteLatency(result.LatencyMicroseconds, writer);
        writer.WriteLine();
        writer.WriteLine(Invariant($"Lost: {result.Lost:N0}"));
        writer.WriteLine(Invariant($"Duplicated: {result.Duplicated:N0}"));
        writer.WriteLine(Invariant($"Reordered: {result.Reordered:N0}"));
        writer.WriteLine(Invariant($"Corrupted: {result.Corrupted:N0}"));
        writer.WriteLine(Invariant($"Errors: {result.Errors:N0}{Names(result.ErrorsByName)}"));
    }

    private static void WriteLatency(LatencySummary? latency, TextWriter writer)
    {
        if (latency is null)
        {
            writer.WriteLine("Message latency: not measured, no message came back");
            return;
        }

        writer.WriteLine(Invariant($"Message latency: {latency.Mean:N3} µs"));
        writer.WriteLine(Invariant($"Latency p50: {latency.P50:N3} µs"));
        writer.WriteLine(Invariant($"Latency p90: {latency.P90:N3} µs"));
        writer.WriteLine(Invariant($"Latency p99: {latency.P99:N3} µs"));
        writer.WriteLine(Invariant($"Latency p99.9: {latency.P999:N3} µs"));
        writer.WriteLine(Invariant($"Latency max: {latency.Max:N3} µs"));
    }

    private static string Names(IReadOnlyDictionary<string, long> errors) => errors.Count == 0
        ? string.Empty
        : $" ({string.Join(", ", errors.Select(error => Invariant($"{error.Key}: {error.Value:N0}")))})";

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
