using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>Accepts the clients of one thread of a server, which then serves them.</summary>
internal sealed class StreamListener : IPolledServerSocket
{
    // Clients are accepted in portions, so that connected clients are served while thousands connect.
    private const int MostATurn = 64;

    private readonly StreamThread _thread;
    private readonly ConnectionBound _bound;
    private readonly Socket _socket;
    private bool _isPaused;

    /// <summary>Binds the socket and listens.</summary>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public StreamListener(ServerSetup setup, PollLoop loop, Func<int, StreamTransport> carry)
    {
        _bound = new ConnectionBound(setup);
        _thread = new StreamThread(loop, StreamSide.Of(setup), carry);
        _socket = ServerSocket.Listen(setup);
        _socket.Blocking = false;
        EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
    }

    public IPEndPoint EndPoint { get; }

    public nint SocketHandle => _socket.Handle;

    public void OnReadable()
    {
        int accepted = 0;
        while (accepted < MostATurn && Accept())
        {
            accepted++;
        }
    }

    public void OnTick()
    {
        if (_isPaused)
        {
            _isPaused = false;
            _thread.Loop.Watch(this, Interest.Read);
        }
    }

    public void Dispose() => _socket.Dispose();

    private bool Accept()
    {
        int descriptor = StreamSocket.Accept((int)SocketHandle, out SocketError error);
        if (descriptor >= 0)
        {
            Serve(descriptor);
            return true;
        }

        if (error is SocketError.WouldBlock)
        {
            return false;
        }

        if (error is not (SocketError.Interrupted or SocketError.ConnectionAborted))
        {
            // For example, no descriptors are left: the client waits in the queue, and is reported again and again.
            _thread.Side.CountError($"{error}");
            _isPaused = true;
            _thread.Loop.Watch(this, Interest.None);
        }

        return !_isPaused;
    }

    private void Serve(int descriptor)
    {
        if (!_bound.TryEnter())
        {
            _ = SysEpoll.close(descriptor);
            return;
        }

        var peer = new AcceptedClient(_thread, _thread.Carry(descriptor), _bound);
        _thread.Loop.Add(peer);

        // Before any bytes have arrived: a plain stream is open at once.
        peer.Proceed();
    }
}
