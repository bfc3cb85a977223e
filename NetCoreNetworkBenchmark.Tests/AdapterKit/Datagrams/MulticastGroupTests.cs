using NetCoreNetworkBenchmark.AdapterKit.Datagrams;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class MulticastGroupTests
{
    private static readonly RunPlan s_plan = new() { Library = "none", Address = "239.255.0.1" };

    [Theory]
    [InlineData("224.0.0.0", true)]
    [InlineData("239.255.255.255", true)]
    [InlineData("223.255.255.255", false)]
    [InlineData("240.0.0.0", false)]
    [InlineData("127.0.0.1", false)]
    [InlineData("ff02::1", false)]
    [InlineData("localhost", false)]
    public void A_plan_has_a_group_where_its_address_is_one(string address, bool isGroup) =>
        Assert.Equal(isGroup ? IPAddress.Parse(address) : null, MulticastGroup.Of(s_plan with { Address = address }));

    [Fact]
    public void Nothing_leaves_the_machine_the_sender_uses_the_loopback_and_no_router()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        MulticastGroup.PrepareSender(socket, s_plan);
        Assert.Equal(IPAddress.Loopback.GetAddressBytes(), socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, 4));
        Assert.Equal(1, socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive));
        Assert.NotEqual(0, socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastLoopback));
    }

    [Fact]
    public void An_interface_that_is_none_of_this_machine_is_named()
    {
        using var recorder = new RunRecorder();
        var setup = new ClientSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
            Group = MulticastGroup.Of(s_plan),
            Plan = s_plan with { MulticastInterface = "192.0.2.77" },
            Handler = new Libraries.TestClientHandler(),
            Recorder = recorder,
        };
        var exception = Assert.Throws<BenchmarkException>(() => MulticastGroup.Join(setup, _ => { }));
        Assert.StartsWith("A client could not join the group 239.255.0.1 on the interface 192.0.2.77: ", exception.Message, StringComparison.Ordinal);
    }
}
