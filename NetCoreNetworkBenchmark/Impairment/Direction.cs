namespace NetCoreNetworkBenchmark.Impairment;

// Everything is decided when a packet arrives; from then on it only has a time at which it leaves.
internal sealed class Direction(Traffic traffic, ImpairmentPlan plan, int seed, int headerBytes)
{
    private readonly PathDelay _delay = new(plan, seed, headerBytes);

    private Counter _counter = new();
    private ImpairmentSampler? _sampler;

    public void Begin()
    {
        (_counter, _sampler) = (new Counter(), new ImpairmentSampler(plan, seed));
        _delay.RestartJitter();
    }

    public void End() => _sampler = null;

    public RelayDirectionCounts Count(long? missed) => _counter.ToCounts(missed);

    public void Arrive(Flow flow, ReadOnlySpan<byte> bytes, long now)
    {
        if (_sampler is null)
        {
            Schedule(traffic.Pool.Rent(flow, null, bytes, now), now);
            return;
        }

        _counter.Received++;
        (int packets, int onWire) = traffic.Packets.Of(bytes.Length);
        _counter.WirePackets += packets;
        _counter.WireBytes += onWire;

        // Drawn within an outage too, so that the fate of what arrives after it does not depend on it.
        SampledImpairments sampled = _sampler.Next();
        if (sampled.IsLost || traffic.Outages.Covers(now))
        {
            _counter.Dropped++;
            return;
        }

        Packet packet = Impair(sampled, traffic.Pool.Rent(flow, _counter, bytes, now), bytes, now);
        if (!(sampled.IsReordered && traffic.ReorderBuffer.TryHold(packet, now)))
        {
            Pass(packet, now);
        }
    }

    // True if the packet will leave.
    public bool Schedule(Packet packet, long now)
    {
        Counter? counter = packet.Counter;
        Packet? copy = packet.Copy;
        int corrupted = packet.IsCorrupted ? 1 : 0;
        bool leaves = TrySchedule(packet, now);
        bool copyLeaves = copy is not null && TrySchedule(copy, now);
        if (counter is not null)
        {
            counter.Overflowed += leaves ? 0 : 1;
            counter.Corrupted += leaves ? corrupted : 0;
            counter.Duplicated += copyLeaves ? 1 : 0;
        }

        return leaves;
    }

    // The target has accepted or refused the packet.
    public void Release(Packet packet, bool isTaken)
    {
        if (packet.Counter is { } counter)
        {
            counter.Forwarded += isTaken ? 1 : 0;
            counter.Overflowed += isTaken ? 0 : 1;
        }

        traffic.Pool.Return(packet);
    }

    // The copy is made before the corruption, so that one corruption is seen once.
    private Packet Impair(SampledImpairments sampled, Packet packet, ReadOnlySpan<byte> bytes, long now)
    {
        packet.Copy = sampled.IsDuplicated ? traffic.Pool.Rent(packet.Flow, packet.Counter, bytes, now) : null;
        if (sampled.IsCorrupted && !bytes.IsEmpty)
        {
            _sampler!.Corrupt(packet.Bytes);
            packet.IsCorrupted = true;
        }

        return packet;
    }

    // A dropped packet overtakes nothing: the held packet waits for one that leaves.
    private void Pass(Packet packet, long now)
    {
        Flow flow = packet.Flow;
        if (Schedule(packet, now) && ReorderBuffer.Take(flow) is { } overtaken)
        {
            Counter counter = overtaken.Counter!;
            counter.Reordered += Schedule(overtaken, now) ? 1 : 0;
        }
    }

    // A line whose queue is full drops the packet.
    private bool TrySchedule(Packet packet, long now)
    {
        if (_delay.IsFullAt(now))
        {
            traffic.Pool.Return(packet);
            return false;
        }

        Flow flow = packet.Flow;
        flow.LastLeave = _delay.Pass(packet.Bytes.Length, packet.Arrived, now, flow.LastLeave);
        traffic.DelayQueue.Add(packet, flow.LastLeave);
        return true;
    }
}

/// <summary>The packets of one client leave in the order in which they arrived.</summary>
internal abstract class Flow(Direction direction)
{
    public Direction Direction => direction;
    public long LastLeave { get; set; }

