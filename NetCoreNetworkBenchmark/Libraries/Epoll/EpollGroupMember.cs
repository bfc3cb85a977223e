namespace NetCoreNetworkBenchmark.Libraries.Epoll;

internal sealed class EpollGroupMember(EpollClient client, Socket socket, ThreadMemory thread) : EpollSocket(socket, thread)
{
    /// <summary>Closes the socket, unless the loop has already closed it.</summary>
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
}
