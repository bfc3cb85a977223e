using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>One client: a host of its own with one peer, the server.</summary>
internal sealed class PolledENetClient<THost, TPeer>(ClientSetup setup, PollLoop loop, IConnectObserver observer, THost host, TPeer server)
    : PolledENetHost<THost, TPeer>(loop, host, setup.Recorder, "client"), IPolledClient, IPeer
    where THost : struct, IENetHost<TPeer>
{
    private readonly byte _channel = ENetChannel.For(setup.Plan.Transmission);
    private bool _connected;

    public object? State { get; set; }

    public void Start()
    {
        if (_connected)
        {
            setup.Handler.OnStart(this, Loop.Worker);
            FlushQueued();
        }
    }

    public void Due(long due)
    {
        if (_connected)
        {
            setup.Handler.OnDue(this, due, Loop.Worker);
            FlushQueued();
        }
    }

    public bool Send(ReadOnlySpan<byte> message) => Send(message, _channel);

    public bool SendReliable(ReadOnlySpan<byte> message) => Send(message, ENetChannel.Reliable);

    public bool SendReliable(ReadOnlySpan<byte> message, int channel) => Send(message, (byte)(ENetChannel.Reliable + channel));

    public override void OnTick()
    {
        base.OnTick();
        if (_connected)
        {
            setup.Handler.OnTick(this, Loop.Worker);
            FlushQueued();
        }
    }

    public void Close()
    {
        if (_connected)
        {
            Host.Disconnect(server);
            OnDisconnect(server);
        }
    }

    protected override void OnConnect(TPeer peer)
    {
        _connected = true;
        setup.Handler.OnConnected(this, Loop.Worker);
        observer.Connected();
    }

    protected override void OnDisconnect(TPeer peer)
    {
        if (_connected)
        {
            _connected = false;
            setup.Handler.OnClosed(this, Loop.Worker);
        }
        else
        {
            observer.Refused("ENet ended the connection before it was established");
        }
    }

    protected override void OnReceive(TPeer peer, ReadOnlySpan<byte> message) => setup.Handler.OnMessage(this, message, Loop.Worker);

    protected override void CloseConnections() => Close();

    private bool Send(ReadOnlySpan<byte> message, byte channel) => _connected ? Send(server, message, channel) : OnQueued(false);
}
