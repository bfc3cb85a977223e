using kcp2k;

namespace NetCoreNetworkBenchmark.Libraries.Kcp2k;

internal sealed class Kcp2kClient : IPolledClient, IPeer
{
    private static readonly long s_millisecond = Stopwatch.Frequency / 1000;

    private readonly ClientSetup _setup;
    private readonly PollLoop _loop;
    private readonly IConnectObserver _observer;
    private readonly KcpChannel _channel;
    private readonly SocketClient _client;
    private readonly LoopTimer _flush;
    private readonly byte[] _message;

    // Whether something waits for a flush: a reliable message, or the acknowledgement of one.
    private bool _mustFlush;
    private bool _connected;
    private bool _closed;

    public Kcp2kClient(ClientSetup setup, PollLoop loop, IConnectObserver observer)
    {
        (_setup, _loop, _observer, _channel) = (setup, loop, observer, Kcp2kBenchmark.ChannelOf(setup.Plan));
        _message = new byte[setup.Plan.MessageSize];
        _flush = new LoopTimer(Flush);
        _client = new SocketClient(this, Kcp2kBenchmark.Configure(setup.Plan, setup.EndPoint.AddressFamily));
        _client.Connect(setup.EndPoint.Address.ToString(), (ushort)setup.EndPoint.Port);
        SocketHandle = _client.Socket.Handle;
        SocketBuffers.Reserve(_client.Socket, SocketBuffers.NeededByClient(setup.Plan));
        Flush();
    }

    public nint SocketHandle { get; }

    public object? State { get; set; }

    public void Start()
    {
        if (_connected)
        {
            _setup.Handler.OnStart(this, _loop.Worker);
            FlushIfNeeded();
        }
    }

    public void Due(long due)
    {
        if (_connected)
        {
            _setup.Handler.OnDue(this, due, _loop.Worker);
            FlushIfNeeded();
        }
    }

    public bool Send(ReadOnlySpan<byte> message) => Send(message, _channel);

    public bool SendReliable(ReadOnlySpan<byte> message) => Send(message, KcpChannel.Reliable);

    public void OnReadable()
    {
        if (!_closed)
        {
            _client.TickIncoming();
            FlushIfNeeded();
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

        // Pings and time-outs.
        _client.TickIncoming();
        Flush();
    }

    public void Close() => _client.Disconnect();

    public void Dispose() => _client.Disconnect();

    private bool Send(ReadOnlySpan<byte> message, KcpChannel channel)
    {
        if (!_connected)
        {
            _setup.Recorder.CountError("client send without connection");
            return false;
        }

        if (Kcp2kBenchmark.IsFull(_client, channel))
        {
            // A closed loop tries again, and so do players. A message of an open loop would be missing without a trace, but for a rate that rises on purpose.
            if (_setup.Plan is { Rate: not null, LastRate: null, Tick: null })
            {
                _setup.Recorder.CountError("client kcp2k queue full");
            }

            return false;
        }

        message.CopyTo(_message);
        _client.Send(new ArraySegment<byte>(_message, 0, message.Length), channel);
        _mustFlush |= channel == KcpChannel.Reliable;
        return true;
    }

    private void FlushIfNeeded()
    {
        if (_mustFlush && !_closed)
        {
            Flush();
        }
    }

    // The library flushes in the first update after its interval. Until all is sent and acknowledged, that update is made when it is due.
    private void Flush()
    {
        uint due = _client.NextFlush;
        _client.TickOutgoing();
        _mustFlush &= _client.NextFlush == due;
        if (!_closed && !_flush.IsSet && (_mustFlush || _client.SendQueueCount + _client.SendBufferCount > 0))
        {
            _loop.Set(_flush, _setup.Recorder.Clock.GetTimestamp() + ((int)(_client.NextFlush - _client.time) * s_millisecond));
        }
    }

    private void OnConnected()
    {
        _connected = true;
        Guard(default, static (client, _) => client._setup.Handler.OnConnected(client, client._loop.Worker));
        _observer.Connected();
    }

    private void OnMessage(ArraySegment<byte> message) =>
        Guard(message, static (client, message) => client._setup.Handler.OnMessage(client, message, client._loop.Worker));

    // The library closes the socket after this call.
    private void OnDisconnecting()
    {
        _closed = true;
        _loop.Cancel(_flush);
        _loop.Remove(this);
    }

    private void OnDisconnected()
    {
        if (_connected)
        {
            _connected = false;
            Guard(default, static (client, _) => client._setup.Handler.OnClosed(client, client._loop.Worker));
        }
        else
        {
            _observer.Refused("kcp2k closed the connection");
        }
    }

    private void OnError(ErrorCode error)
    {
        if (_connected)
        {
            Kcp2kBenchmark.Count(error, "client", _setup.Recorder);
        }
    }

    // The library would close the connection for an exception, and continue.
    private void Guard(ArraySegment<byte> message, Action<Kcp2kClient, ArraySegment<byte>> call)
    {
        try
        {
            call(this, message);
        }
        catch (Exception exception)
        {
            _setup.Recorder.ReportFault(exception);
        }
    }

    private sealed class SocketClient(Kcp2kClient owner, KcpConfig config)
        : KcpClient(owner.OnConnected, (message, _) => owner.OnMessage(message), owner.OnDisconnected, (error, _) => owner.OnError(error), config)
    {
        public Socket Socket => socket;

        /// <summary>By the library's clock in milliseconds (<see cref="KcpPeer.time"/>).</summary>
        public uint NextFlush => FlushTime(Connection(this));

        protected override void OnDisconnected()
        {
            owner.OnDisconnecting();
            base.OnDisconnected();
        }

        protected override bool RawReceive(out ArraySegment<byte> segment)
        {
            if (!base.RawReceive(out segment))
            {
                return false;
            }

            owner._loop.Worker.ReadClock();
            owner._mustFlush |= Kcp2kBenchmark.IsReliable(segment);
            return true;
        }

        [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "kcp")]
        private static extern ref Kcp Connection(KcpPeer peer);

        [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "ts_flush")]
        private static extern ref uint FlushTime(Kcp kcp);
    }
}
