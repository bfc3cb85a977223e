using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// The order in which the peers of a datagram server send unasked. Such a server gets no signal that it sends too fast. So each peer may send a few
/// messages, then the server looks for incoming ones, then the next peers have their turn. Peers enter the queue from any thread.
/// </summary>
/// <param name="handler">The handler that is called.</param>
/// <param name="schedule">
/// Ensures that the server's thread calls <see cref="Run"/> soon, and not within a call of the handler. Called by any thread when a peer enters an
/// empty queue.
/// </param>
public sealed class SendRoundRobin(IServerHandler handler, Action schedule)
{
    /// <summary>
    /// The number of messages that a peer sends in one turn: many in comparison to one look at the socket, and few enough that new clients do not
    /// wait.
    /// </summary>
    public const int Budget = 64;

    private const int MostPeersARun = 16;

    private readonly ConcurrentQueue<DatagramPeer> _line = new();
    private int _scheduled;

    /// <summary>Whether <see cref="Run"/> must be called. From any thread.</summary>
    public bool AreDue => Volatile.Read(ref _scheduled) != 0;

    /// <summary>Gives some of the queued peers their turn. On the thread that makes the calls for these peers, or in a way that is equivalent to it.</summary>
    /// <returns>True if the method must be called again, after a look at the socket; otherwise, the next call will be scheduled.</returns>
    public bool Run(WorkerStatistics worker)
    {
        for (int count = Math.Min(_line.Count, MostPeersARun); count > 0 && _line.TryDequeue(out DatagramPeer? peer); count--)
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

    /// <summary>Adds a peer to the queue. The peer must not be in a queue.</summary>
    internal void Add(DatagramPeer peer)
    {
        _line.Enqueue(peer);
        if (Interlocked.Exchange(ref _scheduled, 1) == 0)
        {
            schedule();
        }
    }
}
