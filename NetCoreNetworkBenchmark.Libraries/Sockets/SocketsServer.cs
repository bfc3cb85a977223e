namespace NetCoreNetworkBenchmark.Libraries.Sockets;

// A thread that blocks in the receive call of one socket and answers from there: two system calls per message. Overloads with SocketAddress allocate nothing.
// Once a peer has had more to send than answers, the thread waits for readiness instead.
internal sealed class SocketsServer : IBenchmarkServer
{
    // Long enough to cost nothing, short enough that a stop without the wake-up datagram is not noticeable.
    private const int ReceiveTimeoutMilliseconds = 500;

    // Receives between the turns of peers that push, so that a thousand clients that send requests at once are served soon.
    private const int MaxReceivesPerCheck = 16;

    // Nobody else can send it.
    private static readonly byte[] s_wakeUp = Guid.NewGuid().ToByteArray();

    private readonly ServerSetup _setup;
    private readonly Socket _socket;
    private readonly WorkerStatistics _worker;
    private readonly DatagramPeers<SocketAddress> _peers;
    private readonly SendRoundRobin _turns;
    private readonly Thread _thread;
    private volatile SocketWait? _wait;
    private volatile bool _stopping;

    public SocketsServer(ServerSetup setup)
    {
        _setup = setup;
        _socket = Bind(setup);
        EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
        _worker = setup.Recorder.AddWorker(recordsLatency: false);
        _peers = new DatagramPeers<SocketAddress>(setup, () => _worker, address => new Peer(this, address), SocketAddressExtensions.Copy);
        _turns = new SendRoundRobin(setup.Handler, TurnsAreDue);
        _thread = new Thread(Run) { Name = "Sockets server", IsBackground = true };
        _thread.Start();
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync()
    {
        if (!_stopping)
        {
            _stopping = true;
            Interrupt();
        }

        if (!await Task.Run(() => _thread.Join(_setup.Plan.StopDeadline)).ConfigureAwait(false))
        {
            throw Deadline.Missed("The server's thread did not end", _setup.Plan.StopDeadline);
        }
    }

    private static Socket Bind(ServerSetup setup) => ServerSocket.Bind(setup, socket =>
    {
        SocketBuffers.Reserve(socket, SocketBuffers.NeededByServer(setup.Plan));
        socket.ReceiveTimeout = ReceiveTimeoutMilliseconds;
        if (setup.Group is not null)
        {
            MulticastGroup.PrepareSender(socket, setup.Plan);
        }
    });

    private void TurnsAreDue()
    {
        // Within a call of the handler, the thread detects the due turns when the call is over.
        if (Thread.CurrentThread != _thread)
        {
            Interrupt();
        }
    }

    private void Interrupt()
    {
        if (_wait is { } wait)
        {
            wait.Signal();
        }
        else
        {
            // The thread blocks in its receive call. If other sockets share the port, one of them may receive the datagram, and the timeout ends the call.
            WakeUp();
        }
    }

    private void WakeUp()
    {
        IPAddress any = EndPoint.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any;
        IPAddress loopback = EndPoint.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Loopback : IPAddress.IPv6Loopback;
        try
        {
            using var socket = new Socket(EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            socket.SendTo(s_wakeUp, new IPEndPoint(EndPoint.Address.Equals(any) ? loopback : EndPoint.Address, EndPoint.Port));
        }
        catch (SocketException exception)
        {
            // Such as EPERM of a firewall, or an interface that is down. The timeout ends the receive call, up to half a second later.
            if (!_stopping)
            {
                _setup.Recorder.CountError($"server {exception.SocketErrorCode}");
            }
        }
    }

    private void Run()
    {
        try
        {
            var buffer = new byte[RunPlan.LargestDatagram];
            var sender = new SocketAddress(EndPoint.AddressFamily);
            ConnectGroup();
            while (!_stopping && !_turns.AreDue)
            {
                ReceiveOne(buffer, sender);
            }

            ServePush(buffer, sender);
        }
        catch (Exception exception)
        {
            _setup.Recorder.ReportFault(exception);
        }
        finally
        {
            _peers.CloseAll();
            _socket.Dispose();
        }
    }

    private void ConnectGroup()
    {
        if (_setup.Group is { } group)
        {
            _setup.Handler.OnConnected(new Peer(this, new IPEndPoint(group, EndPoint.Port).Serialize(), isGroup: true), _worker);
        }
    }

    // The same thread with another kind of wait: for a datagram or for a turn. It does not wait while there are turns.
    private void ServePush(byte[] buffer, SocketAddress sender)
    {
        if (_stopping)
        {
            return;
        }

        using var wait = new SocketWait(_socket);
        _wait = wait;
        bool more = true;
        while (!_stopping)
        {
            for (int look = 0; look < MaxReceivesPerCheck && wait.IsReadable(more || look > 0 ? 0 : ReceiveTimeoutMilliseconds); look++)
            {
                ReceiveOne(buffer, sender);
            }

            more = _turns.AreDue && _turns.Run(_worker);
        }

        _wait = null;
    }

    private void ReceiveOne(byte[] buffer, SocketAddress sender)
    {
        try
        {
            int length = _socket.ReceiveFrom(buffer, SocketFlags.None, sender);
            DatagramPeer? peer = _peers.Find(sender);

            // The datagram that wakes a thread up comes from no client, and if the port is shared, any of the threads may receive it.
            if (peer is not null || !buffer.AsSpan(0, length).SequenceEqual(s_wakeUp))
            {
                _peers.OnDatagram(sender, peer, buffer.AsSpan(0, length), _worker);
            }
        }
        catch (SocketException exception) when (exception.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
        {
            // Nothing arrived for a while: the stop flag is checked, and the thread waits again.
            return;
        }
        catch (SocketException exception)
        {
            _setup.Recorder.CountError($"server {exception.SocketErrorCode}");
        }
    }

    private sealed class Peer(SocketsServer server, SocketAddress address, bool isGroup = false) : DatagramPeer(server._turns)
    {
        public override bool IsGroup => isGroup;

        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountSend();
            try
            {
                return server._socket.SendTo(message, SocketFlags.None, address) == message.Length;
            }
            catch (SocketException exception)
            {
                server._setup.Recorder.CountError($"server {exception.SocketErrorCode}");
                return false;
            }
        }
    }
}
