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
        : this(
            bounds is null ? plan : plan.ForStreams,
            bounds,
            family == AddressFamily.InterNetworkV6 ? IPv6HeaderBytes : IPv4HeaderBytes,
            bounds is null ? UdpHeaderBytes : TcpHeaderBytes)
    {
    }

    private Traffic(ImpairmentPlan plan, StreamBounds? bounds, int ipHeaderBytes, int transportHeaderBytes)
    {
        Bounds = bounds;
        Packets = bounds is null ? new DatagramPackets(ipHeaderBytes, transportHeaderBytes) : null;
        int headers = ipHeaderBytes + transportHeaderBytes;
        DelayQueue = new DelayQueue(new InterruptionSchedule(plan.Stall));
        Outages = new InterruptionSchedule(plan.Outage);
        ToServer = new Direction(this, plan, plan.Seed, headers);
        ToClients = new Direction(this, plan.Directions[1] with { Reorder = 0 }, PathDelay.SeedOfReturn(plan.Seed), headers);
    }

    /// <summary>IP packets, which have their headers in their bytes.</summary>
    public static Traffic ForPackets(ImpairmentPlan plan) => new(plan, bounds: null, ipHeaderBytes: 0, transportHeaderBytes: 0);

    public StreamBounds? Bounds { get; }

    /// <summary>Null for streams, whose chunks are no packets.</summary>
    public DatagramPackets? Packets { get; }
    public ChunkPool Pool { get; } = new();
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

/// <summary>Chunks that wait until the next chunk of their client overtakes them: one per client, for a short time.</summary>
internal sealed class ReorderBuffer : IDueWork
{
    private const int MaxPerCall = 64;
    private static readonly long s_longest = Stopwatch.Frequency / 100;
    private readonly Queue<(Flow Flow, long Until)> _waiting = new();

    public long NextDue => _waiting.TryPeek(out (Flow Flow, long Until) first) ? first.Until : long.MaxValue;

    public bool TryHold(Chunk chunk, long now)
    {
        Flow flow = chunk.Flow;
        if (flow.Held is not null)
        {
            return false;
        }

        (flow.Held, flow.HeldUntil) = (chunk, now + s_longest);
        _waiting.Enqueue((flow, flow.HeldUntil));
        return true;
    }

    public static Chunk? Take(Flow flow)
    {
        Chunk? held = flow.Held;
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

    // A chunk that was not overtaken in time leaves. Its flow may already hold a later one.
    private void GiveUpFirst(long now)
    {
        (Flow flow, long until) = _waiting.Dequeue();
        if (flow.HeldUntil == until && Take(flow) is { } chunk)
        {
            flow.Direction.Schedule(chunk, now);
        }
    }
}

// The bytes of streams that the relay keeps before it stops reading: those of one connection and direction until the system accepts them, and those of all
// connections in one direction in flight. It reads again when half of them have gone.
internal sealed record StreamBounds(long Flow, long Direction)
{
    // Linux lets the window of a connection grow to 6 MiB (the default of net.ipv4.tcp_rmem). The sockets' own buffers are added to this bound.
    private const long LargestWindow = 4 * 1024 * 1024;
    private const long Smallest = 64 * 1024;
    private const long Largest = 256 * 1024 * 1024;

    public static StreamBounds For(ImpairmentPlan plan, int clients)
    {
        StreamBounds[] directions = [.. plan.Directions.Select(direction => ForDirection(direction, clients))];
        return new StreamBounds(directions.Max(bounds => bounds.Flow), directions.Max(bounds => bounds.Direction));
    }

    private static StreamBounds ForDirection(ImpairmentPlan plan, int clients)
    {
        long window = Math.Clamp(Largest / Math.Max(clients, 1), Smallest, LargestWindow);
        if (plan.BandwidthBitsPerSecond is not { } rate)
        {
            return new StreamBounds(window, Largest);
        }

        // Twice the bytes in flight on a full line, so that half of them still fill the line.
        double bytesPerSecond = rate / 8.0;
        double filling = 2 * bytesPerSecond * (plan.Delay + plan.Jitter).TotalSeconds;
        double queue = bytesPerSecond * PathDelay.SecondsOfQueue(plan);
        return new StreamBounds(
            (long)Math.Clamp(filling, window, Largest),
            (long)Math.Clamp(filling + queue, Smallest, Largest));
    }
}
