using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Sockets;

public sealed class SharedPortTests
{
    private const string Address = "127.83.0.1";

    [Fact]
    public void The_option_has_the_value_of_the_header() =>
        Assert.Equal([SharedPort.SOL_SOCKET, SharedPort.SO_REUSEPORT], CCompiler.Evaluate(["sys/socket.h"], ["SOL_SOCKET", "SO_REUSEPORT"]));

    [Fact]
    public void RequireFree_refuses_a_port_that_others_share()
    {
        Assert.SkipUnless(SharedPort.IsSupported, "This system does not spread clients over sockets.");
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        SharedPort.Enable(socket);

        // An address of its own, at which no other program is given the port when it is free again.
        socket.Bind(new IPEndPoint(IPAddress.Parse(Address), 0));
        var taken = (IPEndPoint)socket.LocalEndPoint!;
        var exception = Assert.Throws<BenchmarkException>(() => SharedPort.RequireFree(taken, Protocol.Udp));
        Assert.StartsWith($"Port {taken.Port} of {Address} is in use", exception.Message, StringComparison.Ordinal);
        socket.Dispose();
        SharedPort.RequireFree(taken, Protocol.Udp);
    }
}
