using NetCoreNetworkBenchmark.Tests.Libraries.Streams;

namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>Connections of strangers end no server, stop no client of the run, and are counted by name.</summary>
public sealed class HostileConnectionTests
{
    private const int OfEachKind = 6;

    // The clients have to be served all the time, and need not take the machine for that: the closed loop is in the torture.
    private const double Rate = 2_000;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Servers() => LibraryUnderTest.OverTcp();

    [Theory, MemberData(nameof(Servers))]
    public async Task Server_survives_unsolicited_connections_and_its_clients_lose_nothing(string name, Protocol protocol)
    {
        await using var run = new HostileRun(
            name, protocol, TimeSpan.FromSeconds(protocol == Protocol.Ssl ? 2 : 1), handshakeDeadline: TimeSpan.FromSeconds(1), rate: Rate);
        await run.BeginAsync();
        using var unsolicited = new UnsolicitedConnections(run.EndPoint);
        unsolicited.OpenEach(OfEachKind);
        await run.ServesAsync();
        if (protocol == Protocol.Ssl)
        {
            // All of them are ended within the deadline of a handshake, and each one is counted.
            await Wait.UntilAsync(() => unsolicited.Ended() == unsolicited.Made, "ends of strangers that make no handshake");
            await Wait.UntilAsync(
                () => run.Errors.Where(error => error.Key.StartsWith("server TLS handshake failed: ", StringComparison.Ordinal))
                    .Sum(error => error.Value) == unsolicited.Made,
                "handshakes that failed");
        }
        else
        {
            await Wait.UntilAsync(() => run.Errors.GetValueOrDefault("server received a message of an invalid length") > 0, "messages of a wrong length");
        }

        Assert.InRange(run.Foreign(UnsolicitedTraffic.Connections), 1, unsolicited.Made);
        await run.ServesAsync();
        RunResult result = await run.EndAsync();
        Assert.Equal((0, 0), (result.Lost, result.Corrupted));
        Assert.DoesNotContain(result.ErrorsByName.Keys, error => error.StartsWith("client", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task Connections_far_above_the_plans_clients_are_closed_at_once(string name, Protocol protocol)
    {
        // One client and 64 other connections are permitted.
        await using var service = new StreamService(name, protocol);
        using var unsolicited = new UnsolicitedConnections(service.EndPoint);
        unsolicited.Open(UnsolicitedConnections.Kind.Silent, 85);
        await Wait.UntilAsync(() => unsolicited.Ended() == 20, "ends of those that are too many");

        // A connection takes its place before it is counted, so the last count may follow the ends.
        await Wait.UntilAsync(() => service.Recorder.Unsolicited()[UnsolicitedTraffic.Connections] == 84, "the count of the others");
    }
}
