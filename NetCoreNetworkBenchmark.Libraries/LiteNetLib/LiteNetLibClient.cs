using LiteNetLib;

namespace NetCoreNetworkBenchmark.Libraries.LiteNetLib;

internal sealed class LiteNetLibClient : PolledManager, IPolledClient, IPeer
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;
    private readonly NetPeer _server;
    private bool _connected;

    public LiteNetLibClient(ClientSetup setup, PollLoop loop, IConnectObserver observer)
        : base(loop, setup.Plan, setup.Recorder, "client")
    {
        _setup = setup;
        _observer = observer;
        Manager.EnableStatistics = true;
        IPAddress any = setup.EndPoint.AddressFamily == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any;
        if (Start(new IPEndPoint(any, 0), SocketBuffers.NeededByClient(setup.Plan)) is not null)
        {
            throw new BenchmarkException("LiteNetLib could not bind the socket of a client.");
        }

        _server = Manager.Connect(setup.EndPoint, ConnectionKey);
    }

    public object? State { get; set; }

    public void Start()
    {
        if (_connected)
        {
            _setup.Handler.OnStart(this, Loop.Worker);
            Update();
        }
    }

    public void Due(long due)
    {
        if (_connected)
        {
            _setup.Handler.OnDue(this, due, Loop.Worker);
            Update();
        }
    }

    public bool Send(ReadOnlySpan<byte> message) => Send(_server, message);

    public bool SendReliable(ReadOnlySpan<byte> message) => SendReliable(_server, message);

    public bool SendReliable(ReadOnlySpan<byte> message, int channel) => SendReliable(_server, message, channel);

    public void Close() => _server.Disconnect();

    public override void OnTick()
    {
        if (_connected)
        {
            _setup.Handler.OnTick(this, Loop.Worker);
        }

        base.OnTick();
    }

    public override void OnConnectionRequest(ConnectionRequest request) => request.Reject();

    public override void OnPeerConnected(NetPeer peer)
    {
        _connected = true;
        _setup.Handler.OnConnected(this, Loop.Worker);
        _observer.Connected();
    }

    public override void OnPeerDisconnected(NetPeer peer, DisconnectInfo disconnectInfo)
    {
        if (!_connected)
        {
            _observer.Refused($"LiteNetLib reports {disconnectInfo.Reason}");
        }

        CloseConnections();
    }

    protected override void OnMessage(NetPeer peer, ReadOnlySpan<byte> message) => _setup.Handler.OnMessage(this, message, Loop.Worker);

    protected override void CloseConnections()
    {
        if (_connected)
        {
            _connected = false;
            _setup.Handler.OnClosed(this, Loop.Worker);
        }
    }
}
