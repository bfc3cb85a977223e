using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>
/// A datagram socket that is served by batches, of a server or of a client. What is sent during a call of the workload waits, and goes out
/// with everything else that the same turn sends.
/// </summary>
internal abstract unsafe class EpollSocket(Socket socket, ThreadMemory thread) : IPollable
{
    private readonly int _descriptor = (int)socket.Handle;

    /// <inheritdoc/>
    public nint SocketHandle => _descriptor;

    protected PollLoop Loop => thread.Loop;

    protected WorkerStatistics Worker => thread.Worker;

    protected bool IsClosed { get; private set; }

    /// <summary>Whether errors count: until a client is connected it asks again and again, and its deadline tells if nobody answers.</summary>
    protected virtual bool CountsErrors => true;

    /// <inheritdoc/>
    public void OnReadable()
    {
        ReceiveBatch received = thread.Received;
        bool more = true;
        for (int turn = 0; turn < thread.CallsATurn && more && !IsClosed; turn++)
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
            FlushIfHalfFull();
        }

        Flush();
    }

    /// <inheritdoc/>
    public abstract void OnTick();

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!IsClosed)
        {
            SayGoodbye();
            Flush();
            Closed();
        }
    }

    /// <summary>Datagrams of one sender, each of the given size but the last, which may be shorter.</summary>
    protected abstract void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize);

    /// <summary>Tells the other side that it ends.</summary>
    protected abstract void SayGoodbye();

    /// <summary>Puts a message to those that wait.</summary>
    /// <param name="receiver">Whom it is for; null where the socket is connected.</param>
    /// <param name="message">The message.</param>
    /// <returns>False where it cannot be sent at all; the error has been counted.</returns>
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

        // With nothing before it only a message that is larger than the plan's does not fit.
        Flush();
        if (thread.Waiting.TryAdd(receiver, message))
        {
            return true;
        }

        Count(SocketError.MessageSize, 1);
        return false;
    }

    /// <summary>Sends what waits. A closed socket has left nothing.</summary>
    protected void Flush()
    {
        if (!IsClosed && !thread.Waiting.IsEmpty)
        {
            int dropped = thread.Waiting.Flush(_descriptor, socket, out SocketError error);
            if (dropped > 0)
            {
                Count(error, dropped);
            }
        }
    }

    /// <summary>Closes the socket. What was sent before goes first, because the thread's other sockets share the memory in which it waits.</summary>
    protected virtual void Closed()
    {
        Flush();
        IsClosed = true;
        socket.Dispose();
    }

    // While more comes in, it is received before what waits is sent: calls of one kind in a run keep more of the kernel's code in the cache.
    private void FlushIfHalfFull()
    {
        if (thread.Waiting.IsHalfFull)
        {
            Flush();
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
