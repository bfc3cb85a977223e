using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Lines about the messages of a run that are used in more than one order.</summary>
internal static class MessageLines
{
    public static void WriteTotals(MessageTotals messages, TextWriter writer)
    {
        writer.WriteLine(Invariant($"Messages sent by clients: {messages.ClientSent:N0}"));
        string time = messages is { ServerReceived: not null, ServerSeconds: { } seconds } ? Invariant($" in {seconds:0.000} s") : string.Empty;
        writer.WriteLine(Invariant($"Messages server received: {Told(messages.ServerReceived)}{time}"));
        writer.WriteLine(Invariant($"Messages sent by server: {Told(messages.ServerSent)}"));
        writer.WriteLine(Invariant($"Messages clients received: {messages.ClientReceived:N0}"));
    }

    /// <summary>Writes the foreign traffic, if there was any.</summary>
    public static void WriteForeign(IReadOnlyDictionary<string, long>? foreign, TextWriter writer) =>
        writer.WriteLines((foreign ?? new Dictionary<string, long>()).Select(traffic => Invariant($"Foreign {traffic.Key}: {traffic.Value:N0}")));

    /// <summary>Returns the line of the mean latency. The line keeps its place from the page of the original harness.</summary>
    public static string Latency(RunResult result) => result.LatencyMicroseconds is { } latency
        ? Invariant($"Message latency: {latency.Mean:N3} µs{(IsOneWay(result) ? " (one way)" : string.Empty)}")
        : $"Message latency: not measured, {Reason(result)}";

    public static void WritePercentiles(RunResult result, TextWriter writer)
    {
        if (result.LatencyMicroseconds is { } latency)
        {
            string name = IsOneWay(result) ? "One-way latency" : "Latency";
            if (latency.Min is { } least)
            {
                writer.WriteLine(Invariant($"{name} min: {least:N3} µs"));
            }

            writer.WriteLine(Invariant($"{name} p50: {latency.P50:N3} µs"));
            writer.WriteLine(Invariant($"{name} p90: {latency.P90:N3} µs"));
            writer.WriteLine(Invariant($"{name} p99: {latency.P99:N3} µs"));
            writer.WriteLine(Invariant($"{name} p99.9: {latency.P999:N3} µs"));
            writer.WriteLine(Invariant($"{name} max: {latency.Max:N3} µs"));
        }
    }

    /// <summary>Writes the parts of the latencies, one line each, if there are any.</summary>
    public static void WriteParts(IReadOnlyList<LatencyPart>? parts, TextWriter writer) =>
        writer.WriteLines((parts ?? []).Select(part => $"{part.Name}: {Values(part.Microseconds)}"));

    /// <summary>Writes the distributions of other times, one line each, if there are any.</summary>
    public static void WriteDistributions(IReadOnlyList<TimeDistribution>? distributions, TextWriter writer) =>
        writer.WriteLines((distributions ?? []).Select(found =>
            Invariant($"{found.Name}: {Values(found.Microseconds)}, {found.Count:N0} in all, {found.PerSecond:N1} a second")));

    /// <summary>Returns the number of messages that a server reported.</summary>
    public static string Told(long? messages) => messages is { } told ? Invariant($"{told:N0}") : "not reported by the server";

    private static string Values(LatencySummary? latency) => latency is null
        ? "not measured"
        : (latency.Min is { } least ? Invariant($"min {least:N3} µs, ") : string.Empty) +
            Invariant($"mean {latency.Mean:N3} µs, p50 {latency.P50:N3} µs, p90 {latency.P90:N3} µs, ") +
            Invariant($"p99 {latency.P99:N3} µs, p99.9 {latency.P999:N3} µs, max {latency.Max:N3} µs");

    private static bool IsOneWay(RunResult result) => result.LatencyKind == LatencyKind.OneWay;

    private static string Reason(RunResult result) => (IsOneWay(result), result.Messages.ClientReceived) switch
    {
        (false, _) => "no message came back",
        (true, 0) => "no message reached a client",
        _ => "one way needs one clock at both ends and messages of 16 bytes",
    };
}
