using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The requested impairments, the actions of the relay, and their effects as the harness saw them, over the whole run.</summary>
internal static class ImpairmentBlocks
{
    public static IEnumerable<Block> Of(RunResult run)
    {
        if (run.Relay is not { Counts: { ToServer: var to, ToClients: var back } relay })
        {
            return [];
        }

        RunTotals seen = run.Totals;
        bool isStream = to.Stream is not null && back.Stream is not null;
        string clients = to.Stream is null
            ? Invariant($"{relay.Clients:N0} clients")
            : Invariant($"{relay.Cuts:N0} cuts, {relay.Clients:N0} connections, {relay.ResetConnections:N0} of them reset");
        (string Name, long ToServer, long ToClients, long Seen)[] rows = isStream
            ?
            [
                ("chunks passed on", to.Forwarded, back.Forwarded, 0),
                ("chunks of broken connections", to.Overflowed, back.Overflowed, 0),
                ("bytes passed on", to.Stream!.ForwardedBytes, back.Stream!.ForwardedBytes, 0),
                ("bytes delayed", to.Stream.DelayedBytes, back.Stream.DelayedBytes, 0),
                ("longest queue, bytes", to.Stream.LongestQueue, back.Stream.LongestQueue, 0),
            ]
            :
            [
                ("passed on", to.Forwarded, back.Forwarded, seen.Received),
                ("dropped", to.Dropped + to.Overflowed, back.Dropped + back.Overflowed, seen.Lost),
                ("duplicated", to.Duplicated, back.Duplicated, seen.Duplicated),
                ("reordered", to.Reordered, back.Reordered, seen.Reordered),
                ("corrupted", to.Corrupted, back.Corrupted, seen.Corrupted),
            ];
        return
        [
            new Paragraph(Invariant($"Impaired on purpose with {Pairs(ImpairmentOptions.Of(run.Plan.Impairment), " ")}: {relay.Stalls:N0} stalls, {clients}.")),
            Table.Of(
                "What the relay did",
                [
                    new(isStream ? "Streams" : "Datagrams", row => row.Name) { IsText = true },
                    new("to the server", row => row.ToServer),
                    new("to the clients", row => row.ToClients),
                    new("seen by the clients", row => isStream ? null : row.Seen) { IsOptional = true },
                ],
                rows),
        ];
    }
}
