using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Sockets;

public sealed class SharedPortTests
{
    [Fact]
    public void The_option_has_the_value_of_the_header() =>
        Assert.Equal([SharedPort.SOL_SOCKET, SharedPort.SO_REUSEPORT], CCompiler.Evaluate(["sys/socket.h"], ["SOL_SOCKET", "SO_REUSEPORT"]));

    [Fact]
    public void RequireFree_refuses_a_port_that_others_share()
    {
        Assert.SkipUnless(SharedPort.IsSupported, "This system does not spread clients over sockets.");
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        SharedPort.Enable(socket);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var taken = (IPEndPoint)socket.LocalEndPoint!;
        var exception = Assert.Throws<BenchmarkException>(() => SharedPort.RequireFree(taken, Protocol.Udp));
        Assert.StartsWith($"Port {taken.Port} of 127.0.0.1 is in use", exception.Message, StringComparison.Ordinal);
        socket.Dispose();
        SharedPort.RequireFree(taken, Protocol.Udp);
    }
}
