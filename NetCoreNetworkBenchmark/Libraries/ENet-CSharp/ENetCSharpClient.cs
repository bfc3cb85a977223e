using ENet;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.ENetCSharp;

/// <summary>One client: a host of its own with one peer, the server.</summary>
internal sealed class ENetCSharpClient : ENetCSharpHost, IPolledClient, IPeer
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;
    private readonly Peer _peer;
    private bool _connected;

    public ENetCSharpClient(ClientSetup setup, PollLoop loop, IConnectObserver observer)
        : base(loop, setup.Plan)
    {
        _setup = setup;
        _observer = observer;
        Create(null, peers: 1, SocketBuffers.NeededByClient(setup.Plan));
        _peer = Host.Connect(ToENet(setup.EndPoint), ChannelCount);
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
            _peer.DisconnectNow(0);
            Closed();
        }
    }

    protected override void OnConnect(Peer peer)
    {
        _connected = true;
        _setup.Handler.OnConnected(this, Loop.Worker);
        _observer.Connected();
    }

    protected override void OnDisconnect(Peer peer)
    {
        if (_connected)
        {
            Closed();
        }
    }

    protected override void OnReceive(Peer peer, ReadOnlySpan<byte> message) => _setup.Handler.OnMessage(this, message, Loop.Worker);

    protected override void CloseConnections() => Close();

    private void Closed()
    {
        _connected = false;
        _setup.Handler.OnClosed(this, Loop.Worker);
    }
}
