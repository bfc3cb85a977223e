namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Work that a <see cref="PollLoop"/> does at exact times, on its thread. Work with many due times keeps them in its own queue.</summary>
public interface IDueWork
{
    /// <summary>The due time by the run's clock; <see cref="long.MaxValue"/> if nothing is due. Read before every wait, so it returns a known value.</summary>
    long NextDue { get; }

    /// <summary>
    /// Does the work that is due, but only as much of it as the sockets of the loop can wait for. The rest stays due, and the loop continues it after it has
    /// looked at the sockets. It is never called before <see cref="NextDue"/>.
    /// </summary>
    void OnDue(long now);
}
