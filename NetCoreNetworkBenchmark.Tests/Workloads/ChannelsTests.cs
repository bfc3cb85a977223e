namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>Both sides of Channels without a network, and at times that the test sets.</summary>
public sealed class ChannelsTests
{
    private const int BulkInFlight = 3;
    private static readonly Channels s_workload = new();

    [Theory, InlineData(1), InlineData(2)]
    public void A_tick_sends_a_small_message_beside_the_bulk_messages(int channels)
    {
        using ClientLink link = new ClientLink(s_workload, PlanOf(channels)).Started();
        Assert.Equal(BulkInFlight, link.Sent.Count);
        link.Tick();
        Assert.Equal((BulkInFlight + 1, channels - 1), (link.Sent.Count, link.Channels[^1]));
        Assert.True(SmallMessage.TryRead(link.Sent[^1], out SmallMessage small));
        Assert.Equal(1u, small.Sequence);
        Assert.All(link.Sent.SkipLast(1), bulk => Assert.False(SmallMessage.TryRead(bulk, out _)));
        Assert.Equal((BulkInFlight, 1), (link.Counters.ClientSent, link.Handler.Awaited));
    }

    [Fact]
    public void The_round_trip_of_a_small_message_is_a_distribution_of_its_own()
    {
        using ClientLink link = new ClientLink(s_workload, PlanOf(channels: 1)).Started();
        link.Tick();
        link.Answer(link.Sent[^1]);
        (string name, LatencyHistogram small) = Assert.Single(link.Handler.Distributions);
        Assert.Equal((WorkloadFigure.RoundTripOfSmall, 1, 0), (name, small.Count, link.Handler.Awaited));
        Assert.Equal((0, 0), (link.Counters.ClientReceived, link.Worker.Current.Latency!.Count));
        link.AnswerSent(0);
        Assert.Equal(1, link.Counters.ClientReceived);
    }

    [Fact]
    public void A_small_message_that_is_answered_after_the_measurement_counts_in_it()
    {
        using ClientLink link = new ClientLink(s_workload, PlanOf(channels: 2)).Started();
        link.Tick();
        link.Recorder.Enter(RunPhase.Drain);
        link.Tick();
        Assert.Equal(BulkInFlight + 1, link.Sent.Count);
        link.Answer(link.Sent[^1]);
        Assert.Equal(1, Assert.Single(link.Handler.Distributions).Histogram.Count);
    }

    [Fact]
    public void A_small_message_that_overtakes_another_is_an_error()
    {
        using ClientLink link = new ClientLink(s_workload, PlanOf(channels: 2)).Started();
        link.Tick();
        link.Tick();
        link.Answer(link.Sent[^1]);
        Assert.Equal(1, link.Recorder.Errors()["small message lost, repeated or out of order"]);
    }

    [Fact]
    public void A_small_message_that_the_library_did_not_accept_counts_from_its_tick()
    {
        using ClientLink link = new ClientLink(s_workload, PlanOf(channels: 2)).Started();
        link.Accepts = 0;
        link.Tick();
        long due = link.Worker.Now;
        link.Accepts = 1;
        link.Tick();
        Assert.True(SmallMessage.TryRead(link.Sent[^1], out SmallMessage small));
        Assert.Equal(new SmallMessage(1, due), small);
        link.Tick();
        Assert.Equal(1, Assert.Single(link.Handler.ComputeFigures()).Value);
    }

    [Fact]
    public void The_plan_is_reliable_and_has_frames_over_a_stream()
    {
        RunPlan plan = s_workload.Options.Single().Apply(PlanOf(channels: 1) with { Protocol = Protocol.Tcp }, "2");
        plan = s_workload.Complete(plan);
        Assert.Equal((Transmission.Reliable, 2, Framing.Length), (plan.Transmission, plan.Channels, plan.Framing));
    }

    [Fact]
    public void The_server_answers_a_small_message_on_its_channel()
    {
        using var recorder = new RunRecorder();
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: false);
        IServerHandler server = s_workload.CreateServerHandler(PlanOf(channels: 2), recorder);
        var peer = new RecordingPeer();
        byte[] small = new byte[SmallMessage.Size];
        new SmallMessage(1, 5).WriteTo(small);
        server.OnMessage(peer, small, worker);
        server.OnMessage(peer, new byte[100], worker);
        Assert.Equal([(SmallMessage.Size, 1), (100, 0)], peer.Sent.Select(message => message.Length).Zip(peer.Channels));
        Assert.False(peer.IsClosed);
        Assert.Equal((1, 1), (worker.Current.Counters.ServerReceived, worker.Current.Counters.ServerSent));
    }

    private static RunPlan PlanOf(int channels) => new()
    {
        Library = "Sockets",
        Test = s_workload.Name,
        Clients = 1,
        ParallelMessages = BulkInFlight,
        MessageSize = 100,
        Channels = channels,
    };
}
