using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// What all connections share in one direction: the line, the counts, and the bound of what is under way. Everything is decided when a
/// chunk comes; from then on it only has a time to leave.
/// </summary>
/// <param name="plan">What happens on the way.</param>
/// <param name="seed">The seed of the direction's chances.</param>
/// <param name="ipHeaderBytes">Bytes of IP's header, which a line carries for each segment.</param>
/// <param name="bounds">How much is kept.</param>
/// <param name="pool">Buffers of chunks.</param>
/// <param name="departures">What is to leave, by its time.</param>
internal sealed class StreamDirection(ImpairmentPlan plan, int seed, int ipHeaderBytes, StreamBounds bounds, ParcelPool<Chunk> pool, Departures<Chunk> departures)
{
    private const int EthernetBytes = 1500;

    // RFC 9293, without options.
    private const int TcpHeaderBytes = 20;

    // What the headers leave of an Ethernet packet for the stream.
    private readonly int _segmentBytes = EthernetBytes - ipHeaderBytes - TcpHeaderBytes;
    private readonly Way _way = new(plan, seed, ipHeaderBytes + TcpHeaderBytes);
    private readonly List<StreamFlow> _heldBack = [];
    private StreamCounter _counter = new();
    private bool _isCounting;
    private long _underWay;
    private long _kept;

    public StreamBounds Bounds => bounds;

    /// <summary>Whether so much is under way that nothing more should be read.</summary>
    public bool IsFull => _underWay >= bounds.Direction;

    public void Begin() => (_counter, _isCounting) = (new StreamCounter(), true);

    public void End() => _isCounting = false;

    public RelayDirectionCounts Count() => _counter.ToCounts();

    /// <summary>Bytes have been read.</summary>
    public void Arrive(StreamFlow flow, ReadOnlySpan<byte> bytes, long now)
    {
        // A line carries segments, so that the first of them does not wait for the last.
        int most = _way.HasLine ? _segmentBytes : bytes.Length;
        while (!bytes.IsEmpty)
        {
            int length = Math.Min(most, bytes.Length);
            Schedule(flow, bytes[..length], now, isEnd: false);
            bytes = bytes[length..];
        }
    }

    /// <summary>The stream has ended.</summary>
    public void Finish(StreamFlow flow, long now) => Schedule(flow, [], now, isEnd: true);

    /// <summary>Remembers a flow that is not read until there is room again.</summary>
    public void HoldBack(StreamFlow flow) => _heldBack.Add(flow);

    /// <summary>The time of a chunk has come; now its other end only has to take it.</summary>
    public void Leave(Chunk chunk)
    {
        _underWay -= chunk.Bytes.Length;
        if (_heldBack.Count > 0 && _underWay <= bounds.Direction / 2)
        {
            _heldBack.ForEach(flow => flow.LetGo());
            _heldBack.Clear();
        }
    }

    /// <summary>A chunk has been taken, or dropped because its connection broke.</summary>
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
        flow.LastLeave = _way.Pass(bytes.Length, now, now, flow.LastLeave);
        departures.Add(chunk, flow.LastLeave);
        if (counter is not null)
        {
            counter.Received++;
            counter.Bytes += bytes.Length;
            counter.DelayedBytes += departures.Stalls.FreeAt(flow.LastLeave) > now ? bytes.Length : 0;
            counter.LongestQueue = Math.Max(counter.LongestQueue, _kept);
        }
    }
}
