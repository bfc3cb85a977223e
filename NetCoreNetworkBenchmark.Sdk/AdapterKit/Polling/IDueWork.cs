namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Work that a <see cref="PollLoop"/> does at exact times, on its thread. Work with many due times keeps them in its own queue.</summary>
public interface IDueWork
{
    /// <summary>The due time by the run's clock; <see cref="long.MaxValue"/> if nothing is due. Read before every wait, so it returns a known value.</summary>
    long NextDue { get; }

    /// <summary>
    /// Does a bounded part of the work that is due. The rest stays due: the loop polls its sockets before it continues. It is never called before
    /// <see cref="NextDue"/>.
    /// </summary>
    void OnDue(long now);
}
