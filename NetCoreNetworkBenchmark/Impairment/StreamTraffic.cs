using System.Net.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Both directions of the streams, and their shared state: the buffers, the stalls and the delay queue.</summary>
internal sealed class StreamTraffic
{
    // The largest size of a chunk.
    private const int BufferBytes = 64 * 1024;

    /// <summary>Initializes the traffic, with the impairment switched off.</summary>
    /// <param name="plan">The impairment plan.</param>
    /// <param name="clients">The number of clients that share the relay's memory.</param>
    /// <param name="family">The family of the addresses at both ends.</param>
    public StreamTraffic(ImpairmentPlan plan, int clients, AddressFamily family = AddressFamily.InterNetwork)
    {
        int ipHeader = IPHeader.BytesOf(family);
        StreamBounds bounds = StreamBounds.Of(plan, clients);
        var pool = new PacketBufferPool<Chunk>(capacity => new Chunk(capacity));
        DelayQueue = new DelayQueue<Chunk>(new StallSchedule(plan.Stall), chunk => chunk.Flow.Leave(chunk));
        ToServer = new StreamDirection(plan, plan.Seed, ipHeader, bounds, pool, DelayQueue);
        ToClients = new StreamDirection(plan, PathDelay.SeedOfReturn(plan.Seed), ipHeader, bounds, pool, DelayQueue);
    }

    public DelayQueue<Chunk> DelayQueue { get; }

    public StreamDirection ToServer { get; }

    public StreamDirection ToClients { get; }

    /// <summary>The receive buffer. Its content is valid during one call only.</summary>
    public byte[] Buffer { get; } = new byte[BufferBytes];

    public void Begin(long now)
    {
        DelayQueue.Stalls.Begin(now);
        ToServer.Begin();
        ToClients.Begin();
    }

    public void End(long now)
    {
        DelayQueue.EndStall(now);
        ToServer.End();
        ToClients.End();
    }
}
