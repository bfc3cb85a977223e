using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The search for the most clients: the result, and the cost of each number of clients.</summary>
internal static class CapacityPage
{
    private static readonly string[] s_header =
    [
        "holds", "clients", "connect ms", "µs/client", "p50 ms", "p99 ms", "max ms", "server empty MB", "server MB", "bytes/client", "managed/client",
        "why not",
    ];

    /// <summary>The meaning of the columns.</summary>
    public const string Meaning = $"{FirstLine} {SecondLine}";

    private const string FirstLine =
        "Connect: all clients, and the same for each of them. Round trips: one of each client, all at once. Server: resident memory of its process";

    private const string SecondLine =
        "before the first client and with all of them idle, and by how much it grew for each; managed is the part in .NET's heap.";

    public static void Write(CapacityResult result, TextWriter writer)
    {
        WriteFacts(result, writer);
        writer.WriteParagraphs(ConclusionOf(result));
        writer.WriteLine();
        writer.WriteTable(TableOf(result));
        writer.WriteLines(string.Empty, FirstLine, SecondLine);
        writer.WriteWarnings(result.Fitness);
        writer.WriteAborted(result.Aborted, "the search before its time.");
    }

    /// <summary>Writes the heading and the load.</summary>
    public static void WriteFacts(CapacityResult result, TextWriter writer) =>
        writer.WriteHeader(
            $"Most clients of {result.Library}",
            result.HarnessVersion,
            result.Environment,
            $"Library: {PageParts.Transport(result)}",
            result.ClientLibrary is null ? null : $"Clients: {result.ClientLibrary}",
            Invariant($"Message size: {result.MessageSize:N0} bytes"),
            Invariant($"Deadline of each client's round trip: {result.DeadlineMilliseconds:0.###} ms"));

    /// <summary>Returns the result in a sentence.</summary>
    public static string ConclusionOf(CapacityResult result) => result.HighestClients is { } clients
        ? Invariant($"Most clients that were all connected and all had their answer in time: **{clients:N0}**. {result.Conclusion}")
        : $"No number of clients held. {result.Conclusion}";

    /// <summary>Returns the table, with a row for each number of clients.</summary>
    public static TextTable TableOf(CapacityResult result) => new(1, s_header, [.. result.Steps.Select(Row)]);

    private static string[] Row(CapacityStep step)
    {
        CapacityFigures? figures = step.Figures;
        LatencySummary? latency = figures?.LatencyMicroseconds;
        return
        [
            step.Holds ? "yes" : "no",
            Figure(step.Clients),
            Figure(figures?.ConnectSeconds * 1000),
            Figure(figures?.ConnectMicrosecondsPerClient),
            Figure(latency?.P50 / 1000, "N2"),
            Figure(latency?.P99 / 1000, "N2"),
            Figure(latency?.Max / 1000, "N2"),
            Figure(figures?.ServerResidentBytesBefore / BytesPerMegabyte, "N1"),
            Figure(figures?.ServerResidentBytes / BytesPerMegabyte, "N1"),
            Figure(figures?.ServerResidentBytesPerClient),
            Figure(figures?.ServerManagedBytesPerClient),
            step.Reason ?? string.Empty,
        ];
    }
}
