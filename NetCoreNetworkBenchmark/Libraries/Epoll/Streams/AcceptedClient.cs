using System.Diagnostics;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>The server's end of the connection to one client.</summary>
internal sealed class AcceptedClient(ServerSetup setup, StreamThread thread, StreamTransport transport, ConnectionBound bound)
    : StreamConnection(thread, transport)
{
    private readonly long _accepted = thread.Worker.Now;

    // A client that sends and does not read the answers would fill the memory.
    protected override bool HoldsBack => true;

    /// <summary>Proceeds as far as possible before any bytes have arrived: a plain stream is open at once.</summary>
    public void Begin() => Proceed();

    public override void OnTick()
    {
        // A client that connects and then sends nothing would be kept forever.
        if (!IsOpen && Stopwatch.GetElapsedTime(_accepted, Worker.Now) > setup.Plan.ConnectDeadline)
        {
            Refuse(FormattableString.Invariant($"the client did not complete it within {setup.Plan.ConnectDeadline.TotalSeconds:0.#} s"));
        }
    }

    protected override void CallConnected() => setup.Handler.OnConnected(this, Worker);

    protected override void CallRefused(string reason)
    {
        bound.Leave();
        setup.Recorder.CountError($"server TLS handshake failed: {reason}");
    }

    protected override void CallMessage(ReadOnlySpan<byte> message) => setup.Handler.OnMessage(this, message, Worker);

    protected override void CallWritable() => setup.Handler.OnWritable(this, Worker);

    protected override void CallClosed()
    {
        bound.Leave();
        setup.Handler.OnClosed(this, Worker);
    }
}
