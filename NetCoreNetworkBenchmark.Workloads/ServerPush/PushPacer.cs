namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

internal readonly record struct PushTurn(long Start, int Slot, long FirstRound);

// The schedule of an open loop's clients, kept at the server. The peer determines which messages are due, so that a late call sends all of them.
internal sealed class PushPacer : IDueWork, IAsyncDisposable
{
    // Overdue peers are woken in portions, so that clients that connect or leave are handled in between.
    private const int MaxPerTurn = 32;

    private readonly SendSchedule _schedule;
    private readonly TimeSpan _stopDeadline;
    private readonly TimeProvider _clock;
    private readonly long _start;
    private readonly PollLoop _loop;

    // Changed under the lock, and read by the loop's thread at any time.
    private readonly Lock _changing = new();
    private readonly IPeer?[] _peers;
    private int _active;

    // The position in the schedule. Only the loop's thread uses it.
    private long _round;
    private int _slot;

    // There is a slot for each peer to wake, or one for all clients, which has the turns of the first client.
    public PushPacer(SendSchedule schedule, int slots, RunRecorder recorder, TimeSpan stopDeadline)
    {
        _schedule = schedule;
        _stopDeadline = stopDeadline;
        _clock = recorder.Clock;
        _start = _clock.GetTimestamp();
        _peers = new IPeer?[slots];
        _loop = new PollLoop("Server push schedule", recorder, servesClients: false);
    }

    public long NextDue => Volatile.Read(ref _active) == 0 ? long.MaxValue : _schedule.DueAt(_start, _round, _slot);

    // Null if all slots are taken, for example if more clients connect than planned. From any thread.
    public PushTurn? TryAdd(IPeer peer)
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

            return new PushTurn(_start, slot, RoundAt(_clock.GetTimestamp()) + 1);
        }
    }

    // From any thread. A peer without a slot is ignored.
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
                    _loop.Post(() => _loop.Remove(this));
                }
            }
        }
    }

    public void OnDue(long now)
    {
        for (int woken = 0; woken < MaxPerTurn && _schedule.DueAt(_start, _round, _slot) <= now;)
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

    private long RoundAt(long time) => _schedule.RoundAt(_start, time);

    // Rounds that were due while there were no peers are skipped.
    private void Resume()
    {
        _round = Math.Max(_round, RoundAt(_clock.GetTimestamp()));
        _loop.Add(this);
    }
}
