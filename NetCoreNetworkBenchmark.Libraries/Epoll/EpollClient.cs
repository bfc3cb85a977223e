namespace NetCoreNetworkBenchmark.Libraries.Epoll;

// The socket is connected to the server's address, so that the kernel needs no address per message.
internal sealed unsafe class EpollClient : EpollSocket, IPolledClient, IPeer
{
    private readonly DatagramConnection _connection;
    private readonly EpollGroupMember? _member;

    public EpollClient(ClientSetup setup, IConnectObserver observer, Socket socket, Socket? group, ThreadMemory thread)
        : base(socket, thread)
    {
        _connection = new DatagramConnection(setup, this, observer, CloseSockets);
        if (group is not null)
        {
            _member = new EpollGroupMember(this, group, thread);
            Loop.Add(_member);
        }

        _connection.SendHello();
        Flush();
    }

    public object? State { get; set; }

    protected override bool CountsErrors => _connection.IsConnected;

    public void Start()
    {
        _connection.Start(Worker);
        Flush();
    }

    public void Due(long due)
    {
        _connection.Due(due, Worker);
        Flush();
    }

    public bool Send(ReadOnlySpan<byte> message) => Send(null, message);

    public void OnGroupMessage(ReadOnlySpan<byte> message)
    {
        _connection.OnGroupMessage(message, Worker);

        // Messages that the handler sent wait for this socket, but the current turn belongs to another socket.
        Flush();
    }

    public void OnTick()
    {
        _connection.Tick(Worker);
        Flush();
    }

    public void Close() => _connection.Close(Worker);

    public override void Dispose()
    {
        Close();
        base.Dispose();
    }

    protected override void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize)
    {
        int start = 0;
        do
        {
            _connection.OnDatagram(bytes.Slice(start, Math.Min(segmentSize, bytes.Length - start)), Worker);
            start += segmentSize;
        }
        while (start < bytes.Length && !IsClosed);
    }

    private void CloseSockets()
    {
        Loop.Remove(this);
        base.Dispose();
        _member?.Leave();
    }
}

internal sealed class EpollGroupMember(EpollClient client, Socket socket, ThreadMemory thread) : EpollSocket(socket, thread)
{
    public void Leave()
    {
        if (!IsClosed)
        {
            Loop.Remove(this);
            Dispose();
        }
    }

    protected override void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize)
    {
        for (int start = 0; start < bytes.Length && !IsClosed; start += segmentSize)
        {
            client.OnGroupMessage(bytes.Slice(start, Math.Min(segmentSize, bytes.Length - start)));
        }
    }
}
