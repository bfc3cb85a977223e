using NetCoreNetworkBenchmark.Workloads.ServerPush;

namespace NetCoreNetworkBenchmark.Workloads.Replication;

internal sealed class SnapshotClients(RunPlan plan, RunRecorder recorder) : PushClients(recorder)
{
    private readonly SnapshotLoad _load = SnapshotLoad.From(plan);
    private readonly ThreadStates<PlayerThread> _threads = new(
        () => new PlayerThread(new byte[SnapshotLoad.From(plan).InputSize], new LatencyHistogram(), new LatencyHistogram()));
    private readonly bool _sharesClock = recorder.SharesClockOfServer;

    public override IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions =>
        _sharesClock
            ?
            [
                (WorkloadFigure.AgeOfState, LatencyHistogram.Sum(_threads.All.Select(thread => thread.Ages))),
                .. _load.EventsPerSecond == 0 ? [] : (IEnumerable<(string, LatencyHistogram)>)
                    [(WorkloadFigure.LatencyOfEvent, LatencyHistogram.Sum(_threads.All.Select(thread => thread.Events)))],
            ]
            : [];

    public override void OnDiscarded()
    {
        base.OnDiscarded();
        foreach (PlayerThread thread in _threads.All)
        {
            thread.Ages.Clear();
            thread.Events.Clear();
        }
    }

    protected override PushListener CreateListener(IPeer peer, uint number) => new Player(peer, plan, _load, number, _sharesClock, _threads, Recorder);
}

internal sealed record PlayerThread(byte[] Input, LatencyHistogram Ages, LatencyHistogram Events);

internal sealed class Player(
    IPeer peer, RunPlan plan, SnapshotLoad load, uint number, bool sharesClock, ThreadStates<PlayerThread> threads, RunRecorder recorder)
    : PushListener(peer, plan, number, countsByDue: sharesClock)
{
    // Multiples of the golden ratio are spread evenly, so that the players do not send their events together.
    private const double GoldenRatio = 0.6180339887498949;

    private readonly double _eventsPerInput = load.EventsPerSecond / load.InputsPerSecond;
    private readonly long _lateBound = RunRecorder.ToTicks(load.LateBoundOfInputs);
    private readonly int _players = plan.Clients;

    // The last input of each player that this one sees; by the number of the player, because players may see others.
    private readonly uint[] _latest = new uint[plan.Clients];
    private uint _sequence;

    // Events that were due, with the time of the first one that the library did not accept yet.
    private uint _eventsDue;
    private long _firstDue;
    private uint _eventsSent;
    private uint _eventsReceived;
    private uint _eventsLost;
    private EventCounts? _counts;

    protected override bool HasAllReliable => load.EventsPerSecond == 0 || (_counts is { } counts && MissingOf(counts) == 0);

    public override void OnDue(long due, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.IntervalOf(due).Statistics;
        byte[] input = threads.Of(worker).Input;
        new PlayerInput(++_sequence, due).WriteTo(input);
        statistics.Counters.ClientSent++;
        if (!Peer.Send(input))
        {
            statistics.Counters.ClientSent--;
        }
        else if (worker.Now - due > _lateBound)
        {
            statistics.Counters.SentLate++;
        }

        SendEvents(due, statistics);
    }

    protected override bool IsIntact(ReadOnlySpan<byte> message)
    {
        // The end of a stream has the size of the largest message.
        return message.Length >= PushTag.Size && message.Length <= load.LargestMessage;
    }

    protected override bool TryTakeReliable(PushTag tag, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        if (!PlayerEvent.IsFor(Number, tag, message))
        {
            return false;
        }

        if (tag.Sequence != _eventsReceived + 1)
        {
            recorder.CountError("event out of order");
        }

        _eventsReceived++;
        if (worker.IntervalOf(tag.Time).Statistics.Phase == RunPhase.Measure)
        {
            worker.ReadClock();
            threads.Of(worker).Events.Record(RunRecorder.ToNanoseconds(worker.Now - tag.Time));
        }

        return true;
    }

    protected override void OnEnd(ReadOnlySpan<byte> end) => _counts = EventCounts.ReadFrom(end);

    protected override void OnFinished()
    {
        uint missing = _counts is { } counts ? MissingOf(counts) : 0;
        if (missing > 0)
        {
            _eventsLost += missing;
            recorder.CountError("event lost", missing);
        }

        _counts = null;
    }

    protected override void OnContent(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        ReadOnlySpan<PlayerState> states = MemoryMarshal.Cast<byte, PlayerState>(message[PushTag.Size..]);
        LatencyHistogram ages = threads.Of(worker).Ages;
        foreach (ref readonly PlayerState state in states)
        {
            if ((uint)state.Player >= (uint)_players)
            {
                worker.Current.Counters.Corrupted++;
            }
            else if (SequenceNumber.IsAfter(state.Sequence, _latest[state.Player]))
            {
                _latest[state.Player] = state.Sequence;
                if (worker.IntervalOf(state.Time).Statistics.Phase == RunPhase.Measure)
                {
                    ages.Record(RunRecorder.ToNanoseconds(worker.Now - state.Time));
                }
            }
        }
    }

    private void SendEvents(long due, PhaseStatistics statistics)
    {
        uint eventsDue = (uint)((_sequence * _eventsPerInput) + (Number * GoldenRatio % 1));
        if (eventsDue == _eventsDue && eventsDue == _eventsSent)
        {
            return;
        }

        _firstDue = _eventsSent == _eventsDue ? due : _firstDue;
        _eventsDue = eventsDue;
        while (_eventsSent < _eventsDue)
        {
            statistics.Counters.ClientSent++;
            if (!PlayerEvent.TrySendToServer(Peer, _eventsSent + 1, _firstDue))
            {
                statistics.Counters.ClientSent--;
                return;
            }

            _eventsSent++;
        }
    }

    // Of both directions, without those that are known to be lost.
    private uint MissingOf(EventCounts counts) => _eventsDue - counts.Arrived + counts.Sent - _eventsReceived - _eventsLost;
}
