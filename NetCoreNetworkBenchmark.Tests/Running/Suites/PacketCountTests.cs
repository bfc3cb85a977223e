using NetCoreNetworkBenchmark.Workloads.FixedCounts;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

/// <summary>What a load puts on the wire, against answers that are known from the headers of IP, UDP and the libraries.</summary>
public sealed class PacketCountTests
{
    private const int Headers = 20 + 8;

    [Theory, InlineData(32), InlineData(1_472)]
    public async Task Raw_sockets_have_one_packet_for_each_message_and_the_headers_of_IP_and_UDP(int size)
    {
        WireFigures wire = await CountAsync(PlanOf("Sockets") with { MessageSize = size });
        Assert.All([wire.ToServer, wire.ToClients], direction =>
        {
            Assert.True(direction.Messages > 0);
            Assert.Equal(direction.Messages, direction.Packets);
            Assert.Equal(direction.Messages * (size + Headers), direction.Bytes);
        });
        Assert.Equal((WireCounter.Relay, 2, 2 * (size + Headers), 1), (wire.CountedBy, wire.PacketsPerMessage, wire.BytesPerMessage, wire.MessagesPerPacket));
    }

    [Fact]
    public async Task A_datagram_above_the_MTU_is_counted_as_its_fragments()
    {
        WireFigures wire = await CountAsync(PlanOf("Sockets") with { MessageSize = 4_000 });
        Assert.Equal((6, 2 * (4_000 + 8 + (3 * 20))), (wire.PacketsPerMessage, wire.BytesPerMessage));
    }

    [Fact]
    public async Task IPv6_has_headers_of_20_bytes_more()
    {
        LibraryUnderTest.RequireIPv6Loopback();
        WireFigures wire = await CountAsync(PlanOf("Sockets") with { Address = "::1" });
        Assert.Equal(2 * (32 + Headers + 20), wire.BytesPerMessage);
    }

    // The protocol.h of ENet: a packet has a header of 2 bytes, or of 4 if it has the time for an acknowledgement. The command of an unreliable message has 8
    // bytes, of a reliable one 6, and of an acknowledgement 8. A few pings are beside them.
    [Theory, InlineData(Transmission.Unreliable, 1, Headers + 2 + 8 + 32), InlineData(Transmission.Reliable, 2, Headers + 4 + 6 + 32 + Headers + 2 + 8)]
    public async Task ENet_acknowledges_reliable_messages_in_packets_of_their_own(Transmission transmission, int packets, int bytes)
    {
        WireFigures wire = await CountAsync(PlanOf("ENet") with { Transmission = transmission });
        Assert.All([wire.ToServer, wire.ToClients], direction =>
        {
            Assert.InRange((double)direction.Packets / direction.Messages, packets, packets * 1.05);
            Assert.InRange((double)direction.Bytes / direction.Messages, bytes, bytes * 1.05);
        });
    }

    [Fact]
    public async Task LiteNetLib_adds_the_bytes_of_its_overhead_to_an_unreliable_message()
    {
        RunPlan plan = PlanOf("LiteNetLib");
        Assert.SkipUnless(LibraryUnderTest.Catalog.Libraries.Contains(plan.Library), $"{plan.Library} is not in this build.");
        WireFigures wire = await CountAsync(plan);
        int bytes = Headers + LibraryUnderTest.Create(plan.Library).Info.Find(plan.Protocol, plan.Transmission)!.OverheadBytes + plan.MessageSize;
        Assert.All([wire.ToServer, wire.ToClients], direction =>
            Assert.InRange((double)direction.Bytes / direction.Messages, bytes, bytes * 1.05));
    }

    [Fact]
    public async Task Retransmissions_are_counted_when_the_path_loses_packets()
    {
        RunPlan plan = PlanOf("ENet") with { Transmission = Transmission.Reliable, Clients = 20 };
        WireFigures without = await CountAsync(plan);
        WireFigures with = await CountAsync(plan with { Impairment = new ImpairmentPlan { Loss = 0.05 }, Duration = TimeSpan.FromSeconds(1) });
        Assert.InRange(with.BytesPerMessage, 1.02 * without.BytesPerMessage, double.MaxValue);
    }

