using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// What all clients share in one direction: the line, the fates and the counts. Everything is decided when a datagram comes; from
/// then on it only has a time to leave.
/// </summary>
/// <param name="plan">What happens on the way.</param>
/// <param name="seed">The seed of the direction's chances.</param>
/// <param name="ipHeaderBytes">Bytes of IP's header, which a line carries for each datagram.</param>
/// <param name="pool">Buffers of datagrams.</param>
/// <param name="departures">What is to leave, by its time.</param>
/// <param name="holds">Datagrams that wait to change places with the next one.</param>
internal sealed class Direction(ImpairmentPlan plan, int seed, int ipHeaderBytes, ParcelPool<Datagram> pool, Departures<Datagram> departures, Holds holds)
{
    // RFC 768.
    private const int UdpHeaderBytes = 8;
    private readonly Way _way = new(plan, seed, ipHeaderBytes + UdpHeaderBytes);
    private DirectionCounter _counter = new();
    private Fates? _fates;

    public void Begin() => (_counter, _fates) = (new DirectionCounter(), new Fates(plan, seed));

    public void End() => _fates = null;

    public RelayDirectionCounts Count(long? missed) => _counter.ToCounts(missed);

    public void Arrive(Flow flow, ReadOnlySpan<byte> bytes, long now)
    {
        if (_fates is null)
        {
            Leave(Fill(flow, null, bytes, now), now);
            return;
        }

        _counter.Received++;
        Fate fate = _fates.Next();
        if (fate.IsLost)
        {
            _counter.Dropped++;
            return;
        }

        Datagram datagram = Suffer(fate, Fill(flow, _counter, bytes, now), bytes, now);
        if (!(fate.IsReordered && holds.TryHold(datagram, now)))
        {
            Pass(datagram, now);
        }
    }

    /// <summary>Sends a datagram on its way, and with it its copy.</summary>
    /// <returns>Whether it will leave.</returns>
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

    // The copy is made before the change, so that one change is seen once.
    private Datagram Suffer(Fate fate, Datagram datagram, ReadOnlySpan<byte> bytes, long now)
    {
        datagram.Copy = fate.IsDuplicated ? Fill(datagram.Flow, datagram.Counter, bytes, now) : null;
        if (fate.IsCorrupted && !bytes.IsEmpty)
        {
            _fates!.Corrupt(datagram.Bytes);
            datagram.IsCorrupted = true;
        }

        return datagram;
    }

    // What is dropped overtakes nothing: the held datagram waits for one that leaves.
    private void Pass(Datagram datagram, long now)
    {
        Flow flow = datagram.Flow;
        if (Leave(datagram, now) && Holds.Take(flow) is { } overtaken)
        {
            DirectionCounter counter = overtaken.Counter!;
            counter.Reordered += Leave(overtaken, now) ? 1 : 0;
        }
    }

    private bool TrySchedule(Datagram datagram, long now)
    {
        if (_way.IsFullAt(now))
        {
            pool.Return(datagram);
            return false;
        }

        Flow flow = datagram.Flow;
        flow.LastLeave = _way.Pass(datagram.Bytes.Length, datagram.Arrived, now, flow.LastLeave);
        departures.Add(datagram, flow.LastLeave);
        return true;
    }

    private Datagram Fill(Flow flow, DirectionCounter? counter, ReadOnlySpan<byte> bytes, long now)
    {
        Datagram datagram = pool.Rent(bytes.Length);
        datagram.Fill(flow, counter, bytes, now);
        return datagram;
    }
}
