using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Both directions of the streams, and what they share: the buffers, the stalls and the queue of what is to leave.</summary>
internal sealed class StreamTraffic
{
    // As much as a chunk can have at most.
    private const int BufferBytes = 64 * 1024;

    /// <summary>Makes it, switched off.</summary>
    /// <param name="plan">What happens on the way.</param>
    /// <param name="clients">Among how many clients the relay's memory is divided.</param>
    /// <param name="family">The family of the addresses at both ends.</param>
    public StreamTraffic(ImpairmentPlan plan, int clients, AddressFamily family = AddressFamily.InterNetwork)
    {
        int ipHeader = IPHeader.BytesOf(family);
        StreamBounds bounds = StreamBounds.Of(plan, clients);
        var pool = new ParcelPool<Chunk>(capacity => new Chunk(capacity));
        Departures = new Departures<Chunk>(new StallSchedule(plan.Stall), chunk => chunk.Flow.Leave(chunk));
        ToServer = new StreamDirection(plan, plan.Seed, ipHeader, bounds, pool, Departures);
        ToClients = new StreamDirection(plan, Way.SeedOfReturn(plan.Seed), ipHeader, bounds, pool, Departures);
    }

    public Departures<Chunk> Departures { get; }

    public StreamDirection ToServer { get; }

    public StreamDirection ToClients { get; }

    /// <summary>To receive into; its content lasts for one call only.</summary>
    public byte[] Buffer { get; } = new byte[BufferBytes];

    public void Begin(long now)
    {
        Departures.Stalls.Begin(now);
        ToServer.Begin();
        ToClients.Begin();
    }

    public void End(long now)
    {
        Departures.EndStall(now);
        ToServer.End();
        ToClients.End();
    }
}
