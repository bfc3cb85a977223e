using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.Bursts;

/// <summary>
/// The burst of one client: all its messages are sent at once, and the next burst begins when each of them is answered or given up. A message that the
/// library does not accept is sent later. Messages are given up together, when no answer has arrived for the deadline: the answers to the last messages of
/// a large burst may take longer than that, and are not lost as long as others arrive.
/// </summary>
internal sealed class BurstWindow
{
    private const long NotInFlight = long.MinValue;

    private readonly IPeer _peer;
    private readonly MessageLayout _layout;
    private readonly BurstThreads _threads;
    private readonly uint _client;
    private readonly long _lossDeadline;

    // The start of the round trip of each message of the burst. The tag of a message follows from its place.
    private readonly long[] _sentAt;
    private AnswerSequenceTracker _tracker;

    // The sequence number of the first message of the burst.
    private uint _first;
    private int _sent;
    private int _inFlight;
    private int _oldest;
    private long _begunAt;

    // The last send or answer.
    private long _lastSign;

    // Whether all messages were sent at once and answered.
    private bool _isWhole;
    private long _left;
    private long _endedAt;

    public BurstWindow(IPeer peer, MessageLayout layout, BurstThreads threads, uint client, int size, long lossDeadline)
    {
        _peer = peer;
        _layout = layout;
        _threads = threads;
        _client = client;
        _lossDeadline = lossDeadline;
        _sentAt = new long[size];
        Array.Fill(_sentAt, NotInFlight);

        // As after a burst: nothing is left to be sent before the start.
        _sent = size;
        _first = unchecked(1u - (uint)size);
    }

    /// <summary>The time of the last start (<see cref="RunRecorder.Clock"/>). Can be read from any thread after the end.</summary>
    public long StartedAt { get; private set; }

    /// <summary>Whether the last start was within the measurement. Can be read from any thread after the end.</summary>
    public bool WasMeasured { get; private set; }

    /// <summary>The time at which the last message of all bursts was answered or given up; 0 until then. Can be read from any thread.</summary>
    public long EndedAt => Volatile.Read(ref _endedAt);

    /// <summary>Forgets the end of the bursts before another start. Called by any thread while nothing is sent.</summary>
    public void Prepare() => Volatile.Write(ref _endedAt, 0);

    /// <summary>Begins the first of the bursts.</summary>
    /// <param name="bursts">The number of bursts; 1 or more.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    public void Start(long bursts, WorkerStatistics worker)
    {
        // Clients start one after the other in a single call of their thread.
        worker.ReadClock();
        PhaseStatistics statistics = worker.Current;
        StartedAt = worker.Now;
        WasMeasured = statistics.Phase == RunPhase.Measure;
        _left = bursts;
        if (_inFlight > 0)
        {
            // The load was paused within this burst, and its time would contain the pause.
            _isWhole = false;
        }
        else if (statistics.Sends)
        {
            Begin(worker, statistics);
        }
    }

