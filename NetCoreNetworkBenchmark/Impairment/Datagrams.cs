namespace NetCoreNetworkBenchmark.Impairment;

// Distinguishes clients by their addresses, and opens a socket to the server for each.
internal sealed class DatagramListener(RelaySetup setup, PollLoop loop, Traffic traffic)
    : DatagramSocket(
        loop,
        setup.EndPoint.AddressFamily,
        Math.Max(SocketBuffers.NeededByServer(setup.Plan), MinBuffer),
        socket => socket.Bind(setup.EndPoint)), IRelayListener
{
    // A relay has two hops on one thread. Twice the load of a server can wait for it, and more while a burst leaves.
    private const int MinBuffer = 8 * 1024 * 1024;

    private readonly SocketAddress _sender = new(setup.EndPoint.AddressFamily);
    private readonly Dictionary<SocketAddress, DatagramClient> _clients = [];

    public IPEndPoint EndPoint => (IPEndPoint)Socket.LocalEndPoint!;
    public int Clients => _clients.Count;
    public long? MissedFromClients => Missed;
    public long? MissedFromServer => _clients.Values.Aggregate((long?)0, (sum, client) => sum + client.Missed);

    public void Begin() => Loop.Add(this);

    /// <summary>Gives each client another address, as the server sees it.</summary>
    /// <returns>The number of clients.</returns>
    public int Roam()
    {
        foreach (DatagramClient client in _clients.Values)
        {
            TryOpen(client.Roam);
        }

        return _clients.Count;
    }

    protected override bool TryReceive()
    {
        if (Receive() is not { } length)
        {
            return false;
        }

        ClientOf(_sender)?.ToServer.Arrive(traffic.Buffer.AsSpan(0, length), Stopwatch.GetTimestamp());

        // The check avoids a receive call that finds nothing: it throws, which costs a hundred times as much.
        return Socket.Available > 0;
    }

    private int? Receive()
    {
        try
        {
            return Socket.ReceiveFrom(traffic.Buffer, SocketFlags.None, _sender);
        }
        catch (SocketException exception) when (IsHarmless(exception.SocketErrorCode))
        {
            return null;
        }
    }

    private bool TrySend(ReadOnlySpan<byte> datagram, SocketAddress address)
    {
        try
        {
            return Socket.SendTo(datagram, SocketFlags.None, address) == datagram.Length;
        }
        catch (SocketException)
        {
            // The caller counts the datagram. The system has no capacity for it, or the client's network is gone.
            return false;
        }
    }

    // Null if the system has no capacity for one more client, or no way to the server. The client's datagrams are lost until it has.
    private DatagramClient? ClientOf(SocketAddress sender) =>
        _clients.TryGetValue(sender, out DatagramClient? client) ? client : TryAddClient(sender);

    private DatagramClient? TryAddClient(SocketAddress sender)
    {
        if (ResourceShortage.IsNear(setup, _clients.Count))
        {
            return null;
        }

        SocketAddress address = sender.Copy();
        var client = new DatagramClient(setup, Loop, traffic, datagram => TrySend(datagram, address));
        if (!TryOpen(client.Open))
        {
            return null;
        }

        _clients.Add(address, client);
        return client;
    }

    private bool TryOpen(Action open)
    {
        try
        {
            open();
            return true;
        }
        catch (SocketException exception) when (ResourceShortage.Is(exception) || IsHarmless(exception.SocketErrorCode))
        {
            ResourceShortage.Remark(exception, setup.Recorder);
            return false;
        }
    }
}

// All calls are of the loop's thread.
internal sealed class DatagramClient
{
    private const int MinBuffer = 1024 * 1024;

    // 127.0.0.1 is the address before the first roam, and 127.255.255.255 the broadcast address.
    private const int Addresses = 250;

    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly DatagramFlow _toClient;
    private readonly byte[] _buffer;
    private ServerSocket? _socket;

    // Open until the next roam: nobody refuses what the server still sends to it, as nobody does after a change of network.
    private ServerSocket? _abandoned;
    private long? _missedBefore = 0;
    private int _roams;

    public DatagramClient(RelaySetup setup, PollLoop loop, Traffic traffic, DatagramSender sendToClient)
    {
        (_setup, _loop, _buffer) = (setup, loop, traffic.Buffer);
        _toClient = new DatagramFlow(traffic.ToClients, sendToClient);
        ToServer = new DatagramFlow(traffic.ToServer, datagram => _socket!.TrySend(datagram));
    }

    public DatagramFlow ToServer { get; }

    /// <summary>The datagrams of the server that arrived too fast; null if the system does not report them.</summary>
    public long? Missed => _missedBefore + _socket?.Missed;

    /// <summary>Opens the socket to the server. A client whose socket cannot be opened keeps the one that it has.</summary>
    public void Open()
    {
        var opened = new ServerSocket(this, SourceAddress());
        _loop.Add(opened);
        _missedBefore += _socket is null ? 0 : _socket.Missed;
        (_abandoned, _socket) = (_socket, opened);
    }

    public void Roam()
    {
        _roams++;
        if (_abandoned is { } socket)
        {
            _abandoned = null;
            _loop.Remove(socket);
            socket.Dispose();
        }

        Open();
    }

