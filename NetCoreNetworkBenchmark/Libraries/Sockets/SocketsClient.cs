using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Sockets;

/// <summary>One client: a non-blocking socket, connected to the server's address so that the kernel needs no address per message.</summary>
internal sealed class SocketsClient : IPolledClient, IPeer
{
    // One client's turn ends after this many messages, so that the others get theirs.
    private const int MostReceivesATurn = 64;

    private readonly ClientSetup _setup;
    private readonly PollLoop _loop;
    private readonly IConnectObserver _observer;
    private readonly Socket _socket;
    private readonly byte[] _buffer;
    private readonly int _receivesATurn;
    private readonly SocketsGroupMember? _member;
    private bool _connected;
    private bool _closed;

    public SocketsClient(ClientSetup setup, PollLoop loop, IConnectObserver observer)
    {
        _setup = setup;
        _loop = loop;
        _observer = observer;

        // With one message in flight, a second receive call could find nothing, so it is not made.
        _receivesATurn = Math.Min(setup.Plan.ParallelMessages, MostReceivesATurn);
        _buffer = new byte[Math.Max(setup.Plan.MessageSize + 1, DatagramGreeting.Size)];
        _socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        SocketBuffers.Reserve(_socket, SocketBuffers.NeededByClient(setup.Plan));
        SocketsBenchmark.IgnoreUnreachable(_socket);
        _socket.Connect(setup.EndPoint);
        SocketHandle = _socket.Handle;
        _member = setup.Group is null ? null : new SocketsGroupMember(setup, this, loop.Worker, _receivesATurn);
        if (_member is not null)
        {
            loop.Add(_member);
        }

        Send(DatagramGreeting.Hello);
    }

    public nint SocketHandle { get; }

    public object? State { get; set; }

    public void Start()
    {
        if (!_closed)
        {
            _setup.Handler.OnStart(this, _loop.Worker);
        }
    }

    public void Due(long due)
    {
        if (!_closed)
        {
            _setup.Handler.OnDue(this, due, _loop.Worker);
        }
    }

    /// <summary>Handles a message that arrived at the group.</summary>
    public void OnGroupMessage(ReadOnlySpan<byte> message)
    {
        if (_connected && !_closed)
        {
            _setup.Handler.OnMessage(this, message, _loop.Worker);
        }
    }

    /// <summary>Counts an error of one of the client's sockets.</summary>
    public void CountError(SocketError error)
    {
        // Until it is connected, a client repeats its greeting. If no server answers, the connect deadline reports it.
        if (_connected)
        {
            _setup.Recorder.CountError($"client {error}");
        }
    }

    public bool Send(ReadOnlySpan<byte> message)
    {
        SocketError error = SocketError.NotConnected;
        if (!_closed)
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

    public void OnReadable()
    {
        for (int turn = 0; turn < _receivesATurn && !_closed; turn++)
        {
            int length = _socket.Receive(_buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                _loop.Worker.ReadClock();
                OnDatagram(_buffer.AsSpan(0, length));
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

    public void OnTick()
    {
        if (_closed)
        {
            return;
        }

        if (_connected)
        {
            _setup.Handler.OnTick(this, _loop.Worker);
        }
        else
        {
            // The greeting or its answer may have been lost.
            Send(DatagramGreeting.Hello);
        }
    }

    public void Close()
    {
        _loop.Remove(this);
        Dispose();
    }

    public void Dispose()
    {
        if (!_closed)
        {
            Send(DatagramGreeting.Bye);
            Closed();
        }
    }

    private void OnDatagram(ReadOnlySpan<byte> datagram)
    {
        switch (DatagramGreeting.Read(datagram))
        {
            case GreetingKind.None when _connected:
                _setup.Handler.OnMessage(this, datagram, _loop.Worker);
                break;
            case GreetingKind.Welcome or GreetingKind.Hello when !_connected:

                // A plain echo server returns the hello: it knows no clients, but it answers.
                _connected = true;
                _setup.Handler.OnConnected(this, _loop.Worker);
                _observer.Connected();
                break;
            case GreetingKind.Bye:
                _loop.Remove(this);
                Closed();
                break;
            default:
                // A second welcome answers a greeting that was sent twice.
                break;
        }
    }

    private void Closed()
    {
        _closed = true;
        if (_connected)
        {
            _setup.Handler.OnClosed(this, _loop.Worker);
        }

        _member?.Leave(_loop);
        _socket.Dispose();
    }
}
