using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>
/// A datagram socket that is served by batches, of a server or of a client. What is sent during a call of the workload waits, and goes out
/// with everything else that the same turn sends.
/// </summary>
internal abstract unsafe class EpollSocket(Socket socket, PollLoop loop, BatchMemory memory, RunRecorder recorder, string side, bool isOnlySocket) : IPollable
{
    // One socket's turn ends after this many system calls, so that the others get theirs.
    private const int MostCallsATurn = 64;

    private readonly int _descriptor = (int)socket.Handle;

    // A call that is not full has left nothing. Where all messages come to one socket, others have come while these were answered, if there
    // was more than one: to look again costs less than to wait for readiness.
    private readonly int _enough = memory.Received.Capacity == 1 ? 0 : isOnlySocket ? 1 : memory.Received.Capacity - 1;

    /// <inheritdoc/>
    public nint SocketHandle => _descriptor;

    protected Socket Socket => socket;

    protected PollLoop Loop => loop;

    protected WorkerStatistics Worker { get; } = loop.Worker;

    /// <summary>Most receive calls of a turn: fewer where more could find nothing.</summary>
    protected int CallsATurn { get; init; } = MostCallsATurn;

    protected bool IsClosed { get; private set; }

    /// <summary>Whether errors count: until a client is connected it asks again and again, and its deadline tells if nobody answers.</summary>
    protected virtual bool CountsErrors => true;

    /// <inheritdoc/>
    public void OnReadable()
    {
        ReceiveBatch received = memory.Received;
        for (int turn = 0; turn < CallsATurn && !IsClosed; turn++)
        {
            int count = received.Receive(_descriptor, out SocketError error);
            for (int index = 0; index < count && !IsClosed; index++)
            {
                OnElement(in received.NameOf(index), received.BytesOf(index), received.SegmentSizeOf(index));
            }

            Flush();
            if (error == SocketError.WouldBlock || (error == SocketError.Success && count <= _enough))
            {
                return;
            }

            Count(error, 1);
        }
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
    /// <returns>False where the system did not take it; the error has been counted.</returns>
    protected bool Send(SocketName* receiver, ReadOnlySpan<byte> message)
    {
        if (memory.Waiting.TryAdd(receiver, message))
        {
            return !memory.SendsAtOnce || Flush();
        }

        Flush();
        return memory.Waiting.TryAdd(receiver, message);
    }

    /// <summary>Sends what waits.</summary>
    /// <returns>False where some of it was dropped.</returns>
    protected bool Flush()
    {
        if (memory.Waiting.IsEmpty)
        {
            return true;
        }

        int dropped = memory.Waiting.Flush(socket, out SocketError error);
        Count(error, dropped);
        return dropped == 0;
    }

    protected virtual void Closed()
    {
        IsClosed = true;
        socket.Dispose();
    }

    private void Count(SocketError error, int times)
    {
        for (int time = 0; time < times && error != SocketError.Success && CountsErrors; time++)
        {
            recorder.CountError($"{side} {error}");
        }
    }
}
