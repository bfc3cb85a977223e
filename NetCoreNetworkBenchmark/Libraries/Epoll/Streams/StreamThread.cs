using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>
/// What the connections of one thread share, so that each of thousands has next to no memory of its own: all receive into one buffer, and what
/// one has to send within a turn waits in one outbox, which is empty again at the turn's end.
/// </summary>
internal sealed unsafe class StreamThread
{
    /// <summary>Bytes of <see cref="Buffer"/>: what is received is still in the core's cache when it is taken apart and answered.</summary>
    public const int BufferSize = 64 * 1024;

    // Those of connections that were slow for a while are kept for the next ones, so that none is made for every time.
    private const int MostSpareOutboxes = 64;

    private readonly byte[] _memory;
    private readonly Stack<Outbox> _spare = new();

    /// <summary>Reserves the memory.</summary>
    /// <param name="loop">The thread's loop.</param>
    /// <param name="plan">The plan of the run.</param>
    /// <param name="recorder">Where errors go.</param>
    /// <param name="isServer">Which side it is.</param>
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

    /// <summary>Which side it is, for the names of errors.</summary>
    public string Side { get; }

    /// <summary>Whether each message is sent by a call of its own; otherwise one call sends all that a turn's receive calls led to.</summary>
    public bool SendsEachMessage { get; }

    /// <summary>Whether each message has its length before it.</summary>
    public bool HasPrefix { get; }

    /// <summary>The connections of this thread that are to be called without anything that readiness would tell.</summary>
    public WakeList Woken { get; }

    /// <summary>Where bytes are received, for the time of one turn.</summary>
    public byte* Buffer => (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_memory));

    /// <summary>The messages that the connection whose turn it is has sent in it and the system has not taken yet.</summary>
    public Outbox Outbox { get; private set; }

    /// <summary>Leaves the outbox, with what could not be sent, to the connection whose turn it is.</summary>
    public Outbox LeaveOutbox()
    {
        Outbox left = Outbox;
        Outbox = _spare.TryPop(out Outbox? spare) ? spare : new Outbox(Plan);
        return left;
    }

    /// <summary>Takes an empty outbox back.</summary>
    public void GiveBack(Outbox outbox)
    {
        if (_spare.Count < MostSpareOutboxes)
        {
            _spare.Push(outbox);
        }
    }
}
