using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// State that all connections share in one direction: the line, the counts, and the bound of the bytes in flight. Everything is decided when a
/// chunk arrives; from then on the chunk only has a time at which it leaves.
/// </summary>
/// <param name="plan">The impairment plan.</param>
/// <param name="seed">The seed of the direction's random numbers.</param>
/// <param name="ipHeaderBytes">Bytes of the IP header, which a line carries for each segment.</param>
/// <param name="bounds">The bounds of the bytes that are kept.</param>
/// <param name="pool">The pool of chunk buffers.</param>
/// <param name="delayQueue">The chunks that are scheduled to leave, by time.</param>
internal sealed class StreamDirection(
    ImpairmentPlan plan, int seed, int ipHeaderBytes, StreamBounds bounds, PacketBufferPool<Chunk> pool, DelayQueue<Chunk> delayQueue)
{
    private const int EthernetBytes = 1500;

    // RFC 9293, without options.
    private const int TcpHeaderBytes = 20;

    // The part of an Ethernet packet that the headers leave for the stream.
    private readonly int _segmentBytes = EthernetBytes - ipHeaderBytes - TcpHeaderBytes;
    private readonly PathDelay _path = new(plan, seed, ipHeaderBytes + TcpHeaderBytes);
    private readonly List<StreamFlow> _heldBack = [];
    private StreamCounter _counter = new();
    private bool _isCounting;
    private long _underWay;
    private long _kept;

    public StreamBounds Bounds => bounds;

    /// <summary>Whether so many bytes are in flight that no more should be read.</summary>
    public bool IsFull => _underWay >= bounds.Direction;

    public void Begin() => (_counter, _isCounting) = (new StreamCounter(), true);

    public void End() => _isCounting = false;

    public RelayDirectionCounts Count() => _counter.ToCounts();

    /// <summary>Handles bytes that have been read.</summary>
    public void Arrive(StreamFlow flow, ReadOnlySpan<byte> bytes, long now)
    {
        // A line carries segments, so that the first segment does not wait for the last.
        int most = _path.IsBandwidthLimited ? _segmentBytes : bytes.Length;
        while (!bytes.IsEmpty)
        {
            int length = Math.Min(most, bytes.Length);
            Schedule(flow, bytes[..length], now, isEnd: false);
            bytes = bytes[length..];
        }
    }

    /// <summary>Handles the end of the stream.</summary>
    public void Finish(StreamFlow flow, long now) => Schedule(flow, [], now, isEnd: true);

    /// <summary>Adds a flow that is not read until there is room again.</summary>
    public void HoldBack(StreamFlow flow) => _heldBack.Add(flow);

    /// <summary>Handles a chunk whose time to leave has come. From now on it only has to be accepted by the other end.</summary>
    public void Leave(Chunk chunk)
    {
        _underWay -= chunk.Bytes.Length;
        if (_heldBack.Count > 0 && _underWay <= bounds.Direction / 2)
        {
            _heldBack.ForEach(flow => flow.LetGo());
            _heldBack.Clear();
        }
    }

    /// <summary>Handles a chunk that has been accepted, or dropped because its connection broke.</summary>
    public void Release(Chunk chunk, bool isTaken)
    {
        _kept -= chunk.Bytes.Length;
        if (chunk.Counter is { } counter)
        {
            counter.Forwarded += isTaken ? 1 : 0;
            counter.Overflowed += isTaken ? 0 : 1;
        }

        pool.Return(chunk);
    }

    private void Schedule(StreamFlow flow, ReadOnlySpan<byte> bytes, long now, bool isEnd)
    {
        StreamCounter? counter = _isCounting && !isEnd ? _counter : null;
        Chunk chunk = pool.Rent(bytes.Length);
        chunk.Fill(flow, counter, bytes, isEnd);
        _underWay += bytes.Length;
        _kept += bytes.Length;
        flow.LastLeave = _path.Pass(bytes.Length, now, now, flow.LastLeave);
        delayQueue.Add(chunk, flow.LastLeave);
        if (counter is not null)
        {
            counter.Received++;
            counter.Bytes += bytes.Length;
            counter.DelayedBytes += delayQueue.Stalls.FreeAt(flow.LastLeave) > now ? bytes.Length : 0;
            counter.LongestQueue = Math.Max(counter.LongestQueue, _kept);
        }
    }
}
