using kcp2k;

namespace NetCoreNetworkBenchmark.Libraries.Kcp2k;

// One socket, and a connection of KCP for each client. Each turn of the library visits all connections.
internal sealed class Kcp2kServer : IPolledServerSocket
{
    // The library's clock counts milliseconds, and with many connections the flush of one is due at almost each of them.
    private static readonly long s_millisecond = Stopwatch.Frequency / 1000;

    private readonly ServerSetup _setup;
    private readonly PollLoop _loop;
    private readonly KcpChannel _channel;
    private readonly SocketServer _server;
    private readonly Dictionary<int, Peer> _peers = [];
    private readonly LoopTimer _flush;
    private readonly RoundRobinDueWork _turns;
    private readonly long _longestFlush;
    private readonly byte[] _message;
    private long _lastFlush;
    private long _activeUntil;

    // Whether reliable messages came or went since the clock was read.
    private bool _isActive;
    private bool _disposed;

    public Kcp2kServer(ServerSetup setup, PollLoop loop)
    {
        (_setup, _loop, _channel) = (setup, loop, Kcp2kBenchmark.ChannelOf(setup.Plan));
        KcpConfig config = Kcp2kBenchmark.Configure(setup.Plan, setup.EndPoint.AddressFamily);
        _longestFlush = (config.Interval + 1) * s_millisecond;
        _message = new byte[setup.Plan.MessageSize];
        _flush = new LoopTimer(Flush);
        _turns = new RoundRobinDueWork(loop, setup.Handler, FlushSoon);
        _server = new SocketServer(this, config);
        _server.Start((ushort)setup.EndPoint.Port);
        EndPoint = (IPEndPoint)_server.LocalEndPoint;
    }

    public IPEndPoint EndPoint { get; }

    public nint SocketHandle => _server.Socket.Handle;

    public void OnReadable()
    {
        if (!_disposed)
        {
            _loop.Worker.ReadClock();
            _server.TickIncoming();
            FlushSoon();
        }
    }

    public void OnTick()
    {
        if (!_disposed)
        {
            // Pings, time-outs and retransmissions.
            _server.TickIncoming();
            Flush();
        }
    }

    public void Dispose()
    {
        if (!_disposed)
        {
            _disposed = true;
            _loop.Cancel(_flush);
            foreach (Peer peer in _peers.Values.ToArray())
            {
                peer.Close();
            }

            _server.Stop();
        }
    }

    private void FlushSoon()
    {
        if (_disposed || (!_isActive && _activeUntil == 0))
        {
            return;
        }

        long next = _lastFlush + s_millisecond;
        if (ReadClock() >= next)
        {
            Flush();
        }
        else if (!_flush.IsSet)
        {
            _loop.Set(_flush, next);
        }
    }

    private void Flush()
    {
        _server.TickOutgoing();
        _lastFlush = ReadClock();
        if (_lastFlush >= _activeUntil && !_server.HasUnacknowledged)
        {
            _activeUntil = 0;
        }
        else if (!_flush.IsSet)
        {
            _loop.Set(_flush, _lastFlush + s_millisecond);
        }
    }

    // Reliable messages leave with the next flush of their connection, which is due after the interval of KCP.
    private long ReadClock()
    {
        long now = _setup.Recorder.Clock.GetTimestamp();
        if (_isActive)
        {
            _isActive = false;
            _activeUntil = now + _longestFlush;
        }

        return now;
    }

    private void OnConnected(int connection)
    {
        var peer = new Peer(this, connection);
        _peers[connection] = peer;
        _isActive = true;
        Guard(peer, default, static (server, peer, _) => server._setup.Handler.OnConnected(peer, server._loop.Worker));
    }

    private void OnMessage(int connection, ArraySegment<byte> message)
    {
        if (!_peers.TryGetValue(connection, out Peer? peer))
        {
            return;
        }

        if (message.Count > _message.Length)
        {
            // Anyone can connect, and send what the library allows.
            _setup.Recorder.CountError("server received a message of an invalid length");
            peer.Close();
        }
        else
        {
            Guard(peer, message, static (server, peer, message) => server._setup.Handler.OnMessage(peer, message, server._loop.Worker));
        }
    }

