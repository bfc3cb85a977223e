using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The search for the most clients: the result, and the cost of each number of clients.</summary>
internal static class MaxClientsPage
{
    private const string Unknown = "-";

    public static void Write(MaxClientsResult result, TextWriter writer)
    {
        writer.WriteLine($"### Most clients of {result.Library} (v {result.HarnessVersion})");
        writer.WriteLine();
        writer.WriteLine($"* OS: {result.Environment.Os}");
        writer.WriteLine($"* Framework: {result.Environment.Framework}");
        writer.WriteLine($"* Library: {result.LibraryVersion}, {result.Protocol}, {result.Transmission}{StreamLines.Framing(result.Framing)}");
        if (result.ClientLibrary is not null)
        {
            writer.WriteLine($"* Clients: {result.ClientLibrary}");
        }

        writer.WriteLine(Invariant($"* Message size: {result.MessageSize:N0} bytes"));
        writer.WriteLine(Invariant($"* Deadline of each client's round trip: {result.DeadlineMilliseconds:0.###} ms"));
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
        foreach (string warning in result.Fitness.Warnings)
        {
            writer.WriteLine();
            writer.WriteLine($"Warning: {warning}");
        }

        if (result.Aborted)
        {
            writer.WriteLine();
            writer.WriteLine("**Aborted:** the user ended the search before its time.");
        }
    }

    private static void WriteTable(IReadOnlyList<MaxClientsStep> steps, TextWriter writer)
    {
        var table = new MarkdownTable(
            [
                "holds", "clients", "connect ms", "µs/client", "p50 ms", "p99 ms", "max ms", "server empty MB", "server MB", "bytes/client", "managed/client",
                "why not",
            ],
            textColumns: 1);
        foreach (MaxClientsStep step in steps)
        {
            MaxClientsFigures? figures = step.Figures;
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
