using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The requested impairments, the actions of the relay, and their effects as the harness saw them, over the whole run.</summary>
internal static class ImpairmentTable
{
    public static void Write(RunResult result, ImpairmentResult impairment, TextWriter writer)
    {
        RelayDirectionCounts to = impairment.Relay.ToServer;
        RelayDirectionCounts back = impairment.Relay.ToClients;
        string asked = string.Join(' ', impairment.Asked.Select(option => $"{option.Key} {option.Value}"));
        writer.WriteLine(
            Invariant($"Impaired on purpose with {asked}: {impairment.Relay.Stalls:N0} stalls, {impairment.Relay.Clients:N0} clients."));
        writer.WriteLine();
        MarkdownTable table = to.Stream is { } bytesTo && back.Stream is { } bytesBack
            ? OfStreams(to, back, bytesTo, bytesBack)
            : OfDatagrams(result, to, back);
        table.Write(writer);
    }

    private static MarkdownTable OfDatagrams(RunResult result, RelayDirectionCounts to, RelayDirectionCounts back)
    {
        var table = new MarkdownTable(["Datagrams", "to the server", "to the clients", "seen by the clients"], textColumns: 1);
        table.Add(["passed on", Invariant($"{to.Forwarded:N0}"), Invariant($"{back.Forwarded:N0}"), Invariant($"{result.Totals.Received:N0}")]);
        table.Add(
        [
            "dropped",
            Invariant($"{to.Dropped + to.Overflowed:N0}"),
            Invariant($"{back.Dropped + back.Overflowed:N0}"),
            Invariant($"{result.Totals.Lost:N0}"),
        ]);
        table.Add(["duplicated", Invariant($"{to.Duplicated:N0}"), Invariant($"{back.Duplicated:N0}"), Invariant($"{result.Totals.Duplicated:N0}")]);
        table.Add(["reordered", Invariant($"{to.Reordered:N0}"), Invariant($"{back.Reordered:N0}"), Invariant($"{result.Totals.Reordered:N0}")]);
        table.Add(["corrupted", Invariant($"{to.Corrupted:N0}"), Invariant($"{back.Corrupted:N0}"), Invariant($"{result.Totals.Corrupted:N0}")]);
        return table;
    }

    private static MarkdownTable OfStreams(RelayDirectionCounts to, RelayDirectionCounts back, RelayStreamCounts bytesTo, RelayStreamCounts bytesBack)
    {
        var table = new MarkdownTable(["Streams", "to the server", "to the clients"], textColumns: 1);
        table.Add(["chunks passed on", Invariant($"{to.Forwarded:N0}"), Invariant($"{back.Forwarded:N0}")]);
        table.Add(["chunks of broken connections", Invariant($"{to.Overflowed:N0}"), Invariant($"{back.Overflowed:N0}")]);
        table.Add(["bytes passed on", Invariant($"{bytesTo.ForwardedBytes:N0}"), Invariant($"{bytesBack.ForwardedBytes:N0}")]);
        table.Add(["bytes delayed", Invariant($"{bytesTo.DelayedBytes:N0}"), Invariant($"{bytesBack.DelayedBytes:N0}")]);
        table.Add(["longest queue, bytes", Invariant($"{bytesTo.LongestQueue:N0}"), Invariant($"{bytesBack.LongestQueue:N0}")]);
        return table;
    }
}
