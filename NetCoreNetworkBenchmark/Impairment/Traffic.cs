using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Both directions, and what they share: the buffers, the stalls and the queue of what is to leave.</summary>
internal sealed class Traffic
{
    /// <summary>Makes it, switched off.</summary>
    /// <param name="plan">What happens on the way.</param>
    /// <param name="family">The family of the addresses at both ends.</param>
    public Traffic(ImpairmentPlan plan, AddressFamily family = AddressFamily.InterNetwork)
    {
        int ipHeader = IPHeader.BytesOf(family);
        var pool = new ParcelPool<Datagram>(capacity => new Datagram(capacity));
        Departures = new Departures<Datagram>(new StallSchedule(plan.Stall), datagram => Send(datagram, pool));
        Holds = new Holds { GiveUp = (datagram, now) => ToServer!.Leave(datagram, now) };
        ToServer = new Direction(plan, plan.Seed, ipHeader, pool, Departures, Holds);
        ToClients = new Direction(plan with { Reorder = 0 }, Way.SeedOfReturn(plan.Seed), ipHeader, pool, Departures, Holds);
    }

    public Departures<Datagram> Departures { get; }

    public Holds Holds { get; }

    public Direction ToServer { get; }

    public Direction ToClients { get; }

    public void Begin(long now)
    {
        Holds.End(now);
        Departures.Stalls.Begin(now);
        ToServer.Begin();
        ToClients.Begin();
    }

    public void End(long now)
    {
        Holds.End(now);
        Departures.EndStall(now);
        ToServer.End();
        ToClients.End();
    }

    private static void Send(Datagram datagram, ParcelPool<Datagram> pool)
    {
        bool taken = datagram.Flow.Send(datagram.Bytes);
        if (datagram.Counter is { } counter)
        {
            counter.Forwarded += taken ? 1 : 0;
            counter.Overflowed += taken ? 0 : 1;
        }

        pool.Return(datagram);
    }
}
