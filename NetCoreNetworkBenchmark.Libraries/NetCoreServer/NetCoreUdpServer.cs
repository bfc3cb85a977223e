using UdpServer = NetCoreServer.UdpServer;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

// The library has one receive in progress at a time, so calls are made one after the other.
internal sealed class NetCoreUdpServer : UdpServer, IBenchmarkServer
{
    private readonly ServerSetup _setup;
    private readonly DatagramPeers<EndPoint> _peers;

    private readonly Action<NetCoreUdpServer> _receiveAgain;

    // Taken around each call, so that a stop waits for the call that runs. Only server push competes for it.
    private readonly Lock _calls = new();
    private readonly SendRoundRobin _turns;
    private long _received;
    private bool _stopped;

    private NetCoreUdpServer(ServerSetup setup)
        : base(setup.EndPoint)
    {
        _setup = setup;
        _peers = new DatagramPeers<EndPoint>(setup, setup.Recorder.ForCurrentThread, endPoint => new Peer(this, endPoint));
        _turns = new SendRoundRobin(setup.Handler, TakeTurnsSoon);
        _receiveAgain = NetCoreServerBenchmark.ReceiveAgain<NetCoreUdpServer>(setup.Plan, static server => server.ReceiveAsync());

        // If a datagram fills the buffer, the library replaces the buffer after OnReceived, when the next receive may be using it on another thread: the run
        // ends with an ArgumentOutOfRangeException. The buffer is therefore larger than any datagram, because any host can send one.
        OptionReceiveBufferSize = RunPlan.LargestDatagram + 1;

        // By default, the library shares addresses (SO_REUSEADDR), and a port in use would not be detected.
        OptionExclusiveAddressUse = true;
    }

    IPEndPoint IBenchmarkServer.EndPoint => (IPEndPoint)Endpoint;

    public static NetCoreUdpServer Bind(ServerSetup setup)
    {
        var server = new NetCoreUdpServer(setup);
        try
        {
            server.Start();
            return server;
        }
        catch (SocketException exception)
        {
            // The library opened the socket before it failed to bind it, and would keep it.
            server.Socket?.Dispose();
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    public ValueTask DisposeAsync()
    {
        lock (_calls)
        {
            if (!_stopped)
            {
                _peers.CloseAll();
                _stopped = true;
                Stop();
            }
        }

        return ValueTask.CompletedTask;
    }

    protected override void OnStarted()
    {
        SocketBuffers.Reserve(Socket, SocketBuffers.NeededByServer(_setup.Plan));
        PortUnreachable.Ignore(Socket);
        ReceiveAsync();
    }

    protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
    {
        try
        {
            lock (_calls)
            {
                if (_stopped)
                {
                    return;
                }

                // The library also calls this method when a receive failed, which OnError counts. It has counted no datagram then.
                if (_received != DatagramsReceived)
                {
                    _received = DatagramsReceived;
                    WorkerStatistics worker = _setup.Recorder.ForCurrentThread();
                    _peers.OnDatagram(endpoint, _peers.Find(endpoint), buffer.AsSpan((int)offset, (int)size), worker);
                }
            }

            _receiveAgain(this);
        }
        catch (Exception exception)
        {
            _setup.Recorder.ReportFault(exception);
        }
    }

    protected override void OnError(SocketError error) => _setup.Recorder.CountError($"server {error}");

    // The turns are queued behind work that already waits for the pool, so that a receive has its turn too.
    private void TakeTurnsSoon() => ThreadPool.UnsafeQueueUserWorkItem(
        static server => server._setup.Recorder.Guard(server, static guarded => guarded.TakeTurns()), this, preferLocal: false);

    private void TakeTurns()
    {
        lock (_calls)
        {
            if (_stopped || !_turns.Run(_setup.Recorder.ForCurrentThread()))
            {
                return;
            }
        }

        TakeTurnsSoon();
    }

    private sealed class Peer(NetCoreUdpServer server, EndPoint endPoint) : DatagramPeer(server._turns)
    {
        // The library's synchronous send is used: SendAsync refuses a second datagram while one is in progress.
        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            return server.Send(endPoint, message) == message.Length;
        }
    }
}
