using System.Diagnostics;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>The server's end of the connection to one client.</summary>
internal sealed class AcceptedClient(StreamThread thread, StreamTransport transport, ConnectionBound bound) : StreamConnection(thread, transport)
{
    private readonly long _accepted = thread.Worker.Now;

    public override void OnTick()
    {
        // A client that connects and then sends nothing would be kept forever.
        TimeSpan deadline = Thread.Side.Plan.ConnectDeadline;
        if (!IsOpen && Stopwatch.GetElapsedTime(_accepted, Worker.Now) > deadline)
        {
            Refuse(FormattableString.Invariant($"the client did not complete it within {deadline.TotalSeconds:0.#} s"));
        }

        KeepAlive();
    }

    protected override void CallClosed()
    {
        bound.Leave();
        base.CallClosed();
    }

    protected override void CallRefused(string reason)
    {
        bound.Leave();
        Thread.Side.CountError($"TLS handshake failed: {reason}");
    }
}