    // All addresses of 127.0.0.0/8 are those of this machine (RFC 1122, section 3.2.1.3), but macOS has only the first one.
    private IPAddress? SourceAddress() =>
        _roams > 0 && _setup.Server is { AddressFamily: AddressFamily.InterNetwork, Address: var server }
            && IPAddress.IsLoopback(server) && !OperatingSystem.IsMacOS()
            ? new IPAddress([127, 0, 0, (byte)(2 + ((_roams - 1) % Addresses))])
            : null;

    private sealed class ServerSocket(DatagramClient client, IPAddress? source)
        : DatagramSocket(
            client._loop,
            client._setup.Server.AddressFamily,
            Math.Max(SocketBuffers.NeededByClient(client._setup.Plan), MinBuffer),
            socket =>
            {
                if (source is not null)
                {
                    socket.Bind(new IPEndPoint(source, 0));
                }

                socket.Connect(client._setup.Server);
            })
    {
        private readonly DatagramClient _client = client;

        public bool TrySend(ReadOnlySpan<byte> datagram)
        {
            Socket.Send(datagram, SocketFlags.None, out SocketError error);
            if (error is not (SocketError.Success or SocketError.WouldBlock) && IsHarmless(error))
            {
                // The error was the response to an earlier datagram, and this one has not been sent.
                Socket.Send(datagram, SocketFlags.None, out error);
            }

            return error == SocketError.Success;
        }

        protected override bool TryReceive()
        {
            int length = Socket.Receive(_client._buffer, SocketFlags.None, out SocketError error);
            if (error != SocketError.Success)
            {
                return IsHarmless(error) ? false : throw new SocketException((int)error);
            }

            if (_client._socket == this)
            {
                _client._toClient.Arrive(_client._buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
            }

            return true;
        }
    }
}

internal delegate bool DatagramSender(ReadOnlySpan<byte> datagram);

/// <summary>A datagram that the system does not accept is lost.</summary>
internal sealed class DatagramFlow(Direction direction, DatagramSender send) : Flow(direction)
{
    public override void Leave(Packet packet) => Direction.Release(packet, isTaken: send(packet.Bytes));
}

internal abstract class DatagramSocket : IPollable
{
    // A turn ends after this many datagrams, so that the other sockets get their turns.
    private const int MaxReceivesPerTurn = 64;
    private long? _missed;
    private bool _closed;

    protected DatagramSocket(PollLoop loop, AddressFamily family, int receiveBuffer, Action<Socket> attach)
    {
        Socket = new Socket(family, SocketType.Dgram, ProtocolType.Udp).SetUp(socket =>
        {
            socket.Blocking = false;
            SocketBuffers.Reserve(socket, receiveBuffer);
            PortUnreachable.Ignore(socket);
            attach(socket);
        });
        SocketHandle = Socket.Handle;
        Loop = loop;
    }

    public nint SocketHandle { get; }

    /// <summary>The datagrams that arrived too fast; null if the system does not report them.</summary>
    public long? Missed => _closed ? _missed : KernelDrops.Read(Socket);
    protected Socket Socket { get; }

    protected PollLoop Loop { get; }

    public void OnReadable()
    {
        for (int turn = 0; turn < MaxReceivesPerTurn && TryReceive(); turn++)
        {
            // Each call handles one datagram.
        }

        // What is due since then leaves before the next socket has its turn.
        Loop.Worker.ReadClock();
    }

    public void Dispose()
    {
        if (!_closed)
        {
            _missed = Missed;
            _closed = true;
            Socket.Dispose();
        }
    }

    // No datagram has arrived, or an earlier one did not reach its target: the errors that ICMP and ICMPv6 cause (icmp_err_convert of net/ipv4/icmp.c,
    // icmpv6_err_convert of net/ipv6/icmp.c), a firewall, or a network that is down. The relay continues, as a router would.
    internal static bool IsHarmless(SocketError error) => error is SocketError.WouldBlock
        or SocketError.ConnectionRefused or SocketError.ConnectionReset
        or SocketError.HostUnreachable or SocketError.HostDown
        or SocketError.NetworkUnreachable or SocketError.NetworkDown or SocketError.NetworkReset
        or SocketError.AccessDenied or SocketError.MessageSize or SocketError.NoBufferSpaceAvailable
        or SocketError.ProtocolOption or SocketError.OperationNotSupported;

    // True if there may be another.
    protected abstract bool TryReceive();
}

internal static class KernelDrops
{
    // asm-generic/socket.h and linux/sock_diag.h: SO_MEMINFO returns an array; SK_MEMINFO_DROPS is the index of the drops.
    private const int SOL_SOCKET = 1;
    private const int SO_MEMINFO = 55;
    private const int SK_MEMINFO_DROPS = 8;

    // Null if the system does not report it: any other than Linux, a kernel before 4.12, and sandboxes.
    public static long? Read(Socket socket, int option = SO_MEMINFO)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        Span<uint> values = stackalloc uint[SK_MEMINFO_DROPS + 1];
        try
        {
            int bytes = socket.GetRawSocketOption(SOL_SOCKET, option, MemoryMarshal.AsBytes(values));
            return bytes == values.Length * sizeof(uint) ? values[SK_MEMINFO_DROPS] : null;
        }
        catch (SocketException exception)
            when (exception.SocketErrorCode is SocketError.ProtocolOption or SocketError.OperationNotSupported or SocketError.InvalidArgument)
        {
            return null;
        }
    }
}
