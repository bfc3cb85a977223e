using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Blocking;

// One thread accepts. Each connection is served from its handshake to its end by one thread: of its own, or of a fixed number of workers.
internal sealed class BlockingServer : IBenchmarkServer
{
    // The connections that are served or wait for a worker of the pool, and so the most threads.
    public const int MaxConnections = 1_000;

    private readonly Socket _listener;
    private readonly StreamSide _side;
    private readonly Func<int, StreamTransport> _createTransport;
    private readonly ConnectionTable _connections;
    private readonly ConnectionThreads _threads;
    private readonly Thread _accepting;

    public BlockingServer(ServerSetup setup, Func<int, StreamTransport> createTransport, bool isPool)
    {
        (_side, _createTransport) = (StreamSide.For(setup), createTransport);
        _listener = ServerSocket.Listen(setup);
        EndPoint = (IPEndPoint)_listener.LocalEndPoint!;
        int max = Math.Min(MaxConnections, setup.MaxConnections());
        _connections = new ConnectionTable(max);
        _threads = new ConnectionThreads(isPool ? setup.Plan.ServerThreads : max, _side, Serve);
        _accepting = new Thread(() => _side.Recorder.Guard(this, static server => server.AcceptAll())) { Name = "Epoll accept", IsBackground = true };
        _accepting.Start();
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync()
    {
        TimeSpan deadline = _side.Plan.StopDeadline;
        bool ended = await Task.Run(() =>
        {
            // The thread that waits for a connection wakes with an error, and those that wait for bytes with the end of their connections.
            _ = SysSocket.shutdown((int)_listener.Handle, SysSocket.SHUT_RDWR);
            _connections.ShutDown();
            return _accepting.Join(deadline) && _threads.End(deadline);
        }).ConfigureAwait(false);
        _listener.Dispose();
        if (!ended)
        {
            throw Deadline.Missed("The threads of the blocking server did not end", deadline);
        }
    }

    private void AcceptAll()
    {
        while (StreamSocket.AcceptBlocking((int)_listener.Handle, _side.Plan.ConnectDeadline, out SocketError error) is var descriptor
            && (descriptor >= 0 || IsPassing(error)))
        {
            if (descriptor >= 0 && _connections.TryAdd(descriptor))
            {
                _threads.Take(descriptor);
            }
            else if (descriptor >= 0)
            {
                _connections.Close(descriptor);
            }
        }
    }

    private bool IsPassing(SocketError error)
    {
        if (_connections.IsShutDown)
        {
            return false;
        }

        if (error is not (SocketError.Interrupted or SocketError.ConnectionAborted))
        {
            // No descriptors are left, for example. The next accept fails in the same way until a connection ends.
            _side.CountError($"{error}");
            _connections.AwaitClose();
        }

        return true;
    }

    private void Serve(int descriptor, ConnectionWorker worker)
    {
        StreamTransport transport = _createTransport(descriptor);
        try
        {
            new BlockingPeer(_side, transport, worker).Serve(() => _connections.IsShutDown);
        }
        finally
        {
            _connections.Close(descriptor, transport);
        }
    }
}

// A descriptor leaves the table before it is closed: its number may then belong to another connection. From any thread.
internal sealed class ConnectionTable(int maxConnections)
{
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(50);

    private readonly HashSet<int> _open = [];
    private bool _isShutDown;

    public bool IsShutDown => Volatile.Read(ref _isShutDown);

    // Waits while the most connections are open. False after the shutdown.
    public bool TryAdd(int descriptor)
    {
        lock (_open)
        {
            while (_open.Count >= maxConnections && !_isShutDown)
            {
                Monitor.Wait(_open);
            }

            return !_isShutDown && _open.Add(descriptor);
        }
    }

    public void Close(int descriptor, StreamTransport? transport = null)
    {
        lock (_open)
        {
            _open.Remove(descriptor);
            Monitor.PulseAll(_open);
        }

        if (transport is null)
        {
            _ = SysEpoll.close(descriptor);
        }
        else
        {
            transport.Dispose();
        }
    }

    public void AwaitClose()
    {
        lock (_open)
        {
            _ = _isShutDown || Monitor.Wait(_open, s_rest);
        }
    }

    public void ShutDown()
    {
        lock (_open)
        {
            Volatile.Write(ref _isShutDown, true);
            foreach (int descriptor in _open)
            {
                _ = SysSocket.shutdown(descriptor, SysSocket.SHUT_RDWR);
            }

            Monitor.PulseAll(_open);
        }
    }
}
