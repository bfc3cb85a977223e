using NetCoreNetworkBenchmark.Workloads.ServerPush;

namespace NetCoreNetworkBenchmark.Workloads.Replication;

internal sealed class SnapshotClients(RunPlan plan, RunRecorder recorder) : PushClients(recorder)
{
    private readonly SnapshotLoad _load = SnapshotLoad.Of(plan);
    private readonly ThreadStates<PlayerThread> _threads = new(() => new PlayerThread(new byte[SnapshotLoad.Of(plan).InputSize], new LatencyHistogram()));
    private readonly bool _sharesClock = recorder.SharesClockOfServer;

    public override IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions =>
        _sharesClock ? [(WorkloadFigure.AgeOfState, LatencyHistogram.Sum(_threads.All().Select(thread => thread.Ages)))] : [];

    protected override PushListener CreateListener(IPeer peer, uint number) => new Player(peer, plan, _load, number, _sharesClock, _threads);
}

/// <summary>The memory of a thread of the clients: the buffer of an input, and the ages of the states that its players received.</summary>
internal sealed record PlayerThread(byte[] Input, LatencyHistogram Ages);

/// <summary>A player: it sends inputs, and receives the states of the others that it sees.</summary>
internal sealed class Player(IPeer peer, RunPlan plan, SnapshotLoad load, uint number, bool sharesClock, ThreadStates<PlayerThread> threads)
    : PushListener(peer, plan, number, countsByDue: sharesClock)
{
    private readonly long _lateBound = RunRecorder.ToTicks(load.LateBoundOfInputs);
    private readonly int _players = plan.Clients;

    // The last input of each player that this one sees; by the number of the player, because players may see others.
    private readonly uint[] _latest = new uint[plan.Clients];
    private uint _sequence;

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
    }

    protected override bool IsIntact(ReadOnlySpan<byte> message)
    {
        // The end of a stream has the size of the largest message.
        return message.Length >= PushTag.Size && message.Length <= load.LargestMessage;
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
}
