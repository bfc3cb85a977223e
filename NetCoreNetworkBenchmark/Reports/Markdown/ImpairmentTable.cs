using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The requested impairments, the actions of the relay, and their effects as the harness saw them, over the whole run.</summary>
internal static class ImpairmentTable
{
    public static void Write(RunTotals seen, ImpairmentResult impairment, TextWriter writer)
    {
        RelayDirectionCounts to = impairment.Relay.ToServer;
        RelayDirectionCounts back = impairment.Relay.ToClients;
        string asked = string.Join(' ', impairment.Asked.Select(option => $"{option.Key} {option.Value}"));
        string clients = to.Stream is null
            ? Invariant($"{impairment.Relay.Clients:N0} clients")
            : Invariant($"{impairment.Relay.Cuts:N0} cuts, {impairment.Relay.Clients:N0} connections, {impairment.Relay.ResetConnections:N0} of them reset");
        writer.WriteLine(Invariant($"Impaired on purpose with {asked}: {impairment.Relay.Stalls:N0} stalls, {clients}."));
        writer.WriteLine();
        if (to.Stream is { } bytesTo && back.Stream is { } bytesBack)
        {
            writer.WriteTable(
                textColumns: 1,
                ["Streams", "to the server", "to the clients"],
                [
                    Row("chunks passed on", to.Forwarded, back.Forwarded),
                    Row("chunks of broken connections", to.Overflowed, back.Overflowed),
                    Row("bytes passed on", bytesTo.ForwardedBytes, bytesBack.ForwardedBytes),
                    Row("bytes delayed", bytesTo.DelayedBytes, bytesBack.DelayedBytes),
                    Row("longest queue, bytes", bytesTo.LongestQueue, bytesBack.LongestQueue),
                ]);
        }
        else
        {
            writer.WriteTable(
                textColumns: 1,
                ["Datagrams", "to the server", "to the clients", "seen by the clients"],
                [
                    Row("passed on", to.Forwarded, back.Forwarded, seen.Received),
                    Row("dropped", to.Dropped + to.Overflowed, back.Dropped + back.Overflowed, seen.Lost),
                    Row("duplicated", to.Duplicated, back.Duplicated, seen.Duplicated),
                    Row("reordered", to.Reordered, back.Reordered, seen.Reordered),
                    Row("corrupted", to.Corrupted, back.Corrupted, seen.Corrupted),
                ]);
        }
    }

    private static string[] Row(string name, params long[] counts) => [name, .. counts.Select(count => Invariant($"{count:N0}"))];
}