    /// <summary>The packet that waits for the next one to overtake it.</summary>
    public Packet? Held { get; set; }

    public long HeldUntil { get; set; }

    public void Arrive(ReadOnlySpan<byte> bytes, long now) => direction.Arrive(this, bytes, now);

    // The flow releases the packet when the target has accepted or refused it.
    public abstract void Leave(Packet packet);
}

internal readonly record struct SampledImpairments(bool IsLost, bool IsDuplicated, bool IsReordered, bool IsCorrupted);

// The n-th datagram of a direction always gets the same impairments.
internal sealed class ImpairmentSampler(ImpairmentPlan plan, int seed)
{
    private readonly Random _random = new(seed);

    // The chance that a burst of losses goes on with the next datagram, and that one begins (Gilbert 1960): its mean length and the share of losses follow.
    private readonly double _burstGoesOn = plan.LossBurst is { } mean ? 1 - (1 / mean) : plan.Loss;
    private readonly double _burstBegins = plan.LossBurst is { } mean && plan.Loss < 1 ? plan.Loss / (mean * (1 - plan.Loss)) : plan.Loss;
    private bool _isInBurst;

    // A number is drawn for every share, independent of the other results. But for bursts, the next datagram's impairments do not depend on this one's.
    public SampledImpairments Next()
    {
        _isInBurst = Draw(_isInBurst ? _burstGoesOn : _burstBegins, plan.Loss);
        return new(_isInBurst, Draw(plan.Duplicate, plan.Duplicate), Draw(plan.Reorder, plan.Reorder), Draw(plan.Corrupt, plan.Corrupt));
    }

    public void Corrupt(Span<byte> bytes) => bytes[_random.Next(bytes.Length)] ^= (byte)_random.Next(1, byte.MaxValue + 1);

    // Without the impairment no number is drawn.
    private bool Draw(double chance, double share) => share > 0 && _random.NextDouble() < chance;
}

// If the bandwidth is limited, packets occupy a line one after the other, and waiting packets form a queue; then the delay is added.
internal sealed class PathDelay(ImpairmentPlan plan, int seed, int headerBytes)
{
    // Any constants: the directions must not use the same random numbers, and the jitter of a datagram must not depend on whether it is lost.
    private const int OtherSeed = 0x5bd1e995;
    private const int JitterSeed = 0x2545f491;
    private const double DefaultQueueSeconds = 1;
    private const double MinDefaultQueueBits = 64 * 1024 * 8;
    private Random _jitter = new(seed ^ JitterSeed);
    private readonly double _delayTicks = plan.Delay.TotalSeconds * Stopwatch.Frequency;
    private readonly double _jitterTicks = plan.Jitter.TotalSeconds * Stopwatch.Frequency;

    // Null without a limit.
    private readonly double? _ticksPerBit = (double)Stopwatch.Frequency / plan.BandwidthBitsPerSecond;

    private readonly long _longestWait = (long)(Stopwatch.Frequency * SecondsOfQueue(plan));

    private long _lineIsFree;

    /// <summary>The capacity of the queue, as the seconds that the line needs to send it.</summary>
    public static double SecondsOfQueue(ImpairmentPlan plan) =>
        plan.Queue?.TotalSeconds ?? Math.Max(DefaultQueueSeconds, MinDefaultQueueBits / plan.BandwidthBitsPerSecond ?? 0);

    public static int SeedOfReturn(int seed) => seed ^ OtherSeed;

    public void RestartJitter() => _jitter = new Random(seed ^ JitterSeed);

    public bool IsFullAt(long now) => _lineIsFree - now > _longestWait;

    public long Pass(int bytes, long arrived, long now, long last)
    {
        if (_ticksPerBit is { } ticks)
        {
            arrived = _lineIsFree = Math.Max(now, _lineIsFree) + (long)Math.Ceiling((bytes + headerBytes) * 8 * ticks);
        }

        return Math.Max(arrived + DelayTicks(), last);
    }

    private long DelayTicks() => _jitterTicks == 0
        ? (long)_delayTicks
        : (long)Math.Max(0, _delayTicks + (((2 * _jitter.NextDouble()) - 1) * _jitterTicks));
}
