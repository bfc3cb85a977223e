using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>What becomes of the clients of a library when their addresses change, and in an outage.</summary>
[Collection(nameof(HostNetwork))]
public sealed class RoamRunTests
{
    private const int Clients = 3;
    private const string Load = "-c 3 --rate 150 --warmup 0 -d 3 --loss-deadline 0.5";

    // ENet and the raw sockets know a client by its address. A connection of QUIC has an id (RFC 9000, section 9).
    [Theory, InlineData("ENet", "Reliable", false), InlineData("Sockets", "Unreliable", false), InlineData("Quic", "Reliable", true), Trait("Category", "Long")]
    public async Task Clients_survive_a_roam_if_the_library_knows_them_by_more_than_their_address(string library, string transmission, bool survive)
    {
        Assert.SkipUnless(
            LibraryUnderTest.Catalog.CreateLibrary(library) is { Info.Unavailable: null }, $"{library} cannot run here.");
        RunResult run = await RelayedRun.RunAsync($"{Load} -r {transmission} --roam 1s", library);
        Assert.InRange(run.Relay!.Counts.Roams, 2, long.MaxValue);
        Assert.Equal(survive ? 0 : Clients, EndedOf(run));
        LatencySummary silence = SilenceOf(run);
        Assert.InRange(survive ? silence.Max : silence.Min!.Value, survive ? 0 : 1_000_000, survive ? 1_000_000 : 3_100_000);
        AssertNoFaultOfTheImpairment(run);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Clients_are_silent_for_the_length_of_an_outage_and_go_on()
    {
        RunResult run = await RelayedRun.RunAsync($"{Load} -r Unreliable --outage 500ms/1.5s");
        RelayCounts relay = run.Relay!.Counts;
        Assert.InRange(relay.Outages, 1, 3);
        Assert.InRange(relay.ToServer.Dropped, 1, run.Totals.Lost);
        Assert.Equal(0, EndedOf(run));
        Assert.InRange(SilenceOf(run).Min!.Value, 450_000, 1_500_000);
        AssertNoFaultOfTheImpairment(run);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Streams_lose_no_message_in_an_outage_of_their_packets()
    {
        string? missing = NamespacePath.FindMissing();
        Assert.SkipWhen(missing is not null, $"A path of packets is not possible here: {missing}.");
        RunResult run = await RelayedRun.RunAsync("-P Tcp -c 3 --rate 150 --warmup 0 -d 3 --outage 500ms/1.5s");
        Assert.InRange(run.Relay!.Counts.ToServer.Dropped, 1, run.Relay.Counts.ToServer.Received);
        Assert.Equal((0, 0), (run.Totals.Lost, EndedOf(run)));
        Assert.InRange(SilenceOf(run).Min!.Value, 450_000, 3_100_000);
        AssertNoFaultOfTheImpairment(run);
    }

    private static double EndedOf(RunResult run) => run.Clients.Figures.Single(figure => figure.Name == ClientSilences.Ended).Value;

    private static LatencySummary SilenceOf(RunResult run)
    {
        NamedLatency silence = Assert.Single(run.Clients.Distributions, times => times.Name == ClientSilences.Longest);
        Assert.Equal(Clients, silence.Latency.Count);
        return silence.Latency.Microseconds!;
    }

    // A busy machine may send too late.
    private static void AssertNoFaultOfTheImpairment(RunResult run)
    {
        Assert.Equal(0, run.Errors);
        Assert.All(run.InvalidReasons, reason => Assert.Contains("could not hold the rate", reason, StringComparison.Ordinal));
    }
}
