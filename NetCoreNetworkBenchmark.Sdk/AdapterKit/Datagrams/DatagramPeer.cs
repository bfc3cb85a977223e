namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>A peer of a datagram server with server push.</summary>
public abstract class DatagramPeer(SendRoundRobin turns) : PushPeer(turns)
{
    private bool _wasActive = true;

    internal Action? Forgotten { get; set; }

    /// <inheritdoc/>
    public override void Close()
    {
        Send(DatagramHandshake.Bye);
        Forget();
    }

    internal void Forget()
    {
        if (Forgotten is { } forgotten)
        {
            Forgotten = null;
            EndTurns();
            forgotten();
        }
    }

    // Whether a message was sent to the peer since the last call, as an answer or by push.
    internal bool TakeActivity()
    {
        bool had = _wasActive;
        _wasActive = false;
        return had;
    }

    /// <summary>Counts a message towards the turn, whether or not the system accepts it.</summary>
    protected void CountSend()
    {
        CountInTurn();
        _wasActive = true;
    }
}
