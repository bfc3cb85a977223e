namespace NetCoreNetworkBenchmark.Impairment;

internal sealed class Traffic
{
    // RFC 791, without options; RFC 8200, without extensions; RFC 768.
    private const int IPv4HeaderBytes = 20;
    private const int IPv6HeaderBytes = 40;
    private const int UdpHeaderBytes = 8;

    // The largest datagram is smaller.
    private const int BufferBytes = 64 * 1024;

    public Traffic(ImpairmentPlan plan, AddressFamily family = AddressFamily.InterNetwork)
        : this(plan, new DatagramPackets(family == AddressFamily.InterNetworkV6 ? IPv6HeaderBytes : IPv4HeaderBytes, UdpHeaderBytes))
    {
    }

    private Traffic(ImpairmentPlan plan, DatagramPackets packets)
    {
        Packets = packets;
        DelayQueue = new DelayQueue(new InterruptionSchedule(plan.Stall), plan.LateBound);
        Outages = new InterruptionSchedule(plan.Outage);
        ToServer = new Direction(this, plan, plan.Seed, packets.HeaderBytes);
        ToClients = new Direction(this, plan.Directions[1] with { Reorder = 0 }, PathDelay.SeedOfReturn(plan.Seed), packets.HeaderBytes);
    }

    /// <summary>IP packets, which have their headers in their bytes.</summary>
    public static Traffic ForPackets(ImpairmentPlan plan) => new(plan, new DatagramPackets(ipHeaderBytes: 0, udpHeaderBytes: 0));

    public DatagramPackets Packets { get; }
    public PacketPool Pool { get; } = new();
    public DelayQueue DelayQueue { get; }
    public InterruptionSchedule Outages { get; }
    public ReorderBuffer ReorderBuffer { get; } = new();
    public Direction ToServer { get; }
    public Direction ToClients { get; }

    /// <summary>Its content is valid during one call only.</summary>
    public byte[] Buffer { get; } = new byte[BufferBytes];

    public void Begin(long now)
    {
        ReorderBuffer.End(now);
        DelayQueue.Stalls.Begin(now);
        Outages.Begin(now);
        ToServer.Begin();
        ToClients.Begin();
    }

    public void End(long now)
    {
        ReorderBuffer.End(now);
        DelayQueue.EndStall(now);
        Outages.End(now);
        ToServer.End();
        ToClients.End();
    }
}

/// <summary>Packets that wait until the next packet of their client overtakes them: one per client, for a short time.</summary>
internal sealed class ReorderBuffer : IDueWork
{
    private const int MaxPerCall = 64;
    private static readonly long s_longest = Stopwatch.Frequency / 100;
    private readonly Queue<(Flow Flow, long Until)> _waiting = new();

    public long NextDue => _waiting.TryPeek(out (Flow Flow, long Until) first) ? first.Until : long.MaxValue;

    public bool TryHold(Packet packet, long now)
    {
        Flow flow = packet.Flow;
        if (flow.Held is not null)
        {
            return false;
        }

        (flow.Held, flow.HeldUntil) = (packet, now + s_longest);
        _waiting.Enqueue((flow, flow.HeldUntil));
        return true;
    }

    public static Packet? Take(Flow flow)
    {
        Packet? held = flow.Held;
        flow.Held = null;
        return held;
    }

    public void OnDue(long now)
    {
        for (int call = 0; call < MaxPerCall && NextDue <= now; call++)
        {
            GiveUpFirst(now);
        }
    }

    public void End(long now)
    {
        while (_waiting.Count > 0)
        {
            GiveUpFirst(now);
        }
    }

    // A packet that was not overtaken in time leaves. Its flow may already hold a later one.
    private void GiveUpFirst(long now)
    {
        (Flow flow, long until) = _waiting.Dequeue();
        if (flow.HeldUntil == until && Take(flow) is { } packet)
        {
            flow.Direction.Schedule(packet, now);
        }
    }
}
