using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

using static NetCoreNetworkBenchmark.Libraries.ENet.EnetH;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

/// <summary>One client: a host of its own with one peer, the server.</summary>
internal sealed unsafe class ENetClient : ENetHostBase, IPolledClient, IPeer
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;
    private readonly ENetPeer* _peer;
    private bool _connected;

    public ENetClient(ClientSetup setup, PollLoop loop, IConnectObserver observer)
        : base(loop, setup.Plan.Transmission)
    {
        _setup = setup;
        _observer = observer;
        ENetAddress address = ToENet(setup.EndPoint);
        Create(null, peers: 1, SocketBuffers.NeededByClient(setup.Plan));
        if (Host is null)
        {
            throw new BenchmarkException("ENet could not make the host of a client: the system refused it a socket or memory.");
        }

        _peer = enet_host_connect(Host, &address, ChannelCount, 0);
        enet_host_flush(Host);
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
        if (_connected && Send(_peer, message))
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
            enet_peer_disconnect_now(_peer, 0);
            Closed();
        }
    }

    protected override void OnConnect(ENetPeer* peer)
    {
        DisableThrottle(peer);
        _connected = true;
        _setup.Handler.OnConnected(this, Loop.Worker);
        _observer.Connected();
    }

    protected override void OnDisconnect(ENetPeer* peer)
    {
        if (_connected)
        {
            Closed();
        }
    }

    protected override void OnReceive(ENetPeer* peer, ReadOnlySpan<byte> message) =>
        _setup.Handler.OnMessage(this, message, Loop.Worker);

    protected override void CloseConnections() => Close();

    private void Closed()
    {
        _connected = false;
        _setup.Handler.OnClosed(this, Loop.Worker);
    }
}
