using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// Work that a <see cref="PollLoop"/> does at exact times, on its thread. Before every wait the loop reads the due time of each piece of work. Work
/// with many due times keeps them in its own queue.
/// </summary>
public interface IDueWork
{
    /// <summary>
    /// The time at which the work is due, by the run's clock (<see cref="RunRecorder.Clock"/>); <see cref="long.MaxValue"/> if nothing is due. It is
    /// read often, so it only returns a known value.
    /// </summary>
    long NextDue { get; }

    /// <summary>
    /// Does the work that is due, but only as much of it as the sockets of the loop can wait for. The rest stays due, and the loop continues it after
    /// it has looked at the sockets.
    /// </summary>
    /// <param name="now">The latest reading of the clock; never before <see cref="NextDue"/>.</param>
    void OnDue(long now);
}
