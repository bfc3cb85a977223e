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

    [Theory, InlineData(2), InlineData(5), InlineData(6), InlineData(101)]
    public void A_player_that_sees_all_sees_each_other_one_once(int players)
    {
        var world = new World(players);
        for (int player = 0; player < players; player++)
        {
            int[] neighbours = [.. Enumerable.Range(0, players - 1).Select(number => world.NeighbourOf(player, number)).Order()];
            Assert.Equal(Enumerable.Range(0, players).Where(other => other != player), neighbours);
        }
    }

    [Fact]
    public void A_player_sees_its_nearest_first() => Assert.Equal([1, 9, 2, 8], Enumerable.Range(0, 4).Select(number => new World(10).NeighbourOf(0, number)));

    [Theory, InlineData(100, 50, 1), InlineData(100, 74, 1), InlineData(100, 75, 2), InlineData(201, 200, 3)]
    public void A_tick_sends_the_visible_states_in_messages_of_at_most_1200_bytes(int players, int visible, int messages)
    {
        List<byte[]> sent = Tick(PlanOf(players, visible), ticks: 3);
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
        SnapshotSource[] sources = [.. Enumerable.Range(0, 3).Select(_ => new SnapshotSource(world, SnapshotLoad.From(plan)))];
        sources[1].OnMessage(InputOf(sequence: 1, time: 10));
        sources[2].OnMessage(InputOf(sequence: 2, time: 20));
        sources[2].OnMessage(InputOf(sequence: 1, time: 15));
        sources[2].OnMessage([0, 1]);
        Assert.Equal([new PlayerState(1, 1, 10), new PlayerState(2, 2, 20)], StatesOf(sources[0].MessageOf(0, _worker)));
    }

    [Theory, InlineData(0, 0), InlineData(49, 0), InlineData(51, 1), InlineData(100, 2), InlineData(175, 3)]
    public void A_server_that_stands_still_misses_ticks_and_sends_the_latest_state_once(int milliseconds, int missed)
    {
        RunPlan plan = PlanOf(players: 2, visible: 1);
        var sent = new List<byte[]>();
        PushStream stream = StreamOf(plan, sent);

        // The tick at 0 is due, and the server comes to it later.
        _clock.Time += Stopwatch.Frequency * milliseconds / 1_000;
        stream.SendMore(_worker);
        Assert.Equal((1, missed, _clock.Time - (_clock.Time % s_tick)), (sent.Count, (int)_worker.Current.Counters.SentLate, PushTag.ReadFrom(sent[0]).Time));
    }

    [Fact]
    public void The_age_of_a_state_counts_from_its_input_and_once()
    {
        (SnapshotClients clients, RecordingPeer peer) = StartedClients(PlanOf(players: 3, visible: 2));
        long due = _clock.Time;
        Pass(s_tick);
        clients.OnMessage(peer, SnapshotOf(sequence: 1, new PlayerState(1, 1, due), new PlayerState(2, 0, 0)), _worker);
        Pass(s_tick);
        clients.OnMessage(peer, SnapshotOf(sequence: 2, new PlayerState(1, 1, due), new PlayerState(2, 1, due)), _worker);
        LatencyHistogram ages = Assert.Single(clients.Distributions).Histogram;
        Assert.Equal((2, RunRecorder.ToNanoseconds(2 * s_tick)), (ages.Count, ages.Max));
        Assert.Equal((2, 0), (_worker.Current.Counters.ClientReceived, _worker.Current.Counters.Corrupted));
    }

    [Fact]
    public void Discarded_figures_are_in_no_distribution_and_no_count_of_a_client()
    {
        (SnapshotClients clients, RecordingPeer peer) = StartedClients(PlanOf(players: 3, visible: 2, events: 1));
        clients.OnMessage(peer, EventFor(client: 1, sequence: 1, due: _clock.Time), _worker);
        clients.OnMessage(peer, SnapshotOf(sequence: 1, new PlayerState(1, 1, _clock.Time)), _worker);
        Assert.Equal([1, 1], clients.Distributions.Select(distribution => distribution.Histogram.Count));
        clients.OnDiscarded();
        Assert.Equal([0, 0], clients.Distributions.Select(distribution => distribution.Histogram.Count));
        Assert.Equal([0], clients.ReceivedByClient);
    }

    [Fact]
    public void A_pause_between_two_slices_is_no_part_of_an_age()
    {
        (SnapshotClients clients, RecordingPeer peer) = StartedClients(PlanOf(players: 3, visible: 2));
        long due = _clock.Time;
        foreach (RunPhase phase in (RunPhase[])[RunPhase.Drain, RunPhase.Paused, RunPhase.WarmUp, RunPhase.Measure])
        {
            _clock.Time += s_tick;
            _recorder.Enter(phase);
        }

        Pass(s_tick);
        clients.OnStart(peer, _worker);
        clients.OnMessage(peer, SnapshotOf(sequence: 1, new PlayerState(1, 1, due), new PlayerState(2, 1, _clock.Time)), _worker);
        Assert.Equal((1, 0), (clients.Distributions[0].Histogram.Count, clients.Distributions[0].Histogram.Max));
    }

    [Fact]
    public void A_snapshot_that_does_not_arrive_is_lost_and_a_state_of_nobody_is_damaged()
    {
        (SnapshotClients clients, RecordingPeer peer) = StartedClients(PlanOf(players: 3, visible: 2));
        clients.OnMessage(peer, SnapshotOf(sequence: 1), _worker);
        clients.OnMessage(peer, SnapshotOf(sequence: 3, new PlayerState(7, 1, _clock.Time)), _worker);
        Assert.Equal((2, 1, 1), (_worker.Current.Counters.ClientReceived, _worker.Current.Counters.Lost, _worker.Current.Counters.Corrupted));
    }

    [Fact]
    public void An_input_is_sent_when_it_is_due_and_is_no_request()
    {
        var sent = new List<byte[]>();
        SnapshotClients clients = new(PlanOf(players: 2, visible: 1), _recorder);
        var peer = new RecordingPeer(sent);
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
        var peer = new RecordingPeer();
        clients.OnConnected(peer, _worker);
        long due = _clock.Time;
        Pass(Stopwatch.Frequency * milliseconds / 1_000);
        clients.OnDue(peer, due, _worker);
        Assert.Equal((1, late), (_worker.Current.Counters.ClientSent, (int)_worker.Current.Counters.SentLate));
    }

    [Fact]
    public void An_event_reaches_each_player_that_sees_its_sender_once_and_before_the_snapshot_of_the_tick()
    {
        RunPlan plan = PlanOf(players: 4, visible: 2, events: 1);
        var world = new World(4);
        SnapshotSource[] sources = [.. Enumerable.Range(0, 4).Select(_ => new SnapshotSource(world, SnapshotLoad.From(plan)))];
        List<byte[]>[] sent = [.. sources.Select(_ => new List<byte[]>())];
        PushStream[] streams = [.. sources.Zip(sent).Select((player, index) => StreamOf(plan, player.Second, player.First, (uint)index + 1))];
        sources[0].OnMessage(EventOf(sequence: 1, due: 10));
        for (int tick = 0; tick < 2; tick++, _clock.Time += s_tick)
        {
            Assert.All(streams, stream => stream.SendMore(_worker));
        }

        // The third player is opposite, so that it does not see the first.
        Assert.Equal([2, 3, 2, 3], sent.Select(messages => messages.Count));
        Assert.All((int[])[1, 3], player => Assert.True(PlayerEvent.IsFor((uint)player + 1, PushTag.ReadFrom(sent[player][0]), sent[player][0])));
        Assert.Equal((1u, 10), (PushTag.ReadFrom(sent[1][0]).Sequence, PushTag.ReadFrom(sent[1][0]).Time));
        Assert.Equal([2, 2, 2, 2], streams.Select(stream => (int)stream.LastSequence));
    }

    [Fact]
    public void A_player_sends_its_events_at_their_rate_and_not_together_with_the_others()
    {
        var sent = new List<byte[]>();
        SnapshotClients clients = new(PlanOf(players: 10, visible: 1, events: 0.5), _recorder);
        RecordingPeer[] peers = [.. Enumerable.Range(0, 10).Select(_ => new RecordingPeer(sent))];
        Assert.All(peers, peer => clients.OnConnected(peer, _worker));
        var events = new List<int>();
        for (int input = 0; input < 30 * 60; input++)
        {
            Assert.All(peers, peer => clients.OnDue(peer, _clock.Time, _worker));
            events.Add(sent.Count(message => PlayerEvent.TryReadAtServer(message, out _)));
            sent.Clear();
        }

        Assert.Equal((10 * 30, 1, 10 * ((30 * 60) + 30)), (events.Sum(), events.Max(), _worker.Current.Counters.ClientSent));
    }

    [Fact]
    public void A_client_waits_for_the_events_that_were_sent_and_those_that_do_not_arrive_by_the_deadline_are_errors()
    {
        RunPlan plan = PlanOf(players: 2, visible: 1, events: 30) with { LossDeadline = TimeSpan.FromSeconds(1) };
        (SnapshotClients clients, RecordingPeer peer) = StartedClients(plan);
        clients.OnDue(peer, _clock.Time, _worker);
        clients.OnMessage(peer, EventFor(client: 1, sequence: 1, due: _clock.Time), _worker);
        _recorder.Enter(RunPhase.Drain);
        Tick(count: 4);
        clients.OnMessage(peer, EndOf(new EventCounts(Sent: 2, Arrived: 1)), _worker);
        Tick(count: 4);
        Assert.Equal(1, clients.Awaited);

        // The second event, and another time without it.
        clients.OnMessage(peer, EndOf(new EventCounts(Sent: 3, Arrived: 1)), _worker);
        clients.OnMessage(peer, EventFor(client: 1, sequence: 2, due: _clock.Time), _worker);
        Tick(count: 30);
        Assert.Equal((0, 1), (clients.Awaited, _recorder.Errors().GetValueOrDefault("event lost")));
        Assert.Equal((1, 0, 1), (_recorder.Errors().Count, _worker.Current.Counters.Corrupted, clients.Distributions[1].Histogram.Count));

        void Tick(int count)
        {
            for (int tick = 0; tick < count; tick++)
            {
                Pass(s_tick);
                clients.OnTick(peer, _worker);
            }
        }
    }

    [Fact]
    public void The_rates_and_the_size_follow_from_the_options()
    {
        RunPlan plan = new Snapshots().Complete(PlanOf(players: 100, visible: 99));
        Assert.Equal((4_000, TimeSpan.FromMilliseconds(50), 16 + (74 * 16), plan), (plan.Rate, plan.Tick, plan.MessageSize, new Snapshots().Complete(plan)));
        Assert.Equal(3_000, new Snapshots().InputSchedule(plan).MessagesPerSecond);
    }

    [Theory, InlineData(1, 1, "two"), InlineData(10, 10, "9 others")]
    public void More_visible_players_than_there_are_others_are_rejected(int players, int visible, string reason) =>
        Assert.Throws<BenchmarkException>(() => new Snapshots().Complete(PlanOf(players, visible))).Message.AssertHas(reason);

    private static RunPlan PlanOf(int players, int visible, double events = 0)
    {
        var plan = new RunPlan { Library = "none", Clients = players };
        foreach (WorkloadOption option in new Snapshots().Options)
        {
            plan = option.Default is { } value ? option.Apply(plan, value) : plan;
        }

        return With(SnapshotLoad.EventsName, string.Create(CultureInfo.InvariantCulture, $"{events}"), With(SnapshotLoad.VisibleName, $"{visible}", plan));

        static RunPlan With(string name, string value, RunPlan plan) => new Snapshots().Options.Single(option => option.Name == name).Apply(plan, value);
    }

    private (SnapshotClients Clients, RecordingPeer Peer) StartedClients(RunPlan plan)
    {
        SnapshotClients clients = new(plan, _recorder);
        var peer = new RecordingPeer();
        clients.OnConnected(peer, _worker);
        clients.OnStart(peer, _worker);
        return (clients, peer);
    }

    private void Pass(long ticks)
    {
        _clock.Time += ticks;
        _worker.ReadClock();
    }

    private static byte[] EventOf(uint sequence, long due)
    {
        var peer = new RecordingPeer();
        PlayerEvent.TrySendToServer(peer, sequence, due);
        return peer.Sent[0];
    }

    private static byte[] EventFor(uint client, uint sequence, long due)
    {
        var peer = new RecordingPeer();
        PlayerEvent.TrySendTo(client, peer, sequence, due);
        return peer.Sent[0];
    }

    private static byte[] EndOf(EventCounts counts)
    {
        byte[] end = new byte[PlayerEvent.Size];
        counts.WriteTo(end);
        new PushTag(receiver: 1, sequence: 0, time: 0).WriteTo(end);
        return end;
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

    private PushStream StreamOf(RunPlan plan, List<byte[]> sent, SnapshotSource? source = null, uint receiver = 1)
    {
        plan = new Snapshots().Complete(plan);
        var schedule = new SendSchedule(TicksPerSecond * plan.Clients, plan.Clients) { IsTick = true };
        var stream = new PushStream(new RecordingPeer(sent), source ?? new SnapshotSource(new World(plan.Clients), SnapshotLoad.From(plan)), schedule);
        stream.Begin(receiver, new PushTurn(_clock.Time, Slot: 1, FirstRound: 0));
        return stream;
    }

    private List<byte[]> Tick(RunPlan plan, int ticks)
    {
        var sent = new List<byte[]>();
        PushStream stream = StreamOf(plan, sent);
        for (int tick = 0; tick < ticks; tick++)
        {
            stream.SendMore(_worker);
            _clock.Time += s_tick;
        }

        return sent;
    }
}
