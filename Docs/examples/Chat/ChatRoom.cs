using System.Collections.Concurrent;
using System.Text;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace Chat;

/// <summary>The server's side: what one guest says goes to all. It does not know whether it runs over TCP or TLS.</summary>
internal sealed class ChatRoom : IServerHandler
{
    private readonly ConcurrentDictionary<IPeer, ConcurrentQueue<byte[]>> _guests = new();

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        var inbox = new ConcurrentQueue<byte[]>();
        peer.State = inbox;
        _guests[peer] = inbox;
        Say($"A guest has come; there are {_guests.Count}.");
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => Say(Encoding.UTF8.GetString(message));

    public void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        var inbox = (ConcurrentQueue<byte[]>)peer.State!;
        while (!peer.IsCongested && inbox.TryDequeue(out byte[]? line))
        {
            peer.Send(line);
        }
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        _guests.TryRemove(peer, out _);
        Say($"A guest has gone; there are {_guests.Count}.");
    }

    // A handler sends only within a call for the same peer. So a line for somebody else is left in that guest's inbox, and Wake asks for a call.
    private void Say(string line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line);
        foreach ((IPeer guest, ConcurrentQueue<byte[]> inbox) in _guests)
        {
            inbox.Enqueue(bytes);
            guest.Wake();
        }
    }
}
