namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>
/// Times that a relay adds are in the figures of a run in full. A busy machine can only add to them, so these tests hold on every machine;
/// <see cref="TruthTests"/> compares the figures themselves.
/// </summary>
[Trait("Category", "Long")]
public sealed class LeastTimeTests
{
    public static IEnumerable<TheoryDataRow<Protocol>> Protocols() => TruthTests.Protocols();

    [Theory, MemberData(nameof(Protocols))]
    public async Task The_median_is_no_less_than_the_delay_of_both_ways(Protocol protocol)
    {
        RunResult result = await RelayedRun.RunAsync($"-P {protocol} {StreamRun.KeyOf(protocol)} -c 4 --rate 1000 --warmup 0.2 -d 0.5 --delay 5ms");
        Assert.InRange(result.LatencyMicroseconds!.P50, 10_000, double.MaxValue);
    }

    /// <summary>RFC 8446 (1.3) and RFC 5246 (1.2): the messages that the client waits for before its handshake is complete.</summary>
    [Theory, InlineData("1.3", "none", 1), InlineData("1.2", "none", 2), InlineData("1.3", "ticket", 1), InlineData("1.2", "ticket", 1)]
    public async Task A_TLS_handshake_takes_no_less_than_the_round_trips_of_its_protocol(string version, string resumption, int roundTrips)
    {
        RunResult result = await RelayedRun.RunAsync(
            $"-P Ssl -t Handshake --tls {version} --resumption {resumption} --key P256 -c 4 --warmup 0.3 -d 1 --delay 50ms");
        Assert.Equal(0, result.Errors);
        Assert.InRange(result.Clients.Parts!.Single(part => part.Name == "TLS handshake").Latency.Microseconds!.P50, roundTrips * 100_000, double.MaxValue);
    }
}
