using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The page of one run.</summary>
internal static class RunPage
{
    public static void Write(RunResult result, TextWriter writer)
    {
        WriteHeader(result.Test, result, writer);
        writer.WriteParagraphs($"#### {result.Name}");
        WriteBody(result, writer);
        writer.WriteWarnings(result.Fitness);
    }

    /// <summary>Writes the part that is the same for all libraries of a benchmark.</summary>
    public static void WriteHeader(string title, RunResult result, TextWriter writer) => writer.WriteHeader(
        title,
        result.HarnessVersion,
        result.Environment,
        $"Test: {result.Test}",
        Invariant($"Address: {result.Address}, Port: {result.Port}"),
        Invariant($"Number of clients: {result.Clients:N0}"),
        result.MulticastInterface is { } network ? $"Multicast group on the interface {network}" : null,
        (result.Schedule, result.LatencyKind) switch
        {
            ({ } schedule, LatencyKind.OneWay) => Invariant($"Rate: {schedule.AskedPerSecond:N0} msg/s in all, paced by the server"),
            ({ } schedule, _) => Invariant($"Rate: {schedule.AskedPerSecond:N0} msg/s (open loop)"),
            (_, LatencyKind.OneWay) => "The server sends as fast as the clients take it",
            _ => Invariant($"Parallel messages per client: {result.ParallelMessages:N0}"),
        },
        Invariant($"Message size: {result.MessageSize:N0} bytes"),
        Invariant($"Defined duration: {result.DefinedDurationSeconds} seconds"),
        result.TestOptions is { } options ? $"Options of the test: {string.Join(' ', options.Select(option => $"{option.Key} {option.Value}"))}" : null);

    /// <summary>Writes the measurements after an empty line, without a heading.</summary>
    public static void WriteBody(RunResult result, TextWriter writer)
    {
        writer.WriteParagraphs([PageParts.Transport(result), .. result.InvalidReasons.Select(reason => $"**Invalid:** {reason}"), "```"]);
        WriteFigures(result, writer);
        writer.WriteLine("```");
        WriteRemarks(result, writer);
    }

    private static void WriteFigures(RunResult result, TextWriter writer)
    {
        if (ReferenceLines.AreFor(result))
        {
            ReferenceLines.Write(result, writer);
        }
        else
        {
            WriteThroughput(result, writer);
        }

        WriteOtherTimes(result, writer);
        writer.WriteLine();
        writer.WriteLine(Invariant($"Lost: {result.Lost:N0}"));
        writer.WriteLine(Invariant($"Duplicated: {result.Duplicated:N0}"));
        writer.WriteLine(Invariant($"Reordered: {result.Reordered:N0}"));
        writer.WriteLine(Invariant($"Corrupted: {result.Corrupted:N0}"));
        writer.WriteLine(Invariant($"Errors: {result.Errors:N0}{Names(result.ErrorsByName)}"));
        MessageLines.WriteForeign(result.Foreign, writer);
        ConnectionLines.Write(result, writer);
        HostLines.Write(result, writer);
        writer.WriteLine();
        writer.WriteLines(Cost("Server", result.Costs.Server));
        writer.WriteLines(Cost("Clients", result.Costs.Clients));
        writer.WriteLines(Cost("Server and clients", result.Costs.Together));
        WriteCircumstances(result, writer);
    }

    /// <summary>Writes all that a page has in addition to rate, latencies, messages and costs.</summary>
    public static void WriteDetails(RunResult result, TextWriter writer)
    {
        WriteOtherTimes(result, writer);
        writer.WriteLines(result.Errors > 0 ? [Invariant($"Errors: {result.Errors:N0}{Names(result.ErrorsByName)}")] : []);
        MessageLines.WriteForeign(result.Foreign, writer);
        ConnectionLines.Write(result, writer);
        HostLines.Write(result, writer);
        WriteCircumstances(result, writer);
        WriteRemarks(result, writer);
        writer.WriteWarnings(result.Fitness);
    }

    private static void WriteOtherTimes(RunResult result, TextWriter writer)
    {
        MessageLines.WriteParts(result.Parts, writer);
        MessageLines.WriteDistributions(result.Distributions, writer);
        WriteUncorrected(result, writer);
        writer.WriteLines((result.Figures ?? []).Select(figure => Invariant($"{figure.Name}: {figure.Value:0.######} {figure.Unit}").TrimEnd()));
    }

    private static void WriteThroughput(RunResult result, TextWriter writer)
    {
        writer.WriteLine(Invariant($"Duration: {result.DurationSeconds:0.000} s"));
        MessageLines.WriteTotals(result.Messages, writer);
        writer.WriteLine();
        writer.WriteLine(Invariant($"Total data: {result.Messages.ClientReceived * result.MessageSize / BytesPerMegabyte:N2} MB"));
        writer.WriteLine(Invariant($"Data throughput: {result.MegabytesPerSecond:N2} MB/s"));
        writer.WriteLine(Invariant($"Message throughput: {result.MessagesPerSecond:N0} msg/s"));
        writer.WriteLine(MessageLines.Latency(result));
        MessageLines.WritePercentiles(result, writer);
    }

    private static void WriteUncorrected(RunResult result, TextWriter writer)
    {
        if (result.Schedule is { } schedule)
        {
            writer.WriteParagraphs(
                Invariant($"Rate asked: {schedule.AskedPerSecond:N0} msg/s, sent: {schedule.SentPerSecond:N0} msg/s, ") +
                    Invariant($"{schedule.LateShare:P2} later than {schedule.LateBoundMilliseconds:0.#} ms after due"));
        }

        if (result.UncorrectedLatencyMicroseconds is { } latency)
        {
            writer.WriteLine(
                Invariant($"Uncorrected (a client that waits for its answers): p50 {latency.P50:N3} µs, p90 {latency.P90:N3} µs, ") +
                    Invariant($"p99 {latency.P99:N3} µs, p99.9 {latency.P999:N3} µs, max {latency.Max:N3} µs"));
        }
    }

    private static void WriteCircumstances(RunResult result, TextWriter writer)
    {
        writer.WriteLine(result.WarmUpSeconds == 0
            ? "Warm-up: none"
            : Invariant($"Warm-up: {result.WarmUpSeconds:0.0} s, {(result.WarmUpSteady ? "until the rate was steady" : "the rate was not steady")}"));
        if (result.Iterations.Count > 1)
        {
            writer.WriteLine($"Iterations: {string.Join(", ", result.Iterations.Select(iteration => Invariant($"{iteration.MessagesPerSecond:N0}")))} msg/s");
        }

        writer.WriteLines(StreamLines.Of(result));
        writer.WriteLines(SideLines.Of(result.Settings, result.ServerThreads, result.ClientThreads, result.Pinning));
        if (result.Runtime is { } runtime)
        {
            writer.WriteLine(
                $"Runtime: {string.Join(", ", runtime.Asked.Select(setting => $"{setting.Key}={setting.Value}"))}; garbage collectors: " +
                    $"server {runtime.ServerGarbageCollector ?? "unknown"}, clients {runtime.ClientsGarbageCollector ?? "unknown"}");
        }
    }

    private static void WriteRemarks(RunResult result, TextWriter writer)
    {
        writer.WriteParagraphs(result.Remarks.Select(remark => $"Note: {remark}"));

        if (result.Impairment is { } impairment)
        {
            writer.WriteLine();
            ImpairmentTable.Write(result.Totals, impairment, writer);
        }
    }
}
