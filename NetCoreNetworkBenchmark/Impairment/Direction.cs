namespace NetCoreNetworkBenchmark.Impairment;

// Everything is decided when a chunk arrives; from then on it only has a time at which it leaves.
internal sealed class Direction(Traffic traffic, ImpairmentPlan plan, int seed, int headerBytes)
{
    private const int EthernetBytes = 1500;
    private readonly PathDelay _path = new(plan, seed, headerBytes);

    // A line carries the segments of a stream, so that the first one does not wait for the last one. They fill Ethernet packets.
    private readonly int _mostBytes =
        traffic.Bounds is not null && plan.BandwidthBitsPerSecond is not null ? EthernetBytes - headerBytes : int.MaxValue;

    private readonly List<StreamFlow> _heldBack = [];
    private Counter _counter = new();
    private ImpairmentSampler? _sampler;
    private long _underWay;
    private long _kept;

    public StreamBounds? Bounds => traffic.Bounds;

    public bool IsFull => _underWay >= traffic.Bounds!.Direction;

    public void Begin() => (_counter, _sampler) = (new Counter(), new ImpairmentSampler(plan, seed));

    public void End() => _sampler = null;

    public RelayDirectionCounts Count(long? missed) => _counter.ToCounts(missed, areStreams: traffic.Bounds is not null);

    public void Arrive(Flow flow, ReadOnlySpan<byte> bytes, long now)
    {
        do
        {
            int length = Math.Min(_mostBytes, bytes.Length);
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
        _underWay -= chunk.Bytes.Length;
        if (_heldBack.Count > 0 && _underWay <= traffic.Bounds!.Direction / 2)
        {
            _heldBack.ForEach(flow => flow.LetGo());
            _heldBack.Clear();
        }

        chunk.Flow.Leave(chunk);
    }

    public void HoldBack(StreamFlow flow) => _heldBack.Add(flow);

    // The target has accepted or refused the chunk, or it was dropped because its connection broke.
    public void Release(Chunk chunk, bool isTaken)
    {
        _kept -= chunk.Bytes.Length;
        chunk.Flow.Kept -= chunk.Bytes.Length;
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
        SampledImpairments sampled = _sampler.Next();
        if (sampled.IsLost)
        {
            _counter.Dropped++;
            return;
        }

        Chunk chunk = Suffer(sampled, traffic.Pool.Rent(flow, _counter, bytes, now), bytes, now);
        if (!(sampled.IsReordered && traffic.ReorderBuffer.TryHold(chunk, now)))
        {
            Pass(chunk, now);
        }
    }

    // The copy is made before the corruption, so that one corruption is seen once.
    private Chunk Suffer(SampledImpairments sampled, Chunk chunk, ReadOnlySpan<byte> bytes, long now)
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
        flow.Kept += bytes;
        _kept += bytes;
        _underWay += bytes;
        traffic.DelayQueue.Add(chunk, flow.LastLeave);
        if (chunk.Counter is { } counter)
        {
            counter.Bytes += bytes;
            counter.DelayedBytes += traffic.DelayQueue.Stalls.FreeAt(flow.LastLeave) > chunk.Arrived ? bytes : 0;
            counter.LongestQueue = Math.Max(counter.LongestQueue, _kept);
        }

        return true;
    }
}
