namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

internal sealed class NetCoreClient(StreamSide side, NetCoreTls? tls, IConnectObserver observer, INetCoreEndpoint endpoint, Func<bool> connect)
    : NetCorePeer(side, endpoint, observer), ICallbackClient
{
    // Whether the TLS stream exists. The library cannot disconnect before: it would dispose a stream that does not exist.
    private bool _hasStream;
    private int _hasNotified;
    private string? _failure;

    public void Connect() => connect();

    /// <summary>From here on, a failure is one of TLS.</summary>
    public void OnHandshaking()
    {
        lock (Calls)
        {
            _hasStream = true;
            if (!IsClosed)
            {
                return;
            }
        }

        Endpoint.Disconnect();
    }

    public override void OnConnected()
    {
        base.OnConnected();
        if (Interlocked.Exchange(ref _hasNotified, 1) == 0)
        {
            Observer!.Connected();
        }
    }

    public override void OnDisconnected()
    {
        // The code that closed the client needs no report.
        if (!IsClosed && Interlocked.Exchange(ref _hasNotified, 1) == 0)
        {
            // The library does not report a refused or reset connection. The end of the handshake does not count: a server may end the connection during it.
            Observer!.Refused(
                _hasStream ? $"the TLS handshake failed: {tls!.Explain()}" : _failure ?? "the server refused the connection or ended it");
        }

        base.OnDisconnected();
    }

    public override void OnError(SocketError error)
    {
        if (IsReported)
        {
            base.OnError(error);
        }
        else
        {
            _failure ??= $"{error}";
        }
    }

    protected override void CloseTransport(bool canSend)
    {
        if (tls is null || _hasStream)
        {
            base.CloseTransport(canSend);
        }
    }
}
