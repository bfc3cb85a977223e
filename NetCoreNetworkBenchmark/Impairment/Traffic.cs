namespace NetCoreNetworkBenchmark.Impairment;

internal sealed class Traffic
{
    // RFC 791 and RFC 9293, without options; RFC 8200, without extensions; RFC 768.
    private const int IPv4HeaderBytes = 20;
    private const int IPv6HeaderBytes = 40;
    private const int TcpHeaderBytes = 20;
    private const int UdpHeaderBytes = 8;

    // The largest chunk of a stream. The largest datagram is smaller.
    private const int BufferBytes = 64 * 1024;

    public Traffic(ImpairmentPlan plan, AddressFamily family = AddressFamily.InterNetwork, StreamBounds? bounds = null)
    {
        Bounds = bounds;
        plan = bounds is null ? plan : plan.ForStreams;
        int headers = (family == AddressFamily.InterNetworkV6 ? IPv6HeaderBytes : IPv4HeaderBytes) + (bounds is null ? UdpHeaderBytes : TcpHeaderBytes);
        int seed = plan.Seed ?? Random.Shared.Next();
        DelayQueue = new DelayQueue(new StallSchedule(plan.Stall));
        ToServer = new Direction(this, plan, seed, headers);
        ToClients = new Direction(this, plan with { Reorder = 0 }, PathDelay.SeedOfReturn(seed), headers);
    }

    public StreamBounds? Bounds { get; }

    public ChunkPool Pool { get; } = new();

    public DelayQueue DelayQueue { get; }

    public ReorderBuffer ReorderBuffer { get; } = new();

    public Direction ToServer { get; }

    public Direction ToClients { get; }

    /// <summary>The receive buffer. Its content is valid during one call only.</summary>
    public byte[] Buffer { get; } = new byte[BufferBytes];

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
}
