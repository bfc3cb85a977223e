using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Blocking;

internal sealed class ConnectionWorker(StreamSide side)
{
    private const int BufferSize = 16 * 1024;

    public WorkerStatistics Statistics { get; } = side.Recorder.AddWorker(recordsLatency: false);

    public byte[] Buffer { get; } = new byte[BufferSize];

    public Outbox Outbox { get; } = new(side.Plan);
}

/// <summary>All calls are made by the thread that serves the connection.</summary>
internal sealed class BlockingPeer(StreamSide side, StreamTransport transport, ConnectionWorker worker) : IPeer
{
    private readonly StreamFramer _framer = new(side.Plan);
    private bool _isClosed;

    public object? State { get; set; }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (_isClosed || !worker.Outbox.TryAdd(message))
        {
            return false;
        }

        if (transport.Send(worker.Outbox) == Outcome.Done)
        {
            return true;
        }

        side.CountError(transport.Failure.Length == 0 ? $"{System.Net.Sockets.SocketError.TimedOut}" : transport.Failure);
        _isClosed = true;
        return false;
    }

    public void Close() => _isClosed = true;

    public void Serve(Func<bool> isStopping)
    {
        switch (transport.Handshake())
        {
            case Outcome.Done:
                break;
            case Outcome.WantsRead or Outcome.WantsWrite when !isStopping():
                string seconds = FormattableString.Invariant($"{side.Plan.ConnectDeadline.TotalSeconds:0.#}");
                side.CountError($"TLS handshake failed: the client did not complete it within {seconds} s");
                return;
            default:
                CountUnless(isStopping, $"TLS handshake failed: {transport.Failure}");
                return;
        }

        if (transport.Negotiated() is { } negotiated)
        {
            side.Recorder.CountHandshake(negotiated);
        }

        side.Handler.OnConnected(this, worker.Statistics);
        Receive(isStopping);
        worker.Outbox.Clear();
        side.Handler.OnClosed(this, worker.Statistics);
    }

    private void Receive(Func<bool> isStopping)
    {
        Outcome outcome = Outcome.Done;

        // A connection that is silent for the time of the socket option wants to read, and goes on.
        while (!_isClosed && _framer.Violation is null && outcome is Outcome.Done or Outcome.WantsRead && !isStopping())
        {
            outcome = transport.Receive(worker.Buffer, out int count);
            worker.Statistics.ReadClock();
            ReadOnlySpan<byte> received = worker.Buffer.AsSpan(0, count);
            while (!_isClosed && !received.IsEmpty && _framer.TryTake(ref received, out ReadOnlySpan<byte> message))
            {
                side.Handler.OnMessage(this, message, worker.Statistics);
            }
        }

        string? fault = outcome switch
        {
            _ when _framer.Violation is not null || _isClosed => _framer.Violation,
            Outcome.Failed => transport.Failure,
            Outcome.Ended when _framer.HasPart => "received part of a message",
            _ => null,
        };
        if (fault is not null)
        {
            CountUnless(isStopping, fault);
        }
    }

    private void CountUnless(Func<bool> isStopping, string error)
    {
        if (!isStopping())
        {
            side.CountError(error);
        }
    }
}
