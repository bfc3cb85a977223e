namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>
/// The turns of a server on a <see cref="PollLoop"/> whose peers send unasked. While any peer is in line the loop looks at its sockets without
/// waiting between the turns; nobody in line costs nothing.
/// </summary>
public sealed class LoopTurns : IDueWork
{
    private readonly PollLoop _loop;
    private readonly Action _flush;
    private readonly Action _begin;

    /// <summary>Makes the turns of one server.</summary>
    /// <param name="loop">The server's loop.</param>
    /// <param name="handler">Whom to call.</param>
    /// <param name="flush">Sends what the calls have left to be sent.</param>
    public LoopTurns(PollLoop loop, IServerHandler handler, Action flush)
    {
        _loop = loop;
        _flush = flush;
        _begin = Begin;
        Turns = new SendTurns(handler, () => loop.Post(_begin));
    }

    /// <summary>The turns, for the peers.</summary>
    public SendTurns Turns { get; }

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
        bool more = Turns.Run(_loop.Worker);
        _flush();
        return more;
    }
}
