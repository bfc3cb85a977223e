using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>One client: a socket that is connected to the server's address, so that the kernel needs no address a message.</summary>
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

    /// <summary>Takes a message that came to the group.</summary>
    public void OnGroupMessage(ReadOnlySpan<byte> message)
    {
        if (_connected && !IsClosed)
        {
            _setup.Handler.OnMessage(this, message, Worker);

            // What it sent waits for this socket, and the turn is another's.
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
            case Greeting.None when _connected:
                _setup.Handler.OnMessage(this, datagram, Worker);
                break;
            case Greeting.Welcome or Greeting.Hello when !_connected:

                // A hello that comes back is a plain echo's: such a server knows no clients, but it answers.
                _connected = true;
                _setup.Handler.OnConnected(this, Worker);
                _observer.Connected();
                break;
            case Greeting.Bye:
                Loop.Remove(this);
                Closed();
                break;
            default:
                // A second welcome answers a greeting that was sent twice.
                break;
        }
    }
}
