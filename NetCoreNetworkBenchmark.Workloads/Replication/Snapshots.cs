using NetCoreNetworkBenchmark.Workloads.ServerPush;

namespace NetCoreNetworkBenchmark.Workloads.Replication;

/// <summary>
/// The state replication of a game server. Each player sends inputs at a fixed rate. At each tick, the server sends a snapshot to each player: the latest
/// states of the others that the player sees, after their reliable events. A message is a snapshot, and its latency counts from the tick.
/// </summary>
public sealed class Snapshots : IMessageWorkload
{
    private const string Test = "Snapshots";
    private const string RatesOfTest = $"the rates are {SnapshotLoad.TickName} and {SnapshotLoad.InputsName}";

    public string Name => Test;

    public IReadOnlyList<WorkloadOption> Options { get; } = SnapshotLoad.Options;

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        ["--size"] = $"the size follows from {SnapshotLoad.VisibleName} and {SnapshotLoad.InputSizeName}",
        ["--messages"] = RatesOfTest,
        ["--rate"] = RatesOfTest,
        ["--arrivals"] = RatesOfTest,
        ["--think"] = RatesOfTest,
        ["--payload"] = "a snapshot contains states",
        ["--reconnect"] = "a player receives one stream of snapshots from its start",
    };

    public LatencyKind LatencyKind => LatencyKind.OneWay;

    public bool SendsToAll => false;

    public int MinClients(RunPlan plan) => SnapshotLoad.MinPlayers(plan);

    public bool NeedsReliableDelivery(RunPlan plan) => SnapshotLoad.From(plan).EventsPerSecond > 0;

    public RunPlan Complete(RunPlan plan)
    {
        SnapshotLoad load = SnapshotLoad.From(plan);
        return plan with
        {
            MessageSize = load.LargestMessage,
            Rate = load.TicksPerSecond * plan.Clients * load.MessagesPerSnapshot,
            Tick = TimeSpan.FromSeconds(1 / load.TicksPerSecond),
            Framing = plan.Protocol.IsStream() && plan.Framing == Framing.Fixed ? Framing.Length : plan.Framing,
        };
    }

    public SendSchedule InputSchedule(RunPlan plan) => new(SnapshotLoad.From(plan).InputsPerSecond * plan.Clients, plan.Clients) { Seed = plan.Seed };

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder)
    {
        var load = SnapshotLoad.From(plan);
        var world = new World(plan.Clients);
        return new PushServer(plan, recorder, () => new SnapshotSource(world, load));
    }

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new SnapshotClients(plan, recorder);
}

internal sealed class SnapshotSource(World world, SnapshotLoad load) : PushSource
{
    private readonly int _player = world.Join();

    // How many events of each visible player have been sent to this one, how many in all, and how many of its own have arrived.
    private readonly uint[] _sentOf = new uint[load.EventsPerSecond > 0 ? load.Visible : 0];
    private uint _sent;
    private uint _arrived;

    public override int MessagesPerTurn => load.MessagesPerSnapshot;

    public override void Begin()
    {
        for (int number = 0; number < _sentOf.Length; number++)
        {
            _sentOf[number] = world.EventsOf(world.NeighbourOf(_player, number));
        }
    }

    public override bool TrySendReliable(IPeer peer, uint client)
    {
        for (int number = 0; number < _sentOf.Length; number++)
        {
            int other = world.NeighbourOf(_player, number);
            for (; _sentOf[number] != world.EventsOf(other); _sentOf[number]++, _sent++)
            {
                if (!PlayerEvent.TrySendTo(client, peer, _sent + 1, world.TimeOfEvent(other, _sentOf[number])))
                {
                    return false;
                }
            }
        }

        return true;
    }

    public override Span<byte> MessageOf(int number, WorkerStatistics worker)
    {
        byte[] message = Unsafe.As<byte[]>(worker.WorkloadState ??= CreateMessage());
        int first = number * SnapshotLoad.StatesPerMessage;
        int count = Math.Min(load.Visible - first, SnapshotLoad.StatesPerMessage);
        Span<PlayerState> states = MemoryMarshal.Cast<byte, PlayerState>(message.AsSpan(PushTag.Size, count * PlayerState.Size));
        for (int index = 0; index < count; index++)
        {
            states[index] = world.StateOf(world.NeighbourOf(_player, first + index));
        }

        return message.AsSpan(0, PushTag.Size + (count * PlayerState.Size));
    }

    public override byte[] CreateMessage()
    {
        byte[] message = new byte[load.LargestMessage];
        new EventCounts(_sent, _arrived).WriteTo(message);
        return message;
    }

    public override void OnMessage(ReadOnlySpan<byte> message)
    {
        if (PlayerInput.TryRead(message, out PlayerInput input))
        {
            world.Set(_player, input);
        }
        else if (PlayerEvent.TryReadAtServer(message, out PushTag tag))
        {
            _arrived++;
            world.Add(_player, tag.Time);
        }
    }
}
