using System.Diagnostics;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>One client. Its connect is in progress from its creation on.</summary>
internal sealed class StreamClient : StreamConnection, IPolledClient
{
    private readonly ClientSetup _setup;
    private readonly IConnectObserver _observer;

    // The reason that the connect could not begin; Success if it has begun.
    private readonly SocketError _atOnce;
    private readonly long _begun;
    private bool _hasReached;

    private StreamClient(ClientSetup setup, IConnectObserver observer, StreamThread thread, int descriptor, SocketError atOnce)
        : base(thread, thread.Carry(descriptor))
    {
        _setup = setup;
        _observer = observer;
        _atOnce = atOnce;
        _begun = setup.Recorder.Clock.GetTimestamp();
        if (observer.AwaitsAnswer)
        {
            AwaitFirstMessage();
        }

        // The creator adds the client to the loop first.
        thread.Loop.Post(() => Watch(Interest.Write));
    }

    /// <summary>Creates a client that begins to connect. The caller adds it to the loop at once.</summary>
    public static StreamClient Connect(ClientSetup setup, IConnectObserver observer, StreamThread thread)
    {
        int descriptor = StreamSocket.Connect(setup.EndPoint, out SocketError error);
        return new StreamClient(setup, observer, thread, descriptor, error);
    }

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
            KeepAlive();
        }
        else if (Stopwatch.GetElapsedTime(_begun, Worker.Now) > _setup.Plan.ConnectDeadline)
        {
            // A server that is stopped accepts no more than the transport does by itself.
            Refuse(FormattableString.Invariant($"the server did not complete it within {_setup.Plan.ConnectDeadline.TotalSeconds:0.#} s"));
        }
    }

    public override void Proceed()
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
        base.CallConnected();
        _observer.Connected();
    }

    protected override void CallClosed()
    {
        base.CallClosed();
        _observer.Lost();
    }

    protected override void OnFirstMessage() => _observer.Answered();

    protected override void CallRefused(string reason) => _observer.Refused($"the TLS handshake failed: {reason}");
}
