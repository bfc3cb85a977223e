using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Lines about the heartbeats of a run, and about connections that were lost and opened again.</summary>
internal static class ConnectionLines
{
    private const string OfServer = "server ";

    /// <summary>Writes the lines; none if the run has neither heartbeats nor reconnection.</summary>
    public static void Write(RunResult result, TextWriter writer)
    {
        if (result.Heartbeats is { } heartbeats)
        {
            writer.WriteLine(Invariant($"Heartbeats sent by clients: {heartbeats.ClientSent:N0}"));
            writer.WriteLine($"Heartbeats server received: {MessageLines.Told(heartbeats.ServerReceived)}");
            writer.WriteLine($"Heartbeats sent by server: {MessageLines.Told(heartbeats.ServerSent)}");
            writer.WriteLine(Invariant($"Heartbeats clients received: {heartbeats.ClientReceived:N0}"));
        }

        if (result.Reconnections is { } connections)
        {
            // Each side counts each end once, by its own reason.
            ILookup<bool, KeyValuePair<string, long>> sides = connections.Reasons.ToLookup(reason => reason.Key.StartsWith(OfServer, StringComparison.Ordinal));
            writer.WriteLine(Invariant($"Connections lost: {connections.Lost:N0}{Names(sides[false].ToDictionary())}"));
            if (sides[true].Any())
            {
                long ended = sides[true].Sum(reason => reason.Value);
                writer.WriteLine(Invariant($"Connections lost as the server counts them: {ended:N0}{Names(sides[true].ToDictionary())}"));
            }

            writer.WriteLine(Invariant($"Connections opened again: {connections.Returned:N0} in {connections.Attempts:N0} attempts"));
            writer.WriteLine(connections.GapMicroseconds is { } gap
                ? $"From the loss to the first answer: {(gap.Min is { } least ? Invariant($"min {least / 1000:N1} ms, ") : string.Empty)}" +
                    Invariant($"mean {gap.Mean / 1000:N1} ms, p50 {gap.P50 / 1000:N1} ms, p99 {gap.P99 / 1000:N1} ms, max {gap.Max / 1000:N1} ms")
                : "From the loss to the first answer: no client got one");
        }
    }
}
