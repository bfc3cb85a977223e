using UdpClient = NetCoreServer.UdpClient;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

// The library calls the client from the thread pool, and a timer calls it from another thread of the pool.
internal sealed class NetCoreUdpClient : UdpClient, IPeer, ICallbackClient
{
    private readonly ClientSetup _setup;
    private readonly DatagramConnection _connection;
    private readonly Action<NetCoreUdpClient> _receiveAgain;

    // Makes the calls for this client serial. Only the timer competes for it, twenty times per second.
    private readonly Lock _calls = new();

    public NetCoreUdpClient(ClientSetup setup, IConnectObserver observer)
        : base(setup.EndPoint)
    {
        _setup = setup;
        _receiveAgain = NetCoreServerBenchmark.ReceiveAgain<NetCoreUdpClient>(setup.Plan, static client => client.ReceiveAsync());
        _connection = new DatagramConnection(setup, this, observer, () => Disconnect());
        OptionReceiveBufferSize = NetCoreServerBenchmark.BufferSize(setup.Plan);

        // By default, the library shares addresses (SO_REUSEADDR): the system gives several clients the same port, and messages reach another client.
        OptionExclusiveAddressUse = true;
    }

    public object? State { get; set; }

    void ICallbackClient.Connect()
    {
        if (!Connect())
        {
            throw new BenchmarkException("NetCoreServer could not bind the socket of a client.");
        }

        _connection.SendHello();
    }

    public void Start() => Call(static (connection, worker) => connection.Start(worker));

    public void Due(long due)
    {
        lock (_calls)
        {
            _connection.Due(due, CurrentWorker());
        }
    }

    public void Tick() => Call(static (connection, worker) => connection.Tick(worker));

    public void Close() => Call(static (connection, worker) => connection.Close(worker));

    bool IPeer.Send(ReadOnlySpan<byte> message) => Send(message) == message.Length;

    protected override void OnConnected()
    {
        SocketBuffers.Reserve(Socket, SocketBuffers.NeededByClient(_setup.Plan));
        PortUnreachable.Ignore(Socket);
        ReceiveAsync();
    }

    protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
    {
        try
        {
            lock (_calls)
            {
                if (!_connection.IsClosed)
                {
                    _connection.OnDatagram(buffer.AsSpan((int)offset, (int)size), CurrentWorker());
                }

                if (_connection.IsClosed)
                {
                    return;
                }
            }

            _receiveAgain(this);
        }
        catch (Exception exception)
        {
            _setup.Recorder.ReportFault(exception);
        }
    }

    protected override void OnError(SocketError error) => _setup.Recorder.CountError($"client {error}");

    private void Call(Action<DatagramConnection, WorkerStatistics> call)
    {
        lock (_calls)
        {
            call(_connection, CurrentWorker());
        }
    }

    private WorkerStatistics CurrentWorker()
    {
        WorkerStatistics worker = _setup.Recorder.ForCurrentThread();
        worker.ReadClock();
        return worker;
    }
}
