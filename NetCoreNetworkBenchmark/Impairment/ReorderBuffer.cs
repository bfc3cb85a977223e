using System.Diagnostics;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Datagrams that wait until the next datagram of their client overtakes them: one per client, for a short time.</summary>
internal sealed class ReorderBuffer : IDueWork
{
    private const int MostACall = 64;
    private static readonly long s_longest = Stopwatch.Frequency / 100;
    private readonly Queue<(Flow Flow, long Number, long Until)> _waiting = new();

    public long NextDue => _waiting.TryPeek(out (Flow Flow, long Number, long Until) first) ? first.Until : long.MaxValue;

    /// <summary>The handler for datagrams that were not overtaken in time.</summary>
    public required Action<Datagram, long> GiveUp { get; init; }

    /// <summary>Holds a datagram, unless another datagram of its client already waits.</summary>
    public bool TryHold(Datagram datagram, long now)
    {
        Flow flow = datagram.Flow;
        if (flow.Held is not null)
        {
            return false;
        }

        flow.Held = datagram;
        _waiting.Enqueue((flow, ++flow.HoldNumber, now + s_longest));
        return true;
    }

    /// <summary>Ends the wait of a client's datagram.</summary>
    public static Datagram? Take(Flow flow)
    {
        Datagram? held = flow.Held;
        flow.Held = null;
        return held;
    }

    public void OnDue(long now)
    {
        for (int call = 0; call < MostACall && NextDue <= now; call++)
        {
            GiveUpFirst(now);
        }
    }

    /// <summary>Ends every wait.</summary>
    public void End(long now)
    {
        while (_waiting.Count > 0)
        {
            GiveUpFirst(now);
        }
    }

    private void GiveUpFirst(long now)
    {
        (Flow flow, long number, _) = _waiting.Dequeue();
        if (flow.HoldNumber == number && Take(flow) is { } datagram)
        {
            GiveUp(datagram, now);
        }
    }
}