    /// <summary>Handles an answer: checks it, records its round trip, and begins the next burst if it was the last one.</summary>
    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        int place = !_layout.IsIntact(message) ? Corrupted(statistics)
            : _layout.IsTagged ? PlaceOf(MessageTag.ReadFrom(message), worker, statistics)
            : OldestInFlight(statistics);
        if (place >= 0)
        {
            Record(_sentAt[place], worker, statistics);
            _sentAt[place] = NotInFlight;
            _lastSign = worker.Now;
            _inFlight--;
            Continue(worker, statistics);
        }
    }

    /// <summary>Sends messages that the library did not accept before, and gives up those in flight if no answer has come for the deadline.</summary>
    public void OnTick(WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (_sent < _sentAt.Length && statistics.Sends)
        {
            SendRest(worker, statistics);
        }

        if (_inFlight > 0 && worker.Now - _lastSign > _lossDeadline)
        {
            GiveUp(statistics);
            Continue(worker, statistics);
        }
    }

    /// <summary>Gives up all messages in flight, because the connection is gone.</summary>
    public void Abandon(WorkerStatistics worker) => GiveUp(worker.Current);

    private static int Corrupted(PhaseStatistics statistics)
    {
        statistics.Counters.Corrupted++;
        return -1;
    }

    private static void Record(long sentAt, WorkerStatistics worker, PhaseStatistics statistics)
    {
        statistics.Counters.ClientReceived++;

        // There is no histogram for an answer that arrives while the run is shut down.
        statistics.Latency?.Record(RunRecorder.ToNanoseconds(worker.Now - sentAt));
    }

    private void Begin(WorkerStatistics worker, PhaseStatistics statistics)
    {
        _first += (uint)_sent;
        _sent = _oldest = 0;
        _isWhole = true;
        worker.ReadClock();
        _begunAt = worker.Now;
        SendRest(worker, statistics);
    }

    private void SendRest(WorkerStatistics worker, PhaseStatistics statistics)
    {
        byte[] message = _threads.Of(worker).Message;
        bool isAccepted = true;
        while (isAccepted && _sent < _sentAt.Length)
        {
            // A large burst takes long to send: the round trip of its last message does not begin with that of its first.
            worker.ReadClock();
            isAccepted = TrySend(message, worker.Now, statistics);
        }
    }

    private bool TrySend(byte[] message, long now, PhaseStatistics statistics)
    {
        int place = _sent;
        if (_layout.IsTagged)
        {
            TagOf(place).WriteTo(message);
        }

        // Stored before the call: a library that works in this process may return the answer within it.
        _sentAt[place] = _lastSign = now;
        _sent++;
        _inFlight++;
        statistics.Counters.ClientSent++;
        if (_peer.Send(message))
        {
            return true;
        }

        _sentAt[place] = NotInFlight;
        _sent--;
        _inFlight--;
        statistics.Counters.ClientSent--;
        return false;
    }

    private MessageTag TagOf(int place) => new(_client, _first + (uint)place, place);

    private void Continue(WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (_inFlight > 0)
        {
            return;
        }

        if (_sent == _sentAt.Length)
        {
            End(worker, statistics);
        }
        else if (statistics.Sends)
        {
            SendRest(worker, statistics);
        }
    }

    private void End(WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (statistics.Phase == RunPhase.Measure)
        {
            Count(_threads.Of(worker), RunRecorder.ToNanoseconds(worker.Now - _begunAt));
        }

        _left--;
        if (_left == 0)
        {
            Volatile.Write(ref _endedAt, worker.Now);
        }
        else if (statistics.Sends)
        {
            Begin(worker, statistics);
        }
    }

    private void Count(BurstThread thread, long nanoseconds)
    {
        if (_isWhole)
        {
            thread.Times.Record(nanoseconds);
        }
        else
        {
            thread.Broken++;
        }
    }

    // Returns the place of the message that was answered, or -1 if none in flight was.
    private int PlaceOf(MessageTag tag, WorkerStatistics worker, PhaseStatistics statistics)
    {
        int place = tag.Slot;
        if ((uint)place < (uint)_sent && _sentAt[place] != NotInFlight && tag.Equals(TagOf(place)))
        {
            _tracker.Order(tag.Sequence, statistics);
            return place;
        }

        if (!tag.IsOf(_client) || AnswerSequenceTracker.IsAfter(tag.Sequence, _first + (uint)_sent - 1))
        {
            return Corrupted(statistics);
        }

        if (_tracker.AcceptLate(tag.Sequence, statistics, out long sentAt))
        {
            Record(sentAt, worker, statistics);
        }

        return -1;
    }

    // A message without a tag counts as the answer to the oldest message in flight.
    private int OldestInFlight(PhaseStatistics statistics)
    {
        while (_oldest < _sent && _sentAt[_oldest] == NotInFlight)
        {
            _oldest++;
        }

        if (_oldest < _sent)
        {
            return _oldest;
        }

        statistics.Counters.Duplicated++;
        return -1;
    }

    private void GiveUp(PhaseStatistics statistics)
    {
        for (int place = 0; place < _sent; place++)
        {
            if (_sentAt[place] != NotInFlight && _layout.IsTagged)
            {
                _tracker.GiveUp(_first + (uint)place, _sentAt[place], statistics);
            }
            else if (_sentAt[place] != NotInFlight)
            {
                statistics.Counters.GivenUp++;
            }

            _sentAt[place] = NotInFlight;
        }

        _inFlight = 0;
        _isWhole = false;
    }
}
