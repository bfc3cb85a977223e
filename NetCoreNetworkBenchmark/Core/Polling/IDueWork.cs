namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>
/// Work that a <see cref="PollLoop"/> does at exact times, on its thread. The loop asks each piece of work when it is due before
/// every wait, so one that has many times keeps them in a queue of its own.
/// </summary>
public interface IDueWork
{
    /// <summary>
    /// When there is something to do, by the run's clock (<see cref="RunRecorder.Clock"/>); <see cref="long.MaxValue"/>
    /// when nothing is. Read often, so it only returns what is known.
    /// </summary>
    long NextDue { get; }

    /// <summary>
    /// Does what is due, and no more of it than the sockets of the loop can wait for: what is left stays due, and the loop comes back
    /// after it has looked at the sockets.
    /// </summary>
    /// <param name="now">The clock as it has just been read; never before <see cref="NextDue"/>.</param>
    void OnDue(long now);
}
