using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

// What the sockets of one thread share: a message of a client whose memory has left the cache waits for every line of it.
internal sealed class ThreadMemory
{
    // One socket's turn ends after this many system calls, so that the others get theirs.
    private const int MostCallsPerTurn = 64;

    public ThreadMemory(PollLoop loop, RunPlan plan, RunRecorder recorder, BatchMode mode, bool isServer)
    {
        Batch batch = isServer ? Batch.OfServer(mode, plan) : Batch.OfClient(mode, plan);
        Loop = loop;
        Worker = loop.Worker;
        Recorder = recorder;
        Side = isServer ? "server" : "client";
        Received = new ReceiveBatch(batch, fromAnyone: isServer);
        Waiting = new SendBatch(batch, Math.Max(plan.MessageSize + 1, DatagramHandshake.Size));

        // With one message in flight, a second receive call could find nothing, so it is not made.
        CallsPerTurn = isServer || plan.Rate is not null ? MostCallsPerTurn : Math.Min(plan.ParallelMessages, MostCallsPerTurn);

        // A call that is not full has left nothing. At a server, all messages arrive at one socket: if a call returned more than one, others have arrived while
        // these were answered, and another call costs less than a wait for readiness.
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
