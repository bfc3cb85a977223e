namespace NetCoreNetworkBenchmark.Libraries.Sockets;

// The socket is connected to the server's address, so that the kernel needs no address per message.
internal sealed class SocketsClient : IPolledClient, IPeer
{
    // One client's turn ends after this many messages, so that the others get theirs.
    private const int MaxReceivesPerTurn = 64;

    private readonly ClientSetup _setup;
    private readonly PollLoop _loop;
    private readonly DatagramConnection _connection;
    private readonly Socket _socket;
    private readonly byte[] _buffer;
    private readonly int _receivesPerTurn;
    private readonly SocketsGroupMember? _member;

    public SocketsClient(ClientSetup setup, PollLoop loop, IConnectObserver observer)
    {
        _setup = setup;
        _loop = loop;
        _connection = new DatagramConnection(setup, this, observer, CloseSockets);

        // With one message in flight of a closed loop, a second receive call could find nothing, so it is not made.
        _receivesPerTurn = Math.Min(DatagramConnection.MaxWaiting(setup), MaxReceivesPerTurn);
        _buffer = new byte[Math.Max(setup.Plan.MessageSize + 1, DatagramHandshake.Size)];
        _socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        try
        {
            SocketBuffers.Reserve(_socket, SocketBuffers.NeededByClient(setup.Plan));
            PortUnreachable.Ignore(_socket);
            _socket.Connect(setup.EndPoint);
            SocketHandle = _socket.Handle;
            _member = setup.Group is null ? null : new SocketsGroupMember(setup, this);
            if (_member is not null)
            {
                loop.Add(_member);
            }

            _connection.SendHello();
        }
        catch
        {
            _socket.Dispose();
            throw;
        }
    }

    public nint SocketHandle { get; }

    public object? State { get; set; }

    public void Start() => _connection.Start(_loop.Worker);

    public void Due(long due) => _connection.Due(due, _loop.Worker);

    public bool Send(ReadOnlySpan<byte> message)
    {
        SocketError error = SocketError.NotConnected;
        if (!_connection.IsClosed)
        {
            _socket.Send(message, SocketFlags.None, out error);
        }

        if (error == SocketError.Success)
        {
            return true;
        }

        CountError(error);
        return false;
    }

    public void OnReadable() => Receive(_socket, isGroup: false);

    public void Receive(Socket socket, bool isGroup)
    {
        for (int turn = 0; turn < _receivesPerTurn && !_connection.IsClosed; turn++)
        {
            int length = socket.Receive(_buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                _loop.Worker.ReadClock();
                if (isGroup)
                {
                    _connection.OnGroupMessage(_buffer.AsSpan(0, length), _loop.Worker);
                }
                else
                {
                    _connection.OnDatagram(_buffer.AsSpan(0, length), _loop.Worker);
                }
            }
            else if (error == SocketError.WouldBlock)
            {
                return;
            }
            else
            {
                CountError(error);
            }
        }
    }

    public void OnTick() => _connection.Tick(_loop.Worker);

    public void Close() => _connection.Close(_loop.Worker);

    public void Dispose() => Close();

    private void CountError(SocketError error)
    {
        // Until it is connected, a client repeats its hello. If no server answers, the connect deadline reports it.
        if (_connection.IsConnected)
        {
            _setup.Recorder.CountError($"client {error}");
        }
    }

    private void CloseSockets()
    {
        _loop.Remove(this);
        _member?.Leave(_loop);
        _socket.Dispose();
    }
}

internal sealed class SocketsGroupMember(ClientSetup setup, SocketsClient client) : IPollable
{
    private readonly Socket _socket = MulticastGroup.Join(setup, socket =>
    {
        socket.Blocking = false;
        SocketBuffers.Reserve(socket, SocketBuffers.NeededByClient(setup.Plan));
    });

    private bool _closed;

    public nint SocketHandle => _socket.Handle;

    public void OnReadable() => client.Receive(_socket, isGroup: true);

    public void Leave(PollLoop loop)
    {
        if (!_closed)
        {
            loop.Remove(this);
            Dispose();
        }
    }

    public void Dispose()
    {
        _closed = true;
        _socket.Dispose();
    }
}
