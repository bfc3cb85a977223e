using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The socket that clients connect to.</summary>
internal sealed class StreamListener
{
    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly StreamTraffic _traffic;
    private readonly Socket _socket;

    /// <summary>Binds the socket and listens.</summary>
    /// <exception cref="SocketException">The address cannot be bound.</exception>
    public StreamListener(RelaySetup setup, PollLoop loop, StreamTraffic traffic)
    {
        _setup = setup;
        _loop = loop;
        _traffic = traffic;
        var socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        try
        {
            socket.Bind(setup.EndPoint);
            socket.Listen();
            EndPoint = (IPEndPoint)socket.LocalEndPoint!;
            _socket = socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }

    /// <summary>The number of accepted connections.</summary>
    public int Connections { get; private set; }

    /// <summary>Begins to accept. Called on the loop's thread, which closes the socket when it ends.</summary>
    public void Begin() => _loop.Add(new Acceptor(_loop, _socket, Join, Remark));

    private void Join(Socket client)
    {
        Connections++;
        if (RelayedConnection.TryOpen(client, _setup.Server, _traffic, _loop) is { } failure)
        {
            Remark(failure);
        }
    }

    private void Remark(SocketException exception)
    {
        if (NoRoom.Is(exception))
        {
            _setup.Recorder.Remark(NoRoom.Remark(exception));
        }
    }
}
