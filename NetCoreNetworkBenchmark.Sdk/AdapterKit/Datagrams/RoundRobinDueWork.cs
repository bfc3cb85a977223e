using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// The send turns of a polled server with server push. While a peer is in the queue, the loop looks at its sockets between the turns without waiting. An empty
/// queue has no cost.
/// </summary>
public sealed class RoundRobinDueWork : IDueWork
{
    private readonly PollLoop _loop;
    private readonly Action _flush;
    private readonly Action _begin;

    // The number of peers that have their turn before the next flush, which may cost a library a visit of all peers.
    private int _untilFlush;

    /// <summary>
    /// Creates the turns of one server. The messages that the calls have left unsent are sent by <c>flush</c>, when all peers that waited have had their turn.
    /// </summary>
    public RoundRobinDueWork(PollLoop loop, IServerHandler handler, Action flush)
    {
        _loop = loop;
        _flush = flush;
        _begin = Begin;
        Turns = new SendRoundRobin(handler, () => loop.Post(_begin));
    }

    /// <summary>The turns, for the peers.</summary>
    public SendRoundRobin Turns { get; }

    /// <inheritdoc/>
    public long NextDue => 0;

    /// <inheritdoc/>
    public void OnDue(long now)
    {
        if (!Run())
        {
            _loop.Remove(this);
        }
    }

    private void Begin()
    {
        if (Run())
        {
            _loop.Add(this);
        }
    }

    private bool Run()
    {
        int waiting = Turns.Waiting;
        _untilFlush = _untilFlush > 0 ? _untilFlush : waiting;
        bool more = Turns.Run(_loop.Worker);
        _untilFlush -= Math.Min(waiting, SendRoundRobin.MaxPeersPerRun);
        if (!more || _untilFlush <= 0)
        {
            _untilFlush = 0;
            _flush();
        }

        return more;
    }
}
