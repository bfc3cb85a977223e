using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The search for the most clients: the result, and the cost of each number of clients.</summary>
internal static class CapacityPage
{
    private const string Unknown = "-";

    public static void Write(CapacityResult result, TextWriter writer)
    {
        writer.WriteHeader(
            $"Most clients of {result.Library}",
            result.HarnessVersion,
            result.Environment,
            $"Library: {PageParts.Transport(result.LibraryVersion, result.Protocol, result.Transmission, result.Framing)}",
            result.ClientLibrary is null ? null : $"Clients: {result.ClientLibrary}",
            Invariant($"Message size: {result.MessageSize:N0} bytes"),
            Invariant($"Deadline of each client's round trip: {result.DeadlineMilliseconds:0.###} ms"));
        writer.WriteLine();
        writer.WriteLine(result.HighestClients is { } clients
            ? Invariant($"Most clients that were all connected and all had their answer in time: **{clients:N0}**. {result.Conclusion}")
            : $"No number of clients held. {result.Conclusion}");
        writer.WriteLine();
        WriteTable(result.Steps, writer);
        writer.WriteLine();
        writer.WriteLine(
            "Connect: all clients, and the same for each of them. Round trips: one of each client, all at once. Server: resident memory of its process");
        writer.WriteLine("before the first client and with all of them idle, and by how much it grew for each; managed is the part in .NET's heap.");
        writer.WriteParagraphs(result.Fitness.Warnings.Select(warning => $"Warning: {warning}"));
        writer.WriteParagraphs(result.Aborted ? ["**Aborted:** the user ended the search before its time."] : []);
    }

    private static void WriteTable(IReadOnlyList<CapacityStep> steps, TextWriter writer)
    {
        var table = new MarkdownTable(
            [
                "holds", "clients", "connect ms", "µs/client", "p50 ms", "p99 ms", "max ms", "server empty MB", "server MB", "bytes/client", "managed/client",
                "why not",
            ],
            textColumns: 1);
        foreach (CapacityStep step in steps)
        {
            CapacityFigures? figures = step.Figures;
            LatencySummary? latency = figures?.LatencyMicroseconds;
            table.Add(
            [
                step.Holds ? "yes" : "no",
                Invariant($"{step.Clients:N0}"),
                figures is null ? Unknown : Invariant($"{figures.ConnectSeconds * 1000:N0}"),
                figures is null ? Unknown : Invariant($"{figures.ConnectMicrosecondsPerClient:N0}"),
                Milliseconds(latency?.P50),
                Milliseconds(latency?.P99),
                Milliseconds(latency?.Max),
                Megabytes(figures?.ServerResidentBytesBefore),
                Megabytes(figures?.ServerResidentBytes),
                figures is null ? Unknown : Invariant($"{figures.ServerResidentBytesPerClient:N0}"),
                figures is null ? Unknown : Invariant($"{figures.ServerManagedBytesPerClient:N0}"),
                step.Reason ?? string.Empty,
            ]);
        }

        table.Write(writer);
    }

    private static string Milliseconds(double? microseconds) => microseconds is { } value ? Invariant($"{value / 1000:N2}") : Unknown;

    private static string Megabytes(long? bytes) => bytes is { } value ? Invariant($"{value / BytesPerMegabyte:N1}") : Unknown;
}
