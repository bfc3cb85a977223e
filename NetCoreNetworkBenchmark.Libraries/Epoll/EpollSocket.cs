namespace NetCoreNetworkBenchmark.Libraries.Epoll;

// Messages that are sent during a call of the workload wait, and are sent together with all other messages of the same turn.
internal abstract unsafe class EpollSocket(Socket socket, ThreadMemory thread) : IPollable
{
    private readonly int _descriptor = (int)socket.Handle;

    public nint SocketHandle => _descriptor;

    protected PollLoop Loop => thread.Loop;

    protected WorkerStatistics Worker => thread.Worker;

    protected bool IsClosed { get; private set; }

    // Until a client is connected, it repeats its hello, and its deadline reports a server that does not answer.
    protected virtual bool CountsErrors => true;

    public void OnReadable()
    {
        ReceiveBatch received = thread.Received;
        bool more = true;
        for (int turn = 0; turn < thread.CallsPerTurn && more && !IsClosed; turn++)
        {
            int count = received.Receive(_descriptor, out SocketError error);
            if (count > 0)
            {
                Worker.ReadClock();
            }

            for (int index = 0; index < count && !IsClosed; index++)
            {
                OnElement(in received.NameOf(index), received.BytesOf(index), received.SegmentSizeOf(index));
            }

            bool failed = error is not (SocketError.Success or SocketError.WouldBlock);
            if (failed)
            {
                Count(error, 1);
            }

            more = failed || count > thread.Enough;
            if (thread.Waiting.IsHalfFull)
            {
                // Not after each receive call: consecutive calls of one kind keep more kernel code in the cache.
                Flush();
            }
        }

        Flush();
    }

    /// <summary>Messages that wait are sent first, because the thread's other sockets share the memory that holds them.</summary>
    public virtual void Dispose()
    {
        if (!IsClosed)
        {
            Flush();
            IsClosed = true;
            socket.Dispose();
        }
    }

    // Datagrams of one sender. Each has the given size except the last, which may be shorter.
    protected abstract void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize);

    // The receiver is null if the socket is connected. Returns false if the message cannot be sent at all; the error has been counted.
    protected bool Send(SocketName* receiver, ReadOnlySpan<byte> message)
    {
        if (IsClosed)
        {
            Count(SocketError.NotConnected, 1);
            return false;
        }

        if (thread.Waiting.TryAdd(receiver, message))
        {
            return true;
        }

        // If no other message waits, only a message that is larger than the plan's does not fit.
        Flush();
        if (thread.Waiting.TryAdd(receiver, message))
        {
            return true;
        }

        Count(SocketError.MessageSize, 1);
        return false;
    }

    protected void Flush()
    {
        if (!IsClosed && !thread.Waiting.IsEmpty)
        {
            int dropped = thread.Waiting.Flush(_descriptor, socket, out SocketError error);
            if (dropped > 0)
            {
                Count(error, dropped);
            }

            if (thread.Waiting.TakeRefused() is > 0 and var size)
            {
                thread.Recorder.Remark(FormattableString.Invariant(
                    $"The packets of the path are too small for datagrams of {size:N0} bytes, so Epoll's batch=gso sent them as mmsg does."));
            }
        }
    }

    private void Count(SocketError error, int times)
    {
        for (int time = 0; time < times && CountsErrors; time++)
        {
            thread.Recorder.CountError($"{thread.Side} {error}");
        }
    }
}

// Buffers shared by a thread's sockets, so that they stay in the cache.
internal sealed class ThreadMemory
{
    // One socket's turn ends after this many system calls, so that the others get theirs.
    private const int MaxCallsPerTurn = 64;

    public ThreadMemory(PollLoop loop, RunPlan plan, RunRecorder recorder, BatchMode mode, bool isServer, int maxWaiting = int.MaxValue)
    {
        Batch batch = isServer ? Batch.OfServer(mode, plan) : Batch.OfClient(mode, plan, maxWaiting);
        Loop = loop;
        Worker = loop.Worker;
        Recorder = recorder;
        Side = isServer ? "server" : "client";
        Received = new ReceiveBatch(batch, fromAnyone: isServer);
        Waiting = new SendBatch(batch, Math.Max(plan.MessageSize + 1, DatagramHandshake.Size));

        // With one message in flight of a closed loop, a second receive call could find nothing, so it is not made.
        CallsPerTurn = Math.Min(maxWaiting, MaxCallsPerTurn);

        // A call that is not full has left nothing. If one of a server returned several, others have arrived meanwhile: another call costs less than a wait.
        Enough = batch.Received == 1 ? 0 : isServer ? 1 : batch.Received - 1;
    }

    public PollLoop Loop { get; }

    public WorkerStatistics Worker { get; }

    public RunRecorder Recorder { get; }

    public string Side { get; }

    public ReceiveBatch Received { get; }

    public SendBatch Waiting { get; }

    public int CallsPerTurn { get; }

    /// <summary>A receive call that returns no more than this number of elements ends the turn.</summary>
    public int Enough { get; }
}
