using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The report of a server that ran alone.</summary>
internal static class ServerBuilder
{
    public static Document Of(ServerResult server)
    {
        Cost[] costs = [new("Server", "s0", server.Cost)];
        return new Document($"{server.Test} server: {server.Library}", server.HarnessVersion,
        [
            new Facts(
            [
                .. CommonBlocks.SystemOf(server.Environment),
                new("Address", server.EndPoint),
                new("Message size", Figure(server.MessageSize, unit: " bytes")),
            ])
            {
                Style = FactStyle.List,
            },
            new Paragraph(CommonBlocks.TransportOf(server)) { Tone = Tone.Soft },
            .. CostBlocks.PlotsOf(string.Empty, costs),
            new Facts(
            [
                new("Duration", DurationOf(server)),
                new("Messages server received", RunFacts.Reported(server.Received)),
                new("Messages sent by server", RunFacts.Reported(server.Sent)),
                new("Errors", Figure(server.ErrorsByName.Values.Sum()) + Names(server.ErrorsByName)),
                new("Connections that ended", server.Disconnects is { } ended ? Figure(ended.Values.Sum()) + Names(ended) : null),
                .. RunFacts.Unsolicited(server.Foreign),
                .. RunFacts.Tls(server.Tls),
                .. RunFacts.Sides(server.Settings, server.ServerThreads, null, new PinningResult(server.Pinning, null)),
            ]),
            .. CostBlocks.TableOf(costs),
            .. CommonBlocks.Notes(server.Remarks),
            .. CommonBlocks.Warnings(server.Fitness),
            CommonBlocks.Environment(server.Environment, server.Fitness),
            .. CommonBlocks.Command(server.Command),
        ]);
    }

    private static string DurationOf(ServerResult server) => server.DurationSeconds is { } duration
        ? Invariant($"{duration:0.000} s from the first to the last message, {Math.Max(0, duration - server.Cost.Seconds):0.000} s of it idle")
        : Figure(server.Cost.Seconds, ThreeDecimals, " s");
}
