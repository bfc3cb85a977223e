using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Microbenchmarks.Memory;

/// <summary>One end of a client's connection. Its messages go into the queue of the other side.</summary>
internal sealed class MemoryPeer(MemoryClientGroup group, int client, MessageQueue outgoing) : IPeer, IPacedClient
{
    public bool IsClosed { get; set; }

    public object? State { get; set; }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (IsClosed)
        {
            return false;
        }

        outgoing.Enqueue(client, message);
        return true;
    }

    public void Due(long due) => group.Due(this, due);

    public void Close() => group.Close(client);
}
