using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Packets;

namespace NetCoreNetworkBenchmark.Tests.Running.Packets;

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
        Assert.SkipUnless(Socket.OSSupportsIPv6, "There is no IPv6.");
        WireFigures wire = await CountAsync(PlanOf("Sockets") with { Address = "::1" });
        Assert.Equal(2 * (32 + Headers + 20), wire.BytesPerMessage);
    }

    // enet_protocol.h: the header of a packet with its time is 4 bytes, and the command of an unreliable message 8, of a reliable one 6. An acknowledgement is a
    // command of 8 bytes. A few pings are beside them.
    [Fact]
    public async Task ENet_sends_reliable_messages_with_acknowledgements_and_unreliable_ones_without()
    {
        WireFigures unreliable = await CountAsync(PlanOf("ENet") with { Transmission = Transmission.Unreliable });
        WireFigures reliable = await CountAsync(PlanOf("ENet") with { Transmission = Transmission.Reliable });
        Assert.Equal("", $"{unreliable} {reliable}");
    }

    [Fact]
    public async Task LiteNetLib_adds_its_documented_headers()
    {
        WireFigures unreliable = await CountAsync(PlanOf("LiteNetLib") with { Transmission = Transmission.Unreliable });
        Assert.Equal("", $"{unreliable}");
    }

    [Fact]
    public async Task Retransmissions_appear_with_loss()
    {
        RunPlan plan = PlanOf("ENet") with { Transmission = Transmission.Reliable };
        WireFigures without = await CountAsync(plan);
        WireFigures with = await CountAsync(plan with { Impairment = new ImpairmentPlan { Loss = 0.05 } });
        Assert.Equal("", $"{without} {with}");
    }

    private static async Task<WireFigures> CountAsync(RunPlan plan)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(plan.Library);
        var workload = new PingPong();
        RunResult result = await new Run(
            plan, library.Info, workload, Placement.InThisProcess(plan, library, workload, relay: new LocalRelay(plan)))
            .RunAsync(TestContext.Current.CancellationToken);
        CountedPackets counted = PacketCount.Of(result);
        Assert.Null(counted.Reason);
        return counted.Wire!;
    }

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
