using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>A client's second socket, for what comes to the multicast group. Nothing is ever sent by it.</summary>
internal sealed class EpollGroupMember(EpollClient client, Socket socket, ThreadMemory thread) : EpollSocket(socket, thread)
{
    public override void OnTick()
    {
        // The client's own socket has the tick.
    }

    /// <summary>Ends it, where the loop has not.</summary>
    public void Leave()
    {
        if (!IsClosed)
        {
            Loop.Remove(this);
            Dispose();
        }
    }

    protected override void OnElement(ref readonly SocketName sender, ReadOnlySpan<byte> bytes, int segmentSize)
    {
        for (int start = 0; start < bytes.Length && !IsClosed; start += segmentSize)
        {
            client.OnGroupMessage(bytes.Slice(start, Math.Min(segmentSize, bytes.Length - start)));
        }
    }

    protected override void SayGoodbye()
    {
        // The client's own socket does.
    }
}
