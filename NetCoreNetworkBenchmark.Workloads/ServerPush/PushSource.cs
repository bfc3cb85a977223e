namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

/// <summary>Calls for one stream are serial.</summary>
internal abstract class PushSource
{
    /// <summary>Whether a message has room for a <see cref="PushTag"/>, which the stream writes.</summary>
    public virtual bool IsTagged => true;

    /// <summary>The number of messages that are due at the same time.</summary>
    public virtual int MessagesPerTurn => 1;

    public virtual void Begin()
    {
        // Most streams are the same from any moment on.
    }

    /// <summary>Called before a turn and before the end of the stream, and again if it returns false: the library did not accept all.</summary>
    public virtual bool TrySendReliable(IPeer peer, uint client) => true;

    /// <summary>Numbers begin with 0. The stream sends the message before the next call on the same thread.</summary>
    public abstract Span<byte> MessageOf(int number, WorkerStatistics worker);

    /// <summary>For the end of a stream, with any content.</summary>
    public abstract byte[] CreateMessage();

    /// <summary>Takes a message of the client that is no <see cref="PushRequest"/>.</summary>
    public virtual void OnMessage(ReadOnlySpan<byte> message)
    {
        // Most clients send requests only.
    }
}
