using System.Diagnostics;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>One client, as the server has it.</summary>
internal sealed class AcceptedClient(ServerSetup setup, StreamThread thread, StreamTransport transport, ConnectionBound bound)
    : StreamConnection(thread, transport)
{
    private readonly long _accepted = thread.Worker.Now;

    // A client that sends and does not take the answers would fill the memory.
    protected override bool HoldsBack => true;

    /// <summary>Goes as far as it can without anything having come: a plain stream is open at once.</summary>
    public void Begin() => Proceed();

    public override void OnTick()
    {
        // Whoever connects and then says nothing would be kept for ever.
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
