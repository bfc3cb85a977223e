using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The socket that clients connect to.</summary>
internal sealed class StreamListener : IPollable
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
        _socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        try
        {
            _socket.Bind(setup.EndPoint);
            _socket.Listen();
            EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
            SocketHandle = _socket.Handle;
        }
        catch
        {
            _socket.Dispose();
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }

    public nint SocketHandle { get; }

    /// <summary>Connections that were accepted.</summary>
    public int Connections { get; private set; }

    public void OnReadable()
    {
        if (TryAccept() is { } client)
        {
            Connections++;
            StreamConnection.Open(client, _setup.Server, _traffic, _loop);
        }
    }

    public void OnTick()
    {
        // A listener has nothing that is due.
    }

    public void Dispose() => _socket.Dispose();

    private Socket? TryAccept()
    {
        try
        {
            return _socket.Accept();
        }
        catch (SocketException exception) when (exception.SocketErrorCode is SocketError.WouldBlock or SocketError.ConnectionAborted or SocketError.ConnectionReset)
        {
            // Whoever wanted to connect has thought better of it.
            return null;
        }
    }
}
