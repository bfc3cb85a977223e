namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// The additional peer of a server whose library has one call that sends to all clients (<see cref="LibraryInfo.BroadcastTransports"/>). It takes turns as
/// they do.
/// </summary>
public abstract class AllPeers(SendRoundRobin turns) : PushPeer(turns)
{
    /// <inheritdoc/>
    public sealed override bool IsGroup => true;

    /// <inheritdoc/>
    public abstract override int Receivers { get; }

    /// <inheritdoc/>
    public sealed override void Close() => throw new NotSupportedException("A group ends with its server.");
}