    // Also called for an unsolicited datagram, for which the library makes a connection and drops it again.
    private void OnDisconnected(int connection)
    {
        if (_peers.Remove(connection, out Peer? peer))
        {
            peer.EndTurns();
            Guard(peer, default, static (server, peer, _) => server._setup.Handler.OnClosed(peer, server._loop.Worker));
        }
    }

    private void OnError(int connection, ErrorCode error)
    {
        if (_peers.ContainsKey(connection))
        {
            Kcp2kBenchmark.Count(error, "server", _setup.Recorder);
        }
    }

    // The library would close the connection for an exception, and continue.
    private void Guard(Peer peer, ArraySegment<byte> message, Action<Kcp2kServer, Peer, ArraySegment<byte>> call)
    {
        try
        {
            call(this, peer, message);
        }
        catch (Exception exception)
        {
            _setup.Recorder.ReportFault(exception);
        }
    }

    private sealed class Peer(Kcp2kServer server, int connection) : PushPeer(server._turns.Turns)
    {
        // Only reliable messages wait in a queue, so others need no search for their connection.
        protected override bool IsFull => server._channel == KcpChannel.Reliable && Open is { } open && Kcp2kBenchmark.IsFull(open, server._channel);

        private KcpServerConnection? Open => server._server.connections.GetValueOrDefault(connection);

        public override bool Send(ReadOnlySpan<byte> message) => Send(message, server._channel);

        public override bool SendReliable(ReadOnlySpan<byte> message) => Send(message, KcpChannel.Reliable);

        public override void Close() => server._server.Disconnect(connection);

        private bool Send(ReadOnlySpan<byte> message, KcpChannel channel)
        {
            CountInTurn();
            if (Open is not { } open || Kcp2kBenchmark.IsFull(open, channel))
            {
                return false;
            }

            message.CopyTo(server._message);
            server._server.Send(connection, new ArraySegment<byte>(server._message, 0, message.Length), channel);
            server._isActive |= channel == KcpChannel.Reliable;
            return true;
        }
    }

    // On a socket that is bound as the setup specifies; by itself the library binds a port of all addresses.
    private sealed class SocketServer(Kcp2kServer owner, KcpConfig config)
        : KcpServer(
            owner.OnConnected,
            (connection, message, _) => owner.OnMessage(connection, message),
            owner.OnDisconnected,
            (connection, error, _) => owner.OnError(connection, error),
            config)
    {
        private readonly int _maxConnections = owner._setup.Plan.Clients;
        private int? _unknown;

        public Socket Socket => socket;

        public bool HasUnacknowledged
        {
            get
            {
                foreach (KcpServerConnection connection in connections.Values)
                {
                    if (connection.SendQueueCount + connection.SendBufferCount > 0)
                    {
                        return true;
                    }
                }

                return false;
            }
        }

        public override void Start(ushort port)
        {
            socket = ServerSocket.Bind(owner._setup);
            socket.Blocking = false;
            Common.ConfigureSocketBuffers(socket, config.RecvBufferSize, config.SendBufferSize);
            SocketBuffers.Reserve(socket, SocketBuffers.NeededByServer(owner._setup.Plan));
        }

        // An unsolicited datagram is counted, and makes no connection if there are as many as clients.
        protected override bool RawReceiveFrom(out ArraySegment<byte> segment, out int connectionId)
        {
            CountUnknown();
            while (base.RawReceiveFrom(out segment, out connectionId))
            {
                bool isKnown = connections.ContainsKey(connectionId);
                if (isKnown || connections.Count < _maxConnections)
                {
                    _unknown = isKnown ? null : connectionId;
                    owner._isActive |= Kcp2kBenchmark.IsReliable(segment);
                    return true;
                }

                owner._loop.Worker.CountUnsolicitedDatagram();
            }

            return false;
        }

        // The last datagram came from an unknown address. If it was no request to connect, there is still no connection.
        private void CountUnknown()
        {
            if (_unknown is { } connection && !connections.ContainsKey(connection))
            {
                owner._loop.Worker.CountUnsolicitedDatagram();
            }

            _unknown = null;
        }
    }
}
