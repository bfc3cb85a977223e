using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>One client: a host of its own with one peer, the server.</summary>
internal sealed class PolledENetClient<THost, TPeer> : PolledENetHost<THost, TPeer>, IPolledClient, IPeer
    where THost : struct, IENetHost<TPeer>
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;
    private readonly TPeer _server;
    private bool _connected;

    /// <summary>Creates a client, and sends its request to connect.</summary>
    public PolledENetClient(ClientSetup setup, PollLoop loop, IConnectObserver observer, THost host, TPeer server)
        : base(loop, host)
    {
        _setup = setup;
        _observer = observer;
        _server = server;
        Host.Flush();
    }

    public object? State { get; set; }

    public void Start()
    {
        if (_connected)
        {
            _setup.Handler.OnStart(this, Loop.Worker);
            FlushQueued();
        }
    }

    public void Due(long due)
    {
        if (_connected)
        {
            _setup.Handler.OnDue(this, due, Loop.Worker);
            FlushQueued();
        }
    }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (_connected && Send(_server, message))
        {
            return true;
        }

        _setup.Recorder.CountError("client enet_peer_send");
        return false;
    }

    public override void OnTick()
    {
        base.OnTick();
        if (_connected)
        {
            _setup.Handler.OnTick(this, Loop.Worker);
            FlushQueued();
        }
    }

    public void Close()
    {
        if (_connected)
        {
            Host.Disconnect(_server);
            OnDisconnect(_server);
        }
    }

    protected override void OnConnect(TPeer peer)
    {
        _connected = true;
        _setup.Handler.OnConnected(this, Loop.Worker);
        _observer.Connected();
    }

    protected override void OnDisconnect(TPeer peer)
    {
        if (_connected)
        {
            _connected = false;
            _setup.Handler.OnClosed(this, Loop.Worker);
        }
    }

    protected override void OnReceive(TPeer peer, ReadOnlySpan<byte> message) => _setup.Handler.OnMessage(this, message, Loop.Worker);

    protected override void CloseConnections() => Close();
}
