using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

using UdpClient = NetCoreServer.UdpClient;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>One client. The library calls it from the thread pool, and a timer calls it from another thread of the pool.</summary>
internal sealed class NetCoreUdpClient : UdpClient, IPeer, ICallbackClient
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;

    private readonly Action<NetCoreUdpClient> _receiveAgain;

    // Makes the calls for this client serial. Only the timer competes for it, twenty times per second.
    private readonly Lock _calls = new();
    private bool _connected;
    private bool _stopped;

    public NetCoreUdpClient(ClientSetup setup, IConnectObserver observer)
        : base(setup.EndPoint)
    {
        _setup = setup;
        _receiveAgain = NetCoreServerBenchmark.ReceiveAgain<NetCoreUdpClient>(setup.Plan, static client => client.ReceiveAsync());
        _observer = observer;
        OptionReceiveBufferSize = NetCoreServerBenchmark.BufferSize(setup.Plan);

        // By default, the library shares addresses (SO_REUSEADDR): the system then assigns the same port to several of a thousand clients, and messages to one
        // client reach another.
        OptionExclusiveAddressUse = true;
    }

    public object? State { get; set; }

    /// <summary>Opens the socket and greets the server.</summary>
    void ICallbackClient.Connect()
    {
        if (!Connect())
        {
            throw new BenchmarkException("NetCoreServer could not bind the socket of a client.");
        }

        Send(DatagramGreeting.Hello);
    }

    public void Start()
    {
        lock (_calls)
        {
            if (_connected)
            {
                _setup.Handler.OnStart(this, CurrentWorker());
            }
        }
    }

    public void Due(long due)
    {
        lock (_calls)
        {
            if (_connected)
            {
                _setup.Handler.OnDue(this, due, CurrentWorker());
            }
        }
    }

    public void Tick()
    {
        lock (_calls)
        {
            if (_connected)
            {
                _setup.Handler.OnTick(this, CurrentWorker());
            }
            else if (!_stopped)
            {
                // The greeting or its answer may have been lost.
                Send(DatagramGreeting.Hello);
            }
        }
    }

    public void Close()
    {
        lock (_calls)
        {
            if (!_stopped)
            {
                Send(DatagramGreeting.Bye);
                Closed();
            }
        }
    }

    bool IPeer.Send(ReadOnlySpan<byte> message) => Send(message) == message.Length;

    protected override void OnConnected()
    {
        SocketBuffers.Reserve(Socket, SocketBuffers.NeededByClient(_setup.Plan));
        ReceiveAsync();
    }

    protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
    {
        try
        {
            lock (_calls)
            {
                if (!_stopped)
                {
                    OnDatagram(buffer.AsSpan((int)offset, (int)size));
                }

                if (_stopped)
                {
                    return;
                }
            }

            _receiveAgain(this);
        }
        catch (Exception exception)
        {
            // An exception on a pool thread must not end the process: the runner ends the run with this exception as the reason.
            _setup.Recorder.ReportFault(exception);
        }
    }

    protected override void OnError(SocketError error) => _setup.Recorder.CountError($"client {error}");

    private void OnDatagram(ReadOnlySpan<byte> datagram)
    {
        switch (DatagramGreeting.Read(datagram))
        {
            case GreetingKind.None when _connected:
                _setup.Handler.OnMessage(this, datagram, CurrentWorker());
                break;
            case GreetingKind.Welcome or GreetingKind.Hello when !_connected:

                // A plain echo server returns the hello: it knows no clients, but it answers.
                _connected = true;
                _setup.Handler.OnConnected(this, CurrentWorker());
                _observer.Connected();
                break;
            case GreetingKind.Bye:
                Closed();
                break;
            default:
                // A second welcome answers a greeting that was sent twice.
                break;
        }
    }

    private void Closed()
    {
        _stopped = true;
        if (_connected)
        {
            _connected = false;
            _setup.Handler.OnClosed(this, CurrentWorker());
        }

        Disconnect();
    }

    private WorkerStatistics CurrentWorker()
    {
        WorkerStatistics worker = _setup.Recorder.ForCurrentThread();
        worker.ReadClock();
        return worker;
    }
}
