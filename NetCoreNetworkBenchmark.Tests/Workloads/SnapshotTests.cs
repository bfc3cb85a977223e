namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>Both sides of Snapshots without a network, and at times that the test sets.</summary>
public sealed class SnapshotTests : IDisposable
{
    private const int TicksPerSecond = 20;
    private static readonly long s_tick = Stopwatch.Frequency / TicksPerSecond;

    private readonly SetClock _clock = new() { Time = Stopwatch.Frequency };
    private readonly RunRecorder _recorder;
    private readonly WorkerStatistics _worker;

    public SnapshotTests()
    {
        _recorder = new RunRecorder(clock: _clock);
        _worker = _recorder.AddWorker(recordsLatency: true);
        _recorder.Enter(RunPhase.Measure);
        _worker.ReadClock();
    }

    public void Dispose() => _recorder.Dispose();

    [Theory]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(101)]
    public void A_player_that_sees_all_sees_each_other_one_once(int players)
    {
        var world = new World(players);
        for (int player = 0; player < players; player++)
        {
            int[] seen = [.. Enumerable.Range(0, players - 1).Select(number => world.NeighbourOf(player, number)).Order()];
            Assert.Equal(Enumerable.Range(0, players).Where(other => other != player), seen);
        }
    }

    [Fact]
    public void A_player_sees_its_nearest_first() =>
        Assert.Equal([1, 9, 2, 8], Enumerable.Range(0, 4).Select(number => new World(10).NeighbourOf(0, number)));

    [Theory]
    [InlineData(100, 50, 1)]
    [InlineData(100, 74, 1)]
    [InlineData(100, 75, 2)]
    [InlineData(201, 200, 3)]
    public void A_tick_sends_the_visible_states_in_messages_of_at_most_1200_bytes(int players, int visible, int messages)
    {
        SentMessages sent = Tick(PlanOf(players, visible), ticks: 3);
        Assert.Equal(3 * messages, sent.Count);
        Assert.All(sent, message => Assert.InRange(message.Length, PushTag.Size + PlayerState.Size, 1_200));
        Assert.Equal(3 * visible, sent.Sum(message => StatesOf(message).Length));
        Assert.Equal(3 * messages, _worker.Current.Counters.ServerSent);
    }

    [Fact]
    public void A_snapshot_has_the_latest_input_of_each_visible_player()
    {
        RunPlan plan = PlanOf(players: 3, visible: 2);
        var world = new World(3);
        SnapshotSource[] sources = [.. Enumerable.Range(0, 3).Select(_ => new SnapshotSource(world, SnapshotLoad.Of(plan)))];
        sources[1].OnMessage(InputOf(sequence: 1, time: 10));
        sources[2].OnMessage(InputOf(sequence: 2, time: 20));
        sources[2].OnMessage(InputOf(sequence: 1, time: 15));
        sources[2].OnMessage([0, 1]);
        Assert.Equal([new PlayerState(1, 1, 10), new PlayerState(2, 2, 20)], StatesOf(sources[0].MessageOf(0, _worker)));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(49, 0)]
    [InlineData(51, 1)]
    [InlineData(100, 2)]
    [InlineData(175, 3)]
    public void A_server_that_stands_still_misses_ticks_and_sends_the_latest_state_once(int milliseconds, int missed)
    {
        RunPlan plan = PlanOf(players: 2, visible: 1);
        var sent = new SentMessages();
        PushStream stream = StreamOf(plan, sent);

        // The tick at 0 is due, and the server comes to it later.
        _clock.Time += Stopwatch.Frequency * milliseconds / 1_000;
        stream.SendMore(_worker);
        Assert.Equal((1, missed), (sent.Count, (int)_worker.Current.Counters.SentLate));
        Assert.Equal(_clock.Time - (_clock.Time % s_tick), PushTag.ReadFrom(sent[0]).Time);
    }

    [Fact]
    public void The_age_of_a_state_counts_from_its_input_and_once()
    {
        SnapshotClients clients = new(PlanOf(players: 3, visible: 2), _recorder);
        var peer = new Recipient([]);
        clients.OnConnected(peer, _worker);
        clients.OnStart(peer, _worker);
        long due = _clock.Time;
        _clock.Time += s_tick;
        _worker.ReadClock();
        clients.OnMessage(peer, SnapshotOf(sequence: 1, new PlayerState(1, 1, due), new PlayerState(2, 0, 0)), _worker);
        _clock.Time += s_tick;
        _worker.ReadClock();
        clients.OnMessage(peer, SnapshotOf(sequence: 2, new PlayerState(1, 1, due), new PlayerState(2, 1, due)), _worker);
        LatencyHistogram ages = Assert.Single(clients.Distributions).Histogram;
        Assert.Equal((2, RunRecorder.ToNanoseconds(2 * s_tick)), (ages.Count, ages.Max));
        Assert.Equal((2, 0), (_worker.Current.Counters.ClientReceived, _worker.Current.Counters.Corrupted));
    }

    [Fact]
    public void A_pause_between_two_slices_is_no_part_of_an_age()
    {
        SnapshotClients clients = new(PlanOf(players: 3, visible: 2), _recorder);
        var peer = new Recipient([]);
        clients.OnConnected(peer, _worker);
        clients.OnStart(peer, _worker);
        long due = _clock.Time;
        foreach (RunPhase phase in (RunPhase[])[RunPhase.Drain, RunPhase.Paused, RunPhase.WarmUp, RunPhase.Measure])
        {
            _clock.Time += s_tick;
            _recorder.Enter(phase);
        }

        _clock.Time += s_tick;
        _worker.ReadClock();
        clients.OnStart(peer, _worker);
        clients.OnMessage(peer, SnapshotOf(sequence: 1, new PlayerState(1, 1, due), new PlayerState(2, 1, _clock.Time)), _worker);
        Assert.Equal((1, 0), (clients.Distributions[0].Histogram.Count, clients.Distributions[0].Histogram.Max));
    }

    [Fact]
    public void A_snapshot_that_does_not_arrive_is_lost_and_a_state_of_nobody_is_damaged()
    {
        SnapshotClients clients = new(PlanOf(players: 3, visible: 2), _recorder);
        var peer = new Recipient([]);
        clients.OnConnected(peer, _worker);
        clients.OnStart(peer, _worker);
        clients.OnMessage(peer, SnapshotOf(sequence: 1), _worker);
        clients.OnMessage(peer, SnapshotOf(sequence: 3, new PlayerState(7, 1, _clock.Time)), _worker);
        Assert.Equal((2, 1, 1), (_worker.Current.Counters.ClientReceived, _worker.Current.Counters.Lost, _worker.Current.Counters.Corrupted));
    }

    [Fact]
    public void An_input_is_sent_when_it_is_due_and_is_no_request()
    {
        var sent = new SentMessages();
        SnapshotClients clients = new(PlanOf(players: 2, visible: 1), _recorder);
        var peer = new Recipient(sent);
        clients.OnConnected(peer, _worker);
        clients.OnDue(peer, _clock.Time, _worker);
        byte[] input = Assert.Single(sent);
        Assert.Equal((40, PushRequestKind.None), (input.Length, PushRequest.Read(input).Kind));
        Assert.True(PlayerInput.TryRead(input, out PlayerInput read));
        Assert.Equal(new PlayerInput(1, _clock.Time), read);
    }

    [Theory, InlineData(16, 0), InlineData(17, 1)]
    public void An_input_is_late_after_half_of_its_interval(int milliseconds, int late)
    {
        SnapshotClients clients = new(PlanOf(players: 2, visible: 1), _recorder);
        var peer = new Recipient([]);
        clients.OnConnected(peer, _worker);
        long due = _clock.Time;
        _clock.Time += Stopwatch.Frequency * milliseconds / 1_000;
        _worker.ReadClock();
        clients.OnDue(peer, due, _worker);
        Assert.Equal((1, late), (_worker.Current.Counters.ClientSent, (int)_worker.Current.Counters.SentLate));
    }

    [Fact]
    public void The_rates_and_the_size_follow_from_the_options()
    {
        RunPlan plan = new Snapshots().Complete(PlanOf(players: 100, visible: 99));
        Assert.Equal((4_000, TimeSpan.FromMilliseconds(50), 16 + (74 * 16)), (plan.Rate, plan.Tick, plan.MessageSize));
        Assert.Equal(plan, new Snapshots().Complete(plan));
        Assert.Equal(3_000, new Snapshots().InputSchedule(plan).MessagesPerSecond);
    }

    [Theory]
    [InlineData(1, 1, "two")]
    [InlineData(10, 10, "9 others")]
    public void More_visible_players_than_there_are_others_are_rejected(int players, int visible, string reason) =>
        Assert.Contains(reason, Assert.Throws<BenchmarkException>(() => new Snapshots().Complete(PlanOf(players, visible))).Message, StringComparison.Ordinal);

    private static RunPlan PlanOf(int players, int visible)
    {
        var plan = new RunPlan { Library = "none", Clients = players };
        foreach (WorkloadOption option in new Snapshots().Options)
        {
            plan = option.Default is { } value ? option.Apply(plan, value) : plan;
        }

        return new Snapshots().Options.Single(option => option.Name == SnapshotLoad.VisibleName).Apply(plan, $"{visible}");
    }

    private static PlayerState[] StatesOf(ReadOnlySpan<byte> message) => MemoryMarshal.Cast<byte, PlayerState>(message[PushTag.Size..]).ToArray();

    private static byte[] InputOf(uint sequence, long time)
    {
        byte[] message = new byte[PlayerInput.SmallestSize];
        new PlayerInput(sequence, time).WriteTo(message);
        return message;
    }

    private byte[] SnapshotOf(uint sequence, params ReadOnlySpan<PlayerState> states)
    {
        byte[] message = new byte[PushTag.Size + (states.Length * PlayerState.Size)];
        new PushTag(receiver: 1, sequence, _clock.Time).WriteTo(message);
        states.CopyTo(MemoryMarshal.Cast<byte, PlayerState>(message.AsSpan(PushTag.Size)));
        return message;
    }

    private PushStream StreamOf(RunPlan plan, SentMessages sent)
    {
        plan = new Snapshots().Complete(plan);
        var schedule = new SendSchedule(TicksPerSecond * plan.Clients, plan.Clients) { IsTick = true };
        var stream = new PushStream(new Recipient(sent), new SnapshotSource(new World(plan.Clients), SnapshotLoad.Of(plan)), schedule);
        stream.Begin(receiver: 1, new PushTurn(_clock.Time, Slot: 1, FirstRound: 0));
        return stream;
    }

    private SentMessages Tick(RunPlan plan, int ticks)
    {
        var sent = new SentMessages();
        PushStream stream = StreamOf(plan, sent);
        for (int tick = 0; tick < ticks; tick++)
        {
            stream.SendMore(_worker);
            _clock.Time += s_tick;
        }

        return sent;
    }

    private sealed class SentMessages : List<byte[]>;

    private sealed class Recipient(SentMessages sent) : IPeer
    {
        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            sent.Add(message.ToArray());
            return true;
        }

        public void Wake()
        {
            // Nothing waits.
        }

        public void Close()
        {
            // There is no connection.
        }
    }
}
