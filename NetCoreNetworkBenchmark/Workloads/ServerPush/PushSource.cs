namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

/// <summary>The messages of one stream of a server that pushes. Calls for one stream are serial.</summary>
internal abstract class PushSource
{
    /// <summary>Whether a message has room for a <see cref="PushTag"/>, which the stream writes.</summary>
    public virtual bool IsTagged => true;

    /// <summary>The number of messages that are due at the same time.</summary>
    public virtual int MessagesPerTurn => 1;

    /// <summary>Called when the stream begins.</summary>
    public virtual void Begin()
    {
        // Most streams are the same from any moment on.
    }

    /// <summary>Sends what <see cref="IPeer.SendReliable"/> delivers beside the stream: before a turn, and before the end of the stream.</summary>
    /// <returns>False if the library did not accept all of it. The call is repeated.</returns>
    public virtual bool TrySendReliable(IPeer peer, uint client) => true;

    /// <summary>Returns a message of a turn, by its number from 0. The stream sends it before the next call on the same thread.</summary>
    public abstract Span<byte> MessageOf(int number, WorkerStatistics worker);

    /// <summary>Creates a message with any content, for the end of a stream.</summary>
    public abstract byte[] CreateMessage();

    /// <summary>Takes a message of the client that is no <see cref="PushRequest"/>.</summary>
    public virtual void OnMessage(ReadOnlySpan<byte> message)
    {
        // Most clients send requests only.
    }
}
