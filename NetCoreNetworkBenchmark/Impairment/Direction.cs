using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// State that all clients share in one direction: the line, the sampled impairments and the counts. Everything is decided when a datagram
/// arrives; from then on the datagram only has a time at which it leaves.
/// </summary>
/// <param name="plan">The impairment plan.</param>
/// <param name="seed">The seed of the direction's random numbers.</param>
/// <param name="ipHeaderBytes">Bytes of the IP header, which a line carries for each datagram.</param>
/// <param name="pool">The pool of datagram buffers.</param>
/// <param name="delayQueue">The datagrams that are scheduled to leave, by time.</param>
/// <param name="reorderBuffer">The datagrams that wait to change places with the next one.</param>
internal sealed class Direction(
    ImpairmentPlan plan, int seed, int ipHeaderBytes, PacketBufferPool<Datagram> pool, DelayQueue<Datagram> delayQueue, ReorderBuffer reorderBuffer)
{
    // RFC 768.
    private const int UdpHeaderBytes = 8;
    private readonly PathDelay _path = new(plan, seed, ipHeaderBytes + UdpHeaderBytes);
    private DirectionCounter _counter = new();
    private ImpairmentSampler? _sampler;

    public void Begin() => (_counter, _sampler) = (new DirectionCounter(), new ImpairmentSampler(plan, seed));

    public void End() => _sampler = null;

    public RelayDirectionCounts Count(long? missed) => _counter.ToCounts(missed);

    public void Arrive(Flow flow, ReadOnlySpan<byte> bytes, long now)
    {
        if (_sampler is null)
        {
            Leave(Fill(flow, null, bytes, now), now);
            return;
        }

        _counter.Received++;
        SampledImpairments sampled = _sampler.Next();
        if (sampled.IsLost)
        {
            _counter.Dropped++;
            return;
        }

        Datagram datagram = Suffer(sampled, Fill(flow, _counter, bytes, now), bytes, now);
        if (!(sampled.IsReordered && reorderBuffer.TryHold(datagram, now)))
        {
            Pass(datagram, now);
        }
    }

    /// <summary>Schedules a datagram and its copy, if it has one.</summary>
    /// <returns>True if the datagram will leave; otherwise, false.</returns>
    public bool Leave(Datagram datagram, long now)
    {
        DirectionCounter? counter = datagram.Counter;
        Datagram? copy = datagram.Copy;
        int corrupted = datagram.IsCorrupted ? 1 : 0;
        bool leaves = TrySchedule(datagram, now);
        bool copyLeaves = copy is not null && TrySchedule(copy, now);
        if (counter is not null)
        {
            counter.Overflowed += leaves ? 0 : 1;
            counter.Corrupted += leaves ? corrupted : 0;
            counter.Duplicated += copyLeaves ? 1 : 0;
        }

        return leaves;
    }

    // The copy is made before the corruption, so that one corruption is seen once.
    private Datagram Suffer(SampledImpairments sampled, Datagram datagram, ReadOnlySpan<byte> bytes, long now)
    {
        datagram.Copy = sampled.IsDuplicated ? Fill(datagram.Flow, datagram.Counter, bytes, now) : null;
        if (sampled.IsCorrupted && !bytes.IsEmpty)
        {
            _sampler!.Corrupt(datagram.Bytes);
            datagram.IsCorrupted = true;
        }

        return datagram;
    }

    // A dropped datagram overtakes nothing: the held datagram waits for one that leaves.
    private void Pass(Datagram datagram, long now)
    {
        Flow flow = datagram.Flow;
        if (Leave(datagram, now) && ReorderBuffer.Take(flow) is { } overtaken)
        {
            DirectionCounter counter = overtaken.Counter!;
            counter.Reordered += Leave(overtaken, now) ? 1 : 0;
        }
    }

    private bool TrySchedule(Datagram datagram, long now)
    {
        if (_path.IsFullAt(now))
        {
            pool.Return(datagram);
            return false;
        }

        Flow flow = datagram.Flow;
        flow.LastLeave = _path.Pass(datagram.Bytes.Length, datagram.Arrived, now, flow.LastLeave);
        delayQueue.Add(datagram, flow.LastLeave);
        return true;
    }

    private Datagram Fill(Flow flow, DirectionCounter? counter, ReadOnlySpan<byte> bytes, long now)
    {
        Datagram datagram = pool.Rent(bytes.Length);
        datagram.Fill(flow, counter, bytes, now);
        return datagram;
    }
}
