namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

internal sealed class NetCoreSessions(ServerSetup setup, Func<ReadOnlySpan<byte>, bool> multicast)
{
    public StreamSide Side { get; } = StreamSide.For(setup);

    public ConnectionLimit Limit { get; } = new(setup);

    public NetCoreGroup? Group { get; } = NetCoreGroup.For(setup, multicast);

    public static ValueTask EndAsync(bool isStarted, Func<bool> stop)
    {
        _ = isStarted && stop();
        return ValueTask.CompletedTask;
    }

    public void OnError(SocketError error) => Side.CountError($"{error}");
}

internal sealed class NetCoreSession(NetCoreSessions server, INetCoreEndpoint endpoint) : NetCorePeer(server.Side, endpoint)
{
    private bool _isRefused;
    private bool _isHandshaking;
    private bool _hasJoined;
    private int _hasEnded;
    private volatile bool _tookTooLong;

    /// <summary>The library has accepted the connection, which it cannot end yet.</summary>
    public void OnConnecting() => _isRefused = !server.Limit.TryEnter();

    // False if the connection is refused, and was ended.
    public bool OnHandshaking()
    {
        _isHandshaking = !_isRefused;
        if (_isRefused)
        {
            Endpoint.Disconnect();
        }

        return _isHandshaking;
    }

    public override void OnConnected()
    {
        if (_isRefused)
        {
            Endpoint.Disconnect();
            return;
        }

        _isHandshaking = false;
        base.OnConnected();
    }

    public override void OnReceived(byte[] buffer, long offset, long size)
    {
        if (_isRefused)
        {
            return;
        }

        if (!_hasJoined)
        {
            _hasJoined = true;
            server.Group?.Join(Endpoint);
        }

        base.OnReceived(buffer, offset, size);
    }

    public override void OnEmpty()
    {
        base.OnEmpty();
        server.Group?.OnAccepted();
    }

    /// <summary>If a client leaves at once, the library reports its end before its connect.</summary>
    public void OnDisconnecting()
    {
        if (!_isRefused && !IsReported)
        {
            OnConnected();
        }
    }

    public override void OnDisconnected()
    {
        // Two threads may end a connection at once, and the library then reports both.
        if (_isRefused || Interlocked.Exchange(ref _hasEnded, 1) != 0)
        {
            return;
        }

        server.Limit.Leave();
        if (_isHandshaking)
        {
            // The library reports every failure of a handshake with the same code, and exposes no exception.
            var verification = new PeerVerification("client", name: null, server.Side.Plan.ConnectDeadline);
            server.Side.CountError($"TLS handshake failed: {verification.Explain(_tookTooLong ? new TimeoutException() : null)}");
        }

        server.Group?.Leave(Endpoint);
        base.OnDisconnected();
    }

    public override void OnError(SocketError error)
    {
        if (IsReported)
        {
            base.OnError(error);
        }
    }

    public void GiveUp() => Side.Recorder.Guard(this, static session =>
    {
        if (session._isHandshaking)
        {
            session._tookTooLong = true;
            session.Endpoint.Disconnect();
        }
    });
}
