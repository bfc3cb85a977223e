using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>One client. Its connect is under way from its birth on.</summary>
internal sealed class StreamClient : StreamConnection, IPolledClient
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;
    private readonly SocketError _atOnce;
    private bool _hasReached;

    /// <param name="setup">Whom to call.</param>
    /// <param name="observer">Whom to tell what became of the attempt.</param>
    /// <param name="thread">What it shares.</param>
    /// <param name="transport">The transport over a socket that connects.</param>
    /// <param name="atOnce">Why the connect cannot even begin; Success where it has.</param>
    public StreamClient(ClientSetup setup, IConnectObserver observer, StreamThread thread, StreamTransport transport, SocketError atOnce)
        : base(thread, transport)
    {
        _setup = setup;
        _observer = observer;
        _atOnce = atOnce;

        // Whoever made it adds it to the loop first.
        thread.Loop.Post(() => Watch(Interest.Write));
    }

    // A client has asked for what comes, and takes it.
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
