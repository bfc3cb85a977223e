using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The report of a server that ran alone.</summary>
internal static class ServerBuilder
{
    public static Document Of(ServerResult server)
    {
        Cost[] costs = [new("Server", "s0", server.Server.Cost)];
        return new Document($"{server.Plan.Test} server: {server.Library}", server.HarnessVersion,
        [
            new Facts(
            [
                .. CommonBlocks.SystemOf(server.Environment),
                new("Address", server.EndPoint),
                new("Message size", Figure(server.Plan.MessageSize, unit: " bytes")),
            ])
            {
                Style = FactStyle.List,
            },
            new Paragraph(CommonBlocks.TransportOf(server)) { Tone = Tone.Soft },
            .. CostBlocks.PlotsOf(string.Empty, costs),
            new Facts(
            [
                new("Duration", DurationOf(server)),
                new("Messages server received", RunFacts.Reported(server.Server.Received)),
                new("Messages sent by server", RunFacts.Reported(server.Server.Sent)),
                new("Errors", Figure(server.Server.Errors.Values.Sum()) + Names(server.Server.Errors)),
                new("Connections that ended", server.Server.Disconnects is { Count: > 0 } ended ? Figure(ended.Values.Sum()) + Names(ended) : null),
                .. RunFacts.Unsolicited(server.Server.Unsolicited),
                .. RunFacts.Tls(TlsResult.Of(server.Plan, [], server.Server, server.Environment)),
                .. RunFacts.Sides(server.Plan.Settings, server.Server, null),
            ]),
            .. CostBlocks.TableOf(costs),
            .. CommonBlocks.Notes(server.Server.Remarks),
            .. CommonBlocks.Warnings(server.Fitness),
            CommonBlocks.Environment(server.Environment, server.Fitness),
            .. CommonBlocks.Command(server.Command),
        ]);
    }

    private static string DurationOf(ServerResult server) => server.DurationSeconds is { } duration
        ? Invariant($"{duration:0.000} s from the first to the last message, {Math.Max(0, duration - server.Server.Cost.Seconds):0.000} s of it idle")
        : Figure(server.Server.Cost.Seconds, ThreeDecimals, " s");
}
