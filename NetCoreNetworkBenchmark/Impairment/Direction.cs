namespace NetCoreNetworkBenchmark.Impairment;

// Everything is decided when a chunk arrives; from then on it only has a time at which it leaves.
internal sealed class Direction(Traffic traffic, ImpairmentPlan plan, int seed, int headerBytes)
{
    private readonly PathDelay _path = new(plan, seed, headerBytes);

    // A line carries the segments of a stream, so that the first one does not wait for the last one. They fill Ethernet packets.
    private readonly int _maxBytes =
        traffic.Bounds is not null && plan.BandwidthBitsPerSecond is not null ? DatagramPackets.Mtu - headerBytes : int.MaxValue;

    private readonly List<StreamFlow> _paused = [];
    private Counter _counter = new();
    private ImpairmentSampler? _sampler;

    // Bytes whose time to leave has not come, and with them those that their targets have not accepted yet.
    private long _delayedBytes;
    private long _queuedBytes;

    public StreamBounds? Bounds => traffic.Bounds;
    public bool IsFull => _delayedBytes >= traffic.Bounds!.Direction;

    public void Begin()
    {
        (_counter, _sampler) = (new Counter(), new ImpairmentSampler(plan, seed));
        _path.RestartJitter();
    }

    public void End() => _sampler = null;

    public RelayDirectionCounts Count(long? missed) => _counter.ToCounts(missed, areStreams: traffic.Bounds is not null);

    public void Arrive(Flow flow, ReadOnlySpan<byte> bytes, long now)
    {
        do
        {
            int length = Math.Min(_maxBytes, bytes.Length);
            Sample(flow, bytes[..length], now);
            bytes = bytes[length..];
        }
        while (!bytes.IsEmpty);
    }

    public void Finish(Flow flow, long now)
    {
        Chunk end = traffic.Pool.Rent(flow, null, [], now);
        end.IsEnd = true;
        TrySchedule(end, now);
    }

    // True if the chunk will leave.
    public bool Schedule(Chunk chunk, long now)
    {
        Counter? counter = chunk.Counter;
        Chunk? copy = chunk.Copy;
        int corrupted = chunk.IsCorrupted ? 1 : 0;
        bool leaves = TrySchedule(chunk, now);
        bool copyLeaves = copy is not null && TrySchedule(copy, now);
        if (counter is not null)
        {
            counter.Overflowed += leaves ? 0 : 1;
            counter.Corrupted += leaves ? corrupted : 0;
            counter.Duplicated += copyLeaves ? 1 : 0;
        }

        return leaves;
    }

    public void Leave(Chunk chunk)
    {
        _delayedBytes -= chunk.Bytes.Length;
        if (_paused.Count > 0 && _delayedBytes <= traffic.Bounds!.Direction / 2)
        {
            _paused.ForEach(flow => flow.Resume());
            _paused.Clear();
        }

        chunk.Flow.Leave(chunk);
    }

    public void Pause(StreamFlow flow) => _paused.Add(flow);

    // The target has accepted or refused the chunk, or it was dropped because its connection broke.
    public void Release(Chunk chunk, bool isTaken)
    {
        _queuedBytes -= chunk.Bytes.Length;
        chunk.Flow.QueuedBytes -= chunk.Bytes.Length;
        if (chunk.Counter is { } counter)
        {
            counter.Forwarded += isTaken ? 1 : 0;
            counter.Overflowed += isTaken ? 0 : 1;
        }

        traffic.Pool.Return(chunk);
    }

    private void Sample(Flow flow, ReadOnlySpan<byte> bytes, long now)
    {
        if (_sampler is null)
        {
            Schedule(traffic.Pool.Rent(flow, null, bytes, now), now);
            return;
        }

        _counter.Received++;
        (int packets, int onWire) = traffic.Packets?.Of(bytes.Length) ?? default;
        _counter.WirePackets += packets;
        _counter.WireBytes += onWire;

        // Drawn within an outage too, so that the fate of what arrives after it does not depend on it.
        SampledImpairments sampled = _sampler.Next();
        if (sampled.IsLost || traffic.Outages.Covers(now))
        {
            _counter.Dropped++;
            return;
        }

        Chunk chunk = Impair(sampled, traffic.Pool.Rent(flow, _counter, bytes, now), bytes, now);
        if (!(sampled.IsReordered && traffic.ReorderBuffer.TryHold(chunk, now)))
        {
            Pass(chunk, now);
        }
    }

    // The copy is made before the corruption, so that one corruption is seen once.
    private Chunk Impair(SampledImpairments sampled, Chunk chunk, ReadOnlySpan<byte> bytes, long now)
    {
        chunk.Copy = sampled.IsDuplicated ? traffic.Pool.Rent(chunk.Flow, chunk.Counter, bytes, now) : null;
        if (sampled.IsCorrupted && !bytes.IsEmpty)
        {
            _sampler!.Corrupt(chunk.Bytes);
            chunk.IsCorrupted = true;
        }

        return chunk;
    }

    // A dropped chunk overtakes nothing: the held chunk waits for one that leaves.
    private void Pass(Chunk chunk, long now)
    {
        Flow flow = chunk.Flow;
        if (Schedule(chunk, now) && ReorderBuffer.Take(flow) is { } overtaken)
        {
            Counter counter = overtaken.Counter!;
            counter.Reordered += Schedule(overtaken, now) ? 1 : 0;
        }
    }

    // A line whose queue is full drops datagrams. The bounds keep the queue of streams short instead.
    private bool TrySchedule(Chunk chunk, long now)
    {
        if (traffic.Bounds is null && _path.IsFullAt(now))
        {
            traffic.Pool.Return(chunk);
            return false;
        }

        Flow flow = chunk.Flow;
        int bytes = chunk.Bytes.Length;
        flow.LastLeave = _path.Pass(bytes, chunk.Arrived, now, flow.LastLeave);
        flow.QueuedBytes += bytes;
        _queuedBytes += bytes;
        _delayedBytes += bytes;
        traffic.DelayQueue.Add(chunk, flow.LastLeave);
        if (chunk.Counter is { } counter)
        {
            counter.Bytes += bytes;
            counter.DelayedBytes += traffic.DelayQueue.Stalls.FreeAt(flow.LastLeave) > chunk.Arrived ? bytes : 0;
            counter.LongestQueue = Math.Max(counter.LongestQueue, _queuedBytes);
        }

        return true;
    }
}

/// <summary>The chunks of one client leave in the order in which they arrived.</summary>
internal abstract class Flow(Direction direction)
{
    public Direction Direction => direction;
    public long LastLeave { get; set; }

    public long QueuedBytes { get; set; }

    /// <summary>The chunk that waits for the next one to overtake it.</summary>
    public Chunk? Held { get; set; }

    public long HeldUntil { get; set; }

    public void Arrive(ReadOnlySpan<byte> bytes, long now) => direction.Arrive(this, bytes, now);

    // The flow releases the chunk when the target has accepted or refused it.
    public abstract void Leave(Chunk chunk);
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
