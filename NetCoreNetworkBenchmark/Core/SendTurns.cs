using System.Collections.Concurrent;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Whose turn it is to send unasked, at a server of datagrams. Nothing tells such a server that it sends too fast, so each peer may send a few
/// messages, then the server looks for incoming ones, then the next peers have their turn. Peers get in line from any thread.
/// </summary>
/// <param name="handler">Whom to call.</param>
/// <param name="schedule">
/// Sees to it that the server's thread calls <see cref="Run"/> soon, and not within a call of the handler. Called by any thread when a peer
/// gets in line and nobody was there.
/// </param>
public sealed class SendTurns(IServerHandler handler, Action schedule)
{
    /// <summary>Messages that a peer sends in one turn: many beside one look at the socket, and few enough that new clients do not wait.</summary>
    public const int Budget = 64;

    private const int MostPeersARun = 16;

    private readonly ConcurrentQueue<DatagramPeer> _line = new();
    private int _scheduled;

    /// <summary>Whether <see cref="Run"/> is to be called. From any thread.</summary>
    public bool AreDue => Volatile.Read(ref _scheduled) != 0;

    /// <summary>Gives some of those in line their turn. On the thread that makes the calls for these peers, or as if on it.</summary>
    /// <param name="worker">The statistics of the calling thread.</param>
    /// <returns>Whether it is to be called again, after a look at the socket; otherwise it will be scheduled.</returns>
    public bool Run(WorkerStatistics worker)
    {
        for (int count = Math.Min(_line.Count, MostPeersARun); count > 0 && _line.TryDequeue(out DatagramPeer? peer); count--)
        {
            peer.TakeTurn(handler, worker);
        }

        if (_line.IsEmpty)
        {
            Volatile.Write(ref _scheduled, 0);

            // Whoever got in line before the write relied on this call.
            Interlocked.MemoryBarrier();
            return !_line.IsEmpty && Interlocked.Exchange(ref _scheduled, 1) == 0;
        }

        return true;
    }

    /// <summary>Puts a peer in line that is in none.</summary>
    internal void Add(DatagramPeer peer)
    {
        _line.Enqueue(peer);
        if (Interlocked.Exchange(ref _scheduled, 1) == 0)
        {
            schedule();
        }
    }
}
