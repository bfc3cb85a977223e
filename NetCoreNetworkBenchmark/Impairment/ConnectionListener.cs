namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries connections without a change: what an impairment does to TCP, only packets show (<see cref="PacketListener"/>). A cut resets all connections at
/// both ends, and refuses new ones until its end.
/// </summary>
internal sealed class ConnectionListener : IRelayListener
{
    // While the system has no descriptor for another connection (EMFILE), connections wait in the socket's queue.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(50);

    private readonly RelaySetup _setup;

    // Bound, but never listening: it keeps the port while no socket listens. Null without cuts, and where the system does not permit a second socket.
    private readonly Socket? _keeper;

    private readonly Lock _lock = new();
    private readonly HashSet<RelayedConnection> _open = [];
    private Socket _listener;
    private bool _isCut;
    private int _clients;

    public ConnectionListener(RelaySetup setup)
    {
        _setup = setup;

        // With SO_REUSEADDR, which .NET sets, Linux binds a port several times as long as no other socket listens on it (socket(7)).
        _keeper = setup.Impairment.Cut is not null && OperatingSystem.IsLinux() ? Open(setup.EndPoint, listens: false) : null;
        try
        {
            _listener = Open((IPEndPoint?)_keeper?.LocalEndPoint ?? setup.EndPoint, listens: true);
            EndPoint = (IPEndPoint)_listener.LocalEndPoint!;
        }
        catch
        {
            _keeper?.Dispose();
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }

    public int Clients => Volatile.Read(ref _clients);

    // Not on the thread of the loop, which connections that wait already would keep.
    public void Begin()
    {
        Socket listener = _listener;
        ReportFaultOf(Task.Run(() => AcceptAsync(listener)));
    }

    // The system refuses new connections at once. Where the port cannot be kept without a listening socket, they are accepted and reset.
    public int StartCut()
    {
        // Before the resets, so that a client that comes back at once is refused.
        if (_keeper is not null)
        {
            Close(_listener);
        }

        RelayedConnection[] cut;
        lock (_lock)
        {
            _isCut = true;
            cut = [.. _open];
            _open.Clear();
        }

        Array.ForEach(cut, connection => connection.Reset());
        return cut.Length;
    }

    public void EndCut()
    {
        lock (_lock)
        {
            _isCut = false;
        }

        if (_keeper is not null)
        {
            _listener = Open(EndPoint, listens: true);
            Begin();
        }
    }

    public void Dispose()
    {
        Close(_listener);
        StartCut();
        _keeper?.Dispose();
    }

    /// <summary>On Linux, the system refuses new connections from then on.</summary>
    internal static void Close(Socket listener)
    {
        if (OperatingSystem.IsLinux() && !listener.SafeHandle.IsClosed)
        {
            // A process that is just being started has a copy of the descriptor, with which the port would listen a moment longer.
            listener.Shutdown(SocketShutdown.Both);
        }

        listener.Dispose();
    }

    private static Socket Open(IPEndPoint endPoint, bool listens) => new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp).SetUp(socket =>
    {
        socket.Bind(endPoint);
        if (listens)
        {
            socket.Listen();
        }
    });

    private void ReportFaultOf(Task task) => _ = task.ContinueWith(
        failed => _setup.Recorder.ReportFault(failed.Exception!.GetBaseException()),
        CancellationToken.None,
        TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    private async Task AcceptAsync(Socket listener)
    {
        while (!listener.SafeHandle.IsClosed)
        {
            try
            {
                if (ResourceShortage.IsNear(_setup, CountOpen()))
                {
                    await Task.Delay(s_pause);
                    continue;
                }

                ReportFaultOf(CarryAsync(await listener.AcceptAsync()));
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException && listener.SafeHandle.IsClosed)
            {
                // A cut has closed the listener.
            }
            catch (SocketException exception) when (exception.SocketErrorCode
                is SocketError.ConnectionAborted or SocketError.ConnectionReset or SocketError.Interrupted)
            {
                // The connection ended before it was accepted.
            }
            catch (SocketException exception)
            {
                // The connection is still in the queue. Without a pause the loop would return here at once, again and again.
                ResourceShortage.Remark(exception, _setup.Recorder);
                await Task.Delay(s_pause);
            }
        }
    }

    private async Task CarryAsync(Socket client)
    {
        RelayedConnection connection;
        try
        {
            connection = new RelayedConnection(client, _setup.Server, Remove);
        }
        catch (SocketException exception)
        {
            // The client sees the same error as with any server that is gone.
            client.Close(0);
            ResourceShortage.Remark(exception, _setup.Recorder);
            return;
        }

        bool isOpen;
        lock (_lock)
        {
            isOpen = !_isCut && _open.Add(connection);
            _clients += isOpen ? 1 : 0;
        }

        if (!isOpen)
        {
            connection.Reset();
            return;
        }

        await connection.CarryAsync();
    }

    private int CountOpen()
    {
        lock (_lock)
        {
            return _open.Count;
        }
    }

    private void Remove(RelayedConnection connection)
    {
        lock (_lock)
        {
            _open.Remove(connection);
        }
    }
}

/// <summary>
/// A connection of a client and its twin to the server. The end of a stream is passed on, and a connection that breaks breaks its twin, as soon as it is read
/// or written.
/// </summary>
internal sealed class RelayedConnection : IDisposable
{
    // Each connection has two of them, for as long as it lives.
    private const int BufferBytes = 8 * 1024;
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly IPEndPoint _endPoint;
    private readonly Action<RelayedConnection> _remove;
    private int _streams = 2;

    public RelayedConnection(Socket client, IPEndPoint server, Action<RelayedConnection> remove)
    {
        (_client, _endPoint, _remove) = (client, server, remove);
        client.NoDelay = true;
        _server = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp).SetUp(socket => socket.NoDelay = true);
    }

    public async Task CarryAsync()
    {
        try
        {
            await _server.ConnectAsync(_endPoint);
            SelfConnection.ThrowIf(_server, _endPoint);

            // Both before the first byte is passed on: a stream cannot be made of a socket that has sent its end.
            var (client, server) = (new NetworkStream(_client, ownsSocket: false), new NetworkStream(_server, ownsSocket: false));
            await Task.WhenAll(PassAsync(client, server), PassAsync(server, client));
            Dispose();
        }
        catch (Exception exception) when (IsEnd(exception))
        {
            // As with any server that is gone, or the connection is already reset.
            Break();
        }
    }

    /// <summary>Closes both sockets so that the peers see a broken connection (RST).</summary>
    public void Reset()
    {
        _client.Close(0);
        _server.Close(0);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    private static bool IsEnd(Exception exception) => exception is IOException or SocketException or ObjectDisposedException;

    private void Break()
    {
        _remove(this);
        Reset();
    }

    // A break of one stream ends the other one too.
    private async Task PassAsync(NetworkStream from, NetworkStream to)
    {
        try
        {
            await from.CopyToAsync(to, BufferBytes);
            if (Interlocked.Decrement(ref _streams) == 0)
            {
                _remove(this);
            }

            to.Socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (IsEnd(exception))
        {
            Break();
        }
    }
}
