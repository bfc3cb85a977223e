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

    private readonly byte[] _memory;
    private readonly Stack<Outbox> _spare = new();

    /// <summary>Reserves the memory.</summary>
    /// <param name="loop">The thread's loop.</param>
    /// <param name="plan">The plan of the run.</param>
    /// <param name="recorder">The recorder of errors.</param>
    /// <param name="isServer">True at the server; false at the clients.</param>
    public StreamThread(PollLoop loop, RunPlan plan, RunRecorder recorder, bool isServer)
    {
        _memory = PinnedArray.Of<byte>(BufferSize, out _);
        (Loop, Plan, Recorder, Side) = (loop, plan, recorder, isServer ? "server" : "client");
        SendsEachMessage = StreamSendSetting.SendsEachMessage(plan, isServer);
        HasPrefix = plan.Framing == Framing.Length;
        Outbox = new Outbox(plan);
        Woken = new WakeList(loop);
    }

    public PollLoop Loop { get; }

    public WorkerStatistics Worker => Loop.Worker;

    public RunPlan Plan { get; }

    public RunRecorder Recorder { get; }

    /// <summary>The side of the connections, for the names of errors.</summary>
    public string Side { get; }

    /// <summary>Whether each message is sent by a call of its own. If not, one call sends all messages that result from the receive calls of a turn.</summary>
    public bool SendsEachMessage { get; }

    /// <summary>Whether each message is preceded by its length.</summary>
    public bool HasPrefix { get; }

    /// <summary>The connections of this thread that are called without a report of readiness.</summary>
    public WakeList Woken { get; }

    /// <summary>The buffer into which bytes are received, for the duration of one turn.</summary>
    public byte* Buffer => (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_memory));

    /// <summary>The messages that were sent by the connection whose turn it is and that the system has not accepted yet.</summary>
    public Outbox Outbox { get; private set; }

    /// <summary>Passes the outbox, with the messages that could not be sent, to the connection whose turn it is.</summary>
    public Outbox LeaveOutbox()
    {
        Outbox left = Outbox;
        Outbox = _spare.TryPop(out Outbox? spare) ? spare : new Outbox(Plan);
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
}
