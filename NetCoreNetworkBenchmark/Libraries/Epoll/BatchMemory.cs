using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>What the sockets of one thread share: the memory of receiving and of sending.</summary>
internal sealed class BatchMemory
{
    private BatchMemory(Batch batch, bool fromAnyone, RunPlan plan)
    {
        Received = new ReceiveBatch(batch, fromAnyone);
        Waiting = new SendBatch(batch, Math.Max(plan.MessageSize + 1, DatagramGreeting.Size));
        SendsAtOnce = batch.Mode == BatchMode.Call;
    }

    public ReceiveBatch Received { get; }

    public SendBatch Waiting { get; }

    /// <summary>Whether a message is sent by a call of its own, so that nothing waits.</summary>
    public bool SendsAtOnce { get; }

    public static BatchMemory OfServer(BatchMode mode, RunPlan plan) => new(Batch.OfServer(mode, plan), fromAnyone: true, plan);

    public static BatchMemory OfClients(BatchMode mode, RunPlan plan) => new(Batch.OfClient(mode, plan), fromAnyone: false, plan);
}
