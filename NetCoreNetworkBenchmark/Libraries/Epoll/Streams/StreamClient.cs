using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>One client. Its connect is in progress from its creation on.</summary>
internal sealed class StreamClient : StreamConnection, IPolledClient
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;
    private readonly SocketError _atOnce;
    private bool _hasReached;

    /// <param name="setup">The setup, with the handler that is called.</param>
    /// <param name="observer">The observer that is notified of the result of the attempt.</param>
    /// <param name="thread">The state that the connections of the thread share.</param>
    /// <param name="transport">The transport over a socket that connects.</param>
    /// <param name="atOnce">The reason that the connect could not begin; Success if it has begun.</param>
    public StreamClient(ClientSetup setup, IConnectObserver observer, StreamThread thread, StreamTransport transport, SocketError atOnce)
        : base(thread, transport)
    {
        _setup = setup;
        _observer = observer;
        _atOnce = atOnce;

        // The creator adds the client to the loop first.
        thread.Loop.Post(() => Watch(Interest.Write));
    }

    // A client has requested the messages that arrive, and reads them.
    protected override bool HoldsBack => false;

    public void Start()
    {
        if (IsOpen)
        {
            _setup.Handler.OnStart(this, Worker);
            Flush();
        }
    }

    public void Due(long due)
    {
        if (IsOpen)
        {
            _setup.Handler.OnDue(this, due, Worker);
            Flush();
        }
    }

    public override void OnTick()
    {
        if (IsOpen)
        {
            _setup.Handler.OnTick(this, Worker);
            Flush();
        }
    }

    protected override void Proceed()
    {
        if (!_hasReached)
        {
            SocketError error = _atOnce == SocketError.Success ? StreamSocket.ErrorOf((int)SocketHandle) : _atOnce;
            if (error != SocketError.Success)
            {
                Finish();
                _observer.Refused(StreamSocket.Explain(_setup.EndPoint, error));
                return;
            }

            _hasReached = true;
        }

        base.Proceed();
    }

    protected override void CallConnected()
    {
        _setup.Handler.OnConnected(this, Worker);
        _observer.Connected();
    }

    protected override void CallRefused(string reason) => _observer.Refused($"the TLS handshake failed: {reason}");

    protected override void CallMessage(ReadOnlySpan<byte> message) => _setup.Handler.OnMessage(this, message, Worker);

    protected override void CallWritable() => _setup.Handler.OnWritable(this, Worker);

    protected override void CallClosed() => _setup.Handler.OnClosed(this, Worker);
}
