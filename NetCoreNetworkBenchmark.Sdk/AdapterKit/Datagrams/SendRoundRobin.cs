using System.Collections.Concurrent;

namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// The order of the server push of the peers of a datagram server, which gets no signal that it sends too fast. Each peer may send a few messages, then the
/// server looks for incoming ones, then the next peers have their turn. A peer that enters an empty queue, from any thread, requests a call of
/// <see cref="Run"/> outside a call of the handler.
/// </summary>
public sealed class SendRoundRobin(IServerHandler handler, Action schedule)
{
    /// <summary>The messages of one turn: many in comparison to one look at the socket, and few enough that new clients do not wait.</summary>
    public const int Budget = 64;

    private const int MostPeersPerRun = 16;

    private readonly ConcurrentQueue<DatagramPeer> _line = new();
    private int _scheduled;

    /// <summary>Whether <see cref="Run"/> must be called. From any thread.</summary>
    public bool AreDue => Volatile.Read(ref _scheduled) != 0;

    /// <summary>
    /// Gives some of the queued peers their turn, on the thread that makes their calls. Returns true if it must be called again, after a look at the socket;
    /// otherwise, the next call will be requested.
    /// </summary>
    public bool Run(WorkerStatistics worker)
    {
        for (int count = Math.Min(_line.Count, MostPeersPerRun); count > 0 && _line.TryDequeue(out DatagramPeer? peer); count--)
        {
            peer.TakeTurn(handler, worker);
        }

        if (_line.IsEmpty)
        {
            Volatile.Write(ref _scheduled, 0);

            // A peer that entered the queue before the write relied on this call.
            Interlocked.MemoryBarrier();
            return !_line.IsEmpty && Interlocked.Exchange(ref _scheduled, 1) == 0;
        }

        return true;
    }

    internal void Add(DatagramPeer peer)
    {
        _line.Enqueue(peer);
        if (Interlocked.Exchange(ref _scheduled, 1) == 0)
        {
            schedule();
        }
    }
}
