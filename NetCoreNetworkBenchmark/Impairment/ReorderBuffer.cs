using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Chunks that wait until the next chunk of their client overtakes them: one per client, for a short time.</summary>
internal sealed class ReorderBuffer : IDueWork
{
    private const int MostPerCall = 64;
    private static readonly long s_longest = Stopwatch.Frequency / 100;
    private readonly Queue<(Flow Flow, long Until)> _waiting = new();

    public long NextDue => _waiting.TryPeek(out (Flow Flow, long Until) first) ? first.Until : long.MaxValue;

    /// <summary>Holds a chunk, unless another chunk of its client already waits.</summary>
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
        for (int call = 0; call < MostPerCall && NextDue <= now; call++)
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
