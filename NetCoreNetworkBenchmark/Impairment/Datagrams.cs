namespace NetCoreNetworkBenchmark.Impairment;

// Distinguishes clients by their addresses, and opens a socket to the server for each.
internal sealed class DatagramListener(RelaySetup setup, PollLoop loop, Traffic traffic)
    : DatagramSocket(
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

    public void Begin() => loop.Add(this);

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
        try
        {
            SocketAddress address = sender.Copy();
            var client = new DatagramClient(setup, traffic, datagram => TrySend(datagram, address));
            _clients.Add(address, client);
            loop.Add(client);
            return client;
        }
        catch (SocketException exception) when (ResourceShortage.Is(exception))
        {
            setup.Recorder.Remark(ResourceShortage.Remark(exception));
            return null;
        }
        catch (SocketException exception) when (IsHarmless(exception.SocketErrorCode))
        {
            return null;
        }
    }
}

internal sealed class DatagramClient : DatagramSocket
{
    private const int MinBuffer = 1024 * 1024;
    private readonly DatagramFlow _toClient;
    private readonly byte[] _buffer;

    public DatagramClient(RelaySetup setup, Traffic traffic, DatagramSender sendToClient)
        : base(
            setup.Server.AddressFamily,
            Math.Max(SocketBuffers.NeededByClient(setup.Plan), MinBuffer),
            socket => socket.Connect(setup.Server))
    {
        _buffer = traffic.Buffer;
        _toClient = new DatagramFlow(traffic.ToClients, sendToClient);
        ToServer = new DatagramFlow(traffic.ToServer, TrySend);
    }

    public DatagramFlow ToServer { get; }

    protected override bool TryReceive()
    {
        int length = Socket.Receive(_buffer, SocketFlags.None, out SocketError error);
        if (error == SocketError.Success)
        {
            _toClient.Arrive(_buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
            return true;
        }

        return IsHarmless(error) ? false : throw new SocketException((int)error);
    }

    private bool TrySend(ReadOnlySpan<byte> datagram)
    {
        Socket.Send(datagram, SocketFlags.None, out SocketError error);
        if (error is not (SocketError.Success or SocketError.WouldBlock) && IsHarmless(error))
        {
            // The error was the response to an earlier datagram, and this one has not been sent.
            Socket.Send(datagram, SocketFlags.None, out error);
        }

        return error == SocketError.Success;
    }
}

internal delegate bool DatagramSender(ReadOnlySpan<byte> datagram);

/// <summary>A datagram that the system does not accept is lost.</summary>
internal sealed class DatagramFlow(Direction direction, DatagramSender send) : Flow(direction)
{
    public override void Leave(Chunk chunk) => Direction.Release(chunk, isTaken: send(chunk.Bytes));
}

internal abstract class DatagramSocket : IPollable
{
    // A turn ends after this many datagrams, so that the other sockets get their turns.
    private const int MaxReceivesPerTurn = 64;
    private long? _missed;
    private bool _closed;

    protected DatagramSocket(AddressFamily family, int receiveBuffer, Action<Socket> attach)
    {
        Socket = new Socket(family, SocketType.Dgram, ProtocolType.Udp).SetUp(socket =>
        {
            socket.Blocking = false;
            SocketBuffers.Reserve(socket, receiveBuffer);
            PortUnreachable.Ignore(socket);
            attach(socket);
        });
        SocketHandle = Socket.Handle;
    }

    public nint SocketHandle { get; }

    /// <summary>The datagrams that arrived too fast; null if the system does not report them.</summary>
    public long? Missed => _closed ? _missed : KernelDrops.Read(Socket);
    protected Socket Socket { get; }

    public void OnReadable()
    {
        for (int turn = 0; turn < MaxReceivesPerTurn && TryReceive(); turn++)
        {
            // Each call handles one datagram.
        }
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
