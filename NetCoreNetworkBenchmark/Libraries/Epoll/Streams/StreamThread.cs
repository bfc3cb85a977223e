using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>
/// The state that the connections of one thread share, so that each of thousands has almost no memory of its own. All receive into one buffer. Messages that a
/// connection sends within a turn wait in one outbox, which is empty again at the end of the turn.
/// </summary>
internal sealed unsafe class StreamThread
{
    /// <summary>The size of <see cref="Buffer"/> in bytes. Received bytes are still in the core's cache when they are parsed and answered.</summary>
    public const int BufferSize = 64 * 1024;

    // Outboxes of connections that were slow for a while are kept for the next ones, so that a new one is not created each time.
    private const int MostSpareOutboxes = 64;

    private readonly byte[] _memory = PinnedArray.Of<byte>(BufferSize, out _);
    private readonly Stack<Outbox> _spare = new();
    private readonly ConcurrentQueue<StreamConnection> _woken = new();
    private readonly Action _callWoken;
    private int _isPosted;

    /// <summary>Reserves the memory.</summary>
    public StreamThread(PollLoop loop, StreamSide side, Func<int, StreamTransport> carry)
    {
        (Loop, Side, Carry, _callWoken) = (loop, side, carry, CallWoken);
        SendsEachMessage = side.SendsEachMessage;
        HasPrefix = side.Plan.Framing == Framing.Length;
        Outbox = new Outbox(side.Plan);
    }

    public PollLoop Loop { get; }

    public WorkerStatistics Worker => Loop.Worker;

    public StreamSide Side { get; }

    /// <summary>Whether each message is sent by a call of its own. If not, one call sends all messages that result from the receive calls of a turn.</summary>
    public bool SendsEachMessage { get; }

    /// <summary>Whether each message is preceded by its length.</summary>
    public bool HasPrefix { get; }

    /// <summary>The buffer into which bytes are received, for the duration of one turn.</summary>
    public byte* Buffer => (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_memory));

    /// <summary>The messages that were sent by the connection whose turn it is and that the system has not accepted yet.</summary>
    public Outbox Outbox { get; private set; }

    /// <summary>Creates the transport of a socket.</summary>
    public Func<int, StreamTransport> Carry { get; }

    /// <summary>
    /// Schedules a call of a connection on its thread, without a report of readiness. Can be called from any thread, once until that call. Many requests at
    /// once wake the thread once.
    /// </summary>
    public void Wake(StreamConnection connection)
    {
        _woken.Enqueue(connection);
        if (Interlocked.Exchange(ref _isPosted, 1) == 0)
        {
            Loop.Post(_callWoken);
        }
    }

    /// <summary>Passes the outbox, with the messages that could not be sent, to the connection whose turn it is.</summary>
    public Outbox LeaveOutbox()
    {
        Outbox left = Outbox;
        Outbox = _spare.TryPop(out Outbox? spare) ? spare : new Outbox(Side.Plan);
        return left;
    }

    /// <summary>Takes back an empty outbox.</summary>
    public void GiveBack(Outbox outbox)
    {
        if (_spare.Count < MostSpareOutboxes)
        {
            _spare.Push(outbox);
        }
    }

    private void CallWoken()
    {
        // From here on, a new request posts again. Requests that the calls themselves make are therefore served after the sockets.
        Interlocked.Exchange(ref _isPosted, 0);
        for (int count = _woken.Count; count > 0 && _woken.TryDequeue(out StreamConnection? connection); count--)
        {
            connection.OnWoken();
        }
    }
}