    [Fact]
    public async Task Messages_that_a_library_merges_share_packets()
    {
        WireFigures wire = await CountAsync(PlanOf("ENet") with { ParallelMessages = 100 });
        Assert.InRange(wire.MessagesPerPacket, 2, double.MaxValue);
        Assert.InRange(wire.PacketsPerMessage, double.Epsilon, 1);
        Assert.InRange(wire.BytesPerMessage, 2 * (8 + 32), 2 * (Headers + 2 + 8 + 32) - 1);
    }

    [Theory, InlineData(Protocol.Udp, true), InlineData(Protocol.Quic, true), InlineData(Protocol.Tcp, false), InlineData(Protocol.Ssl, false)]
    public void FindReason_names_what_TCP_requires_that_a_relay_does_not_have(Protocol protocol, bool isCountedByRelay)
    {
        RunPlan plan = PlanOf("Sockets") with { Protocol = protocol };
        Assert.Null(PacketCount.FindReason(plan, new PingPong(), missingPath: null));
        Assert.Equal(
            isCountedByRelay ? null
                : "A relay sees the bytes of TCP, but not its packets. A pair of TUN devices would count them, but only root can create network namespaces.",
            PacketCount.FindReason(plan, new PingPong(), "only root can create network namespaces"));
    }

    [Fact]
    public void FindReason_is_also_there_for_several_hosts_groups_and_loads_without_a_duration()
    {
        RunPlan plan = PlanOf("Sockets");
        Assert.NotNull(PacketCount.FindReason(plan with { Hosts = new HostsPlan { ServerHost = "a" } }, new PingPong(), null));
        Assert.NotNull(PacketCount.FindReason(plan with { Address = "239.0.0.1" }, new PingPong(), null));
        Assert.NotNull(PacketCount.FindReason(plan, new FixedCount(), null));
    }

    [Fact]
    public async Task A_count_that_missed_packets_has_no_figures()
    {
        RunResult run = await RunAsync(PlanOf("Sockets"));
        RelayCounts counts = run.Relay!.Counts;
        RelayDirectionCounts toServer = counts.ToServer with { Missed = counts.ToServer.Received };
        RunResult missed = run with { Relay = run.Relay with { Counts = counts with { ToServer = toServer } } };
        Assert.Null(PacketCount.From(missed).Wire);
        Assert.Contains("The relay missed ", PacketCount.From(missed).Reason, StringComparison.Ordinal);
        Assert.Equal("No relay has counted.", PacketCount.From(run with { Relay = null }).Reason);
    }

    private static async Task<WireFigures> CountAsync(RunPlan plan)
    {
        CountedPackets counted = PacketCount.From(await RunAsync(plan));
        Assert.Null(counted.Reason);
        return counted.Wire!;
    }

    private static Task<RunResult> RunAsync(RunPlan plan)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(plan.Library);
        var workload = new PingPong();
        ParticipantGroup participants = Placement.InThisProcess(plan, library, workload, relay: new LocalRelay(plan));
        return new Run(plan, library.Info, workload, participants).RunAsync(TestContext.Current.CancellationToken);
    }

    [Theory, InlineData(10, 0, 1), InlineData(0.2, 0, 0.2), InlineData(0.2, 0.1, 0.8)]
    public void Counting_lasts_no_longer_than_the_load_but_for_some_round_trips(double load, double delay, double expected) => Assert.Equal(
        expected,
        new PacketCount(PacketCount.Length).PlanOf(PlanOf("Sockets") with
        {
            Duration = TimeSpan.FromSeconds(load),
            Impairment = new ImpairmentPlan { Delay = TimeSpan.FromSeconds(delay) },
        }).Duration.TotalSeconds);

    // One message in flight of each client, so that none merges with another.
    private static RunPlan PlanOf(string library) => new()
    {
        Test = new PingPong().Name,
        Library = library,
        Port = 0,
        Clients = 2,
        ParallelMessages = 1,
        MessageSize = 32,
        WarmUp = TimeSpan.Zero,
        Duration = TimeSpan.FromSeconds(0.5),
        AnyMachine = true,
    };
}
