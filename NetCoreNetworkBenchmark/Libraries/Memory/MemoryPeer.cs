using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.Memory;

/// <summary>One end of a connection: sends into the queue of the other side.</summary>
internal sealed class MemoryPeer(MessageQueue outgoing, Action<MemoryPeer> close) : IPeer
{
    /// <summary>The peer object of the other side, which gets what this one sends.</summary>
    public MemoryPeer? Other { get; set; }

    public bool IsClosed { get; set; }

    public object? State { get; set; }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (IsClosed)
        {
            return false;
        }

        outgoing.Enqueue(Other!, message);
        return true;
    }

    public void Close() => close(this);
}
