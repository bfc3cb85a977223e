using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>A stream's place in the schedule of the server.</summary>
/// <param name="Start">When the schedule began (<see cref="RunRecorder.Clock"/>).</param>
/// <param name="Slot">Its number among the clients, from 0.</param>
/// <param name="FirstRound">The first round whose message it sends.</param>
internal readonly record struct MulticastTurn(long Start, int Slot, long FirstRound);

/// <summary>
/// Wakes each peer when its next message is due, on a thread of its own: the schedule is that of an open loop's clients, kept at the server. What is
/// due is seen by the peer itself, so that a late call sends all of it.
/// </summary>
internal sealed class MulticastPacer : IDueWork, IAsyncDisposable
{
    // What is overdue is woken in portions, so that clients which come or go are seen in between.
    private const int MostATurn = 32;

    private readonly SendSchedule _schedule;
    private readonly TimeSpan _stopDeadline;
    private readonly TimeProvider _clock;
    private readonly long _start;
    private readonly PollLoop _loop;

    // Changed under the lock, read by the loop's thread at any time.
    private readonly Lock _changing = new();
    private readonly IPeer?[] _peers;
    private int _active;

    // Where the schedule is: the loop's thread alone.
    private long _round;
    private int _slot;

    /// <summary>Starts the thread.</summary>
    /// <param name="schedule">The schedule of all clients.</param>
    /// <param name="places">Peers that are woken by it: the clients, or one for all of them, which has the first client's turns.</param>
    /// <param name="recorder">Where faults go.</param>
    /// <param name="stopDeadline">How long the thread has to end.</param>
    public MulticastPacer(SendSchedule schedule, int places, RunRecorder recorder, TimeSpan stopDeadline)
    {
        _schedule = schedule;
        _stopDeadline = stopDeadline;
        _clock = recorder.Clock;
        _start = _clock.GetTimestamp();
        _peers = new IPeer?[places];
        _loop = new PollLoop("Multicast schedule", recorder, servesClients: false);
    }

    public long NextDue => Volatile.Read(ref _active) == 0 ? long.MaxValue : _schedule.DueAt(_start, _round, _slot);

    /// <summary>Gives a peer a place. From any thread.</summary>
    /// <returns>Its turn; null where all places are taken, as where more clients come than the plan says.</returns>
    public MulticastTurn? TryAdd(IPeer peer)
    {
        lock (_changing)
        {
            int slot = Array.IndexOf(_peers, null);
            if (slot < 0)
            {
                return null;
            }

            _peers[slot] = peer;
            if (++_active == 1)
            {
                _loop.Post(Resume);
            }

            return new MulticastTurn(_start, slot, RoundAt(_clock.GetTimestamp()) + 1);
        }
    }

    /// <summary>Takes a peer's place away. From any thread; one that has none does no harm.</summary>
    public void Remove(IPeer peer)
    {
        lock (_changing)
        {
            int slot = Array.IndexOf(_peers, peer);
            if (slot >= 0)
            {
                _peers[slot] = null;
                if (--_active == 0)
                {
                    _loop.Post(Rest);
                }
            }
        }
    }

    public void OnDue(long now)
    {
        for (int woken = 0; woken < MostATurn && _schedule.DueAt(_start, _round, _slot) <= now;)
        {
            if (Volatile.Read(ref _peers[_slot]) is { } peer)
            {
                peer.Wake();
                woken++;
            }

            if (++_slot == _peers.Length)
            {
                (_slot, _round) = (0, _round + 1);
            }
        }
    }

    public async ValueTask DisposeAsync() => await _loop.StopAsync(_stopDeadline).ConfigureAwait(false);

    private long RoundAt(long time) => (long)((time - _start) / (_schedule.DueAt(0, 1, 0) + 0.0));

    // What was due while nobody was there is passed over.
    private void Resume()
    {
        _round = Math.Max(_round, RoundAt(_clock.GetTimestamp()));
        _loop.Add(this);
    }

    private void Rest() => _loop.Remove(this);
}
