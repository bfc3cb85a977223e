using System.Net.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Both directions, and their shared state: the buffers, the stalls and the delay queue.</summary>
internal sealed class Traffic
{
    /// <summary>Initializes the traffic, with the impairment switched off.</summary>
    /// <param name="plan">The impairment plan.</param>
    /// <param name="family">The family of the addresses at both ends.</param>
    public Traffic(ImpairmentPlan plan, AddressFamily family = AddressFamily.InterNetwork)
    {
        int ipHeader = IPHeader.BytesOf(family);
        var pool = new PacketBufferPool<Datagram>(capacity => new Datagram(capacity));
        DelayQueue = new DelayQueue<Datagram>(new StallSchedule(plan.Stall), datagram => Send(datagram, pool));
        ReorderBuffer = new ReorderBuffer { GiveUp = (datagram, now) => ToServer!.Leave(datagram, now) };
        ToServer = new Direction(plan, plan.Seed, ipHeader, pool, DelayQueue, ReorderBuffer);
        ToClients = new Direction(plan with { Reorder = 0 }, PathDelay.SeedOfReturn(plan.Seed), ipHeader, pool, DelayQueue, ReorderBuffer);
    }

    public DelayQueue<Datagram> DelayQueue { get; }

    public ReorderBuffer ReorderBuffer { get; }

    public Direction ToServer { get; }

    public Direction ToClients { get; }

    public void Begin(long now)
    {
        ReorderBuffer.End(now);
        DelayQueue.Stalls.Begin(now);
        ToServer.Begin();
        ToClients.Begin();
    }

    public void End(long now)
    {
        ReorderBuffer.End(now);
        DelayQueue.EndStall(now);
        ToServer.End();
        ToClients.End();
    }

    private static void Send(Datagram datagram, PacketBufferPool<Datagram> pool)
    {
        bool taken = datagram.Flow.Send(datagram.Bytes);
        if (datagram.Counter is { } counter)
        {
            counter.Forwarded += taken ? 1 : 0;
            counter.Overflowed += taken ? 0 : 1;
        }

        pool.Return(datagram);
    }
}
