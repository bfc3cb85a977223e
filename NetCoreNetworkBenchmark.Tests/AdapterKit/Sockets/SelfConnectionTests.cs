using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Sockets;

/// <summary>Clients whose local port is that of a server that is gone: the system connects them to themselves.</summary>
public sealed class SelfConnectionTests
{
    [Theory, InlineData("127.0.0.1"), InlineData("::1")]
    public void ThrowIf_refuses_it_and_frees_its_port(string address)
    {
        using Socket client = ToItself(address);
        EndPoint endPoint = client.LocalEndPoint!;
        Assert.Equal(endPoint, client.RemoteEndPoint);
        Assert.Equal(SocketError.ConnectionRefused, Assert.Throws<SocketException>(() => SelfConnection.ThrowIf(client, endPoint)).SocketErrorCode);
        AssertIsFree(endPoint);
    }

    [Theory, InlineData("127.0.0.1"), InlineData("::1")]
    public void ErrorOf_is_a_refusal_and_frees_its_port(string address)
    {
        using Socket client = ToItself(address);
        var endPoint = (IPEndPoint)client.LocalEndPoint!;
        Assert.Equal(SocketError.ConnectionRefused, StreamSocket.ErrorOf((int)client.Handle, endPoint));
        client.Dispose();
        AssertIsFree(endPoint);
    }

    [Theory, InlineData("127.0.0.1"), InlineData("::1")]
    public void A_connection_to_a_server_is_kept(string address)
    {
        using Socket server = Bound(address);
        server.Listen();
        using Socket client = Bound(address);
        client.Connect(server.LocalEndPoint!);
        SelfConnection.ThrowIf(client, server.LocalEndPoint!);
        Assert.True(client.Connected);
        if (OperatingSystem.IsLinux())
        {
            Assert.Equal(SocketError.Success, StreamSocket.ErrorOf((int)client.Handle, (IPEndPoint)server.LocalEndPoint!));
        }
    }

    private static Socket ToItself(string address)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux is known to connect a socket to itself.");
        Socket socket = Bound(address);
        socket.Connect(socket.LocalEndPoint!);
        return socket;
    }

    private static Socket Bound(string address)
    {
        var endPoint = new IPEndPoint(IPAddress.Parse(address), 0);
        if (endPoint.AddressFamily == AddressFamily.InterNetworkV6)
        {
            LibraryUnderTest.RequireIPv6Loopback();
        }

        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(endPoint);
        return socket;
    }

    // Without SO_REUSEADDR, which .NET sets: a port that waits for late segments (TIME_WAIT) is in use.
    private static void AssertIsFree(EndPoint endPoint)
    {
        using var server = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        server.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, false);
        server.ExclusiveAddressUse = true;
        server.Bind(endPoint);
        server.Listen();
    }
}
