using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>One client: a socket that is connected to the server's address, so that the kernel needs no address per message.</summary>
internal sealed unsafe class EpollClient : EpollSocket, IPolledClient, IPeer
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;
    private readonly EpollGroupMember? _member;
    private bool _connected;

    public EpollClient(ClientSetup setup, IConnectObserver observer, Socket socket, Socket? group, ThreadMemory thread)
        : base(socket, thread)
    {
        _setup = setup;
        _observer = observer;
        if (group is not null)
        {
            _member = new EpollGroupMember(this, group, thread);
            Loop.Add(_member);
        }

        SayHello();
    }

    public object? State { get; set; }

    protected override bool CountsErrors => _connected;

    public void Start()
    {
        if (!IsClosed)
        {
            _setup.Handler.OnStart(this, Worker);
            Flush();
        }
    }

    public void Due(long due)
    {
        if (!IsClosed)
        {
            _setup.Handler.OnDue(this, due, Worker);
            Flush();
        }
    }

    public bool Send(ReadOnlySpan<byte> message) => Send(null, message);

    /// <summary>Handles a message that arrived at the group.</summary>
    public void OnGroupMessage(ReadOnlySpan<byte> message)
    {
        if (_connected && !IsClosed)
        {
            _setup.Handler.OnMessage(this, message, Worker);

            // Messages that the handler sent wait for this socket, but the current turn belongs to another socket.
            Flush();
        }
    }

    public override void OnTick()
    {
        if (IsClosed)
        {
            return;
        }

        if (_connected)
        {
            _setup.Handler.OnTick(this, Worker);
            Flush();
        }
        else
        {
            // The greeting or its answer may have been lost.
            SayHello();
        }
    }

    public void Close()
    {
        Loop.Remove(this);
        Dispose();
    }

    protected override void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize)
    {
        int start = 0;
        do
        {
            OnDatagram(bytes.Slice(start, Math.Min(segmentSize, bytes.Length - start)));
            start += segmentSize;
        }
        while (start < bytes.Length && !IsClosed);
    }

    protected override void SayGoodbye() => Send(DatagramGreeting.Bye);

    protected override void Closed()
    {
        base.Closed();
        _member?.Leave();
        if (_connected)
        {
            _setup.Handler.OnClosed(this, Worker);
        }
    }

    private void SayHello()
    {
        Send(DatagramGreeting.Hello);
        Flush();
    }

    private void OnDatagram(ReadOnlySpan<byte> datagram)
    {
        switch (DatagramGreeting.Read(datagram))
        {
            case GreetingKind.None when _connected:
                _setup.Handler.OnMessage(this, datagram, Worker);
                break;
            case GreetingKind.Welcome or GreetingKind.Hello when !_connected:

                // A plain echo server returns the hello: it knows no clients, but it answers.
                _connected = true;
                _setup.Handler.OnConnected(this, Worker);
                _observer.Connected();
                break;
            case GreetingKind.Bye:
                Loop.Remove(this);
                Closed();
                break;
            default:
                // A second welcome answers a greeting that was sent twice.
                break;
        }
    }
}
