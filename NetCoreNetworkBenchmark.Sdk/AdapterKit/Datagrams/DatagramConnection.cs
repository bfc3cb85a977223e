using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// A client's side of the handshake (<see cref="DatagramHandshake"/>). It repeats its hello until the server answers, forwards the calls of the workload while
/// the connection is open, and notices the server's close. The calls must be serial.
/// </summary>
public sealed class DatagramConnection(ClientSetup setup, IPeer client, IConnectObserver observer, Action close)
{
    private readonly IClientHandler _handler = setup.Handler;

    /// <summary>Whether the server has answered. Stays true when the connection is closed.</summary>
    public bool IsConnected { get; private set; }

    /// <summary>Whether the connection is closed. The client uses its sockets no more.</summary>
    public bool IsClosed { get; private set; }

    private bool IsOpen => IsConnected && !IsClosed;

    /// <summary>
    /// Gets the most messages that can wait at the socket of one client: those in flight in a closed loop, and any number in an open loop and of a server push.
    /// </summary>
    public static int MaxWaiting(ClientSetup setup) => setup.Listens || setup.Plan.Rate is not null ? int.MaxValue : setup.Plan.ParallelMessages;

    /// <summary>Requests the registration of the client.</summary>
    public void SendHello() => client.Send(DatagramHandshake.Hello);

    /// <summary>Forwards <see cref="IClientHandler.OnStart"/> to the workload.</summary>
    public void Start(WorkerStatistics worker)
    {
        if (IsOpen)
        {
            _handler.OnStart(client, worker);
        }
    }

    /// <summary>Forwards <see cref="IClientHandler.OnDue"/> to the workload.</summary>
    public void Due(long due, WorkerStatistics worker)
    {
        if (IsOpen)
        {
            _handler.OnDue(client, due, worker);
        }
    }

    /// <summary>Forwards <see cref="IClientHandler.OnTick"/> to the workload, or repeats the hello.</summary>
    public void Tick(WorkerStatistics worker)
    {
        if (IsOpen)
        {
            _handler.OnTick(client, worker);
        }
        else if (!IsClosed)
        {
            // The hello or its answer may have been lost.
            SendHello();
        }
    }

    /// <summary>Handles a datagram of the server.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnDatagram(ReadOnlySpan<byte> datagram, WorkerStatistics worker)
    {
        if (IsConnected && DatagramHandshake.Read(datagram) == DatagramHandshakeKind.None)
        {
            _handler.OnMessage(client, datagram, worker);
        }
        else
        {
            OnHandshake(DatagramHandshake.Read(datagram), worker);
        }
    }

    /// <summary>Handles a message that arrived at the client's multicast group.</summary>
    public void OnGroupMessage(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        if (IsOpen)
        {
            _handler.OnMessage(client, message, worker);
        }
    }

    /// <summary>Notifies the server and closes the connection. A second call does nothing.</summary>
    public void Close(WorkerStatistics worker)
    {
        if (!IsClosed)
        {
            client.Send(DatagramHandshake.Bye);
            End(worker);
        }
    }

    private void OnHandshake(DatagramHandshakeKind kind, WorkerStatistics worker)
    {
        switch (kind)
        {
            case DatagramHandshakeKind.Welcome or DatagramHandshakeKind.Hello when !IsConnected:
                // A plain echo server returns the hello: it knows no clients, but it answers.
                IsConnected = true;
                _handler.OnConnected(client, worker);
                observer.Connected();
                break;
            case DatagramHandshakeKind.Bye when !IsClosed:
                End(worker);
                if (!IsConnected)
                {
                    observer.Refused("the server closed the connection before it was established");
                }

                break;
            default:
                // A second welcome answers a hello that was sent twice.
                break;
        }
    }

    private void End(WorkerStatistics worker)
    {
        IsClosed = true;
        close();
        if (IsConnected)
        {
            _handler.OnClosed(client, worker);
        }
    }
}
