using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>What was asked of the relay, what it did, and what the harness saw of it, over the whole run.</summary>
internal static class ImpairmentTable
{
    public static void Write(RunResult result, ImpairmentResult impairment, TextWriter writer)
    {
        RelayDirectionCounts to = impairment.Relay.ToServer;
        RelayDirectionCounts back = impairment.Relay.ToClients;
        writer.WriteLine(Invariant($"Impaired on purpose with {string.Join(' ', impairment.Asked.Select(asked => $"{asked.Key} {asked.Value}"))}: {impairment.Relay.Stalls:N0} stalls, {impairment.Relay.Clients:N0} clients."));
        writer.WriteLine();
        var table = new MarkdownTable(["Datagrams", "to the server", "to the clients", "seen by the clients"], textColumns: 1);
        table.Add(["passed on", Invariant($"{to.Forwarded:N0}"), Invariant($"{back.Forwarded:N0}"), Invariant($"{result.Totals.Received:N0}")]);
        table.Add(["dropped", Invariant($"{to.Dropped + to.Overflowed:N0}"), Invariant($"{back.Dropped + back.Overflowed:N0}"), Invariant($"{result.Totals.Lost:N0}")]);
        table.Add(["duplicated", Invariant($"{to.Duplicated:N0}"), Invariant($"{back.Duplicated:N0}"), Invariant($"{result.Totals.Duplicated:N0}")]);
        table.Add(["reordered", Invariant($"{to.Reordered:N0}"), Invariant($"{back.Reordered:N0}"), Invariant($"{result.Totals.Reordered:N0}")]);
        table.Add(["corrupted", Invariant($"{to.Corrupted:N0}"), Invariant($"{back.Corrupted:N0}"), Invariant($"{result.Totals.Corrupted:N0}")]);
        table.Write(writer);
    }
}
