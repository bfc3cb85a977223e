namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>Both sides of Multicast over a link made of lists: no network, and no thread except that of the schedule.</summary>
public sealed class MulticastTests
{
    [Fact]
    public async Task A_client_asks_with_one_message_and_gets_as_much_as_its_link_takes()
    {
        await using var link = new MulticastLink();
        link.Start();
        Assert.Single(link.FromClient);
        link.CarryToServer();
        Assert.Equal(MulticastLink.Capacity, link.ToClient.Count);
        link.CarryToClient();
        Assert.Equal((MulticastLink.Capacity, MulticastLink.Capacity, 0), (link.Counters.ServerSent, link.Counters.ClientReceived, link.Counters.Lost));
        Assert.Equal(MulticastLink.Capacity, link.Worker.Current.Latency!.Count);
        Assert.Equal([MulticastLink.Capacity], link.ClientHandler.ReceivedByClient);
    }

    [Fact]
    public async Task A_congested_link_gets_no_more_until_it_is_writable()
    {
        await using var link = new MulticastLink();
        link.Begin();
        link.Server.OnWritable(link.AtServer, link.Worker);
        Assert.Equal(MulticastLink.Capacity, link.ToClient.Count);
        link.CarryToClient();
        link.Server.OnWritable(link.AtServer, link.Worker);
        Assert.Equal(MulticastLink.Capacity, link.ToClient.Count);
    }

    [Fact]
    public async Task Lost_doubled_and_swapped_messages_are_counted()
    {
        await using var link = new MulticastLink();
        link.Begin();
        List<byte[]> sent = [.. link.ToClient];
        link.ToClient.Clear();
        Array.ForEach([0, 2, 1, 3, 3, 6], index => link.Deliver(sent[index]));
        Assert.Equal(
            (5, 2, 1, 1, 0), (link.Counters.ClientReceived, link.Counters.Lost, link.Counters.Duplicated, link.Counters.Reordered, link.Counters.Corrupted));
    }

    [Fact]
    public async Task A_message_with_a_changed_byte_of_another_size_or_of_another_client_is_corrupted()
    {
        await using var link = new MulticastLink(messageSize: 40);
        link.Begin();
        byte[] sent = link.ToClient[0];
        byte[] others = [.. sent];
        new PushTag(receiver: 2, sequence: 1, link.Worker.Now).WriteTo(others);
        byte[][] wrong = [.. sent.Select((value, position) => (byte[])[.. sent[..position], (byte)(value ^ 0x10), .. sent[(position + 1)..]])];
        wrong = [.. wrong, [], sent[..^1], [.. sent, 0], others];
        Array.ForEach(wrong, message => link.Deliver(message));
        Assert.Equal((0, sent.Length + 4), (link.Counters.ClientReceived, link.Counters.Corrupted));
    }

    [Fact]
    public async Task The_latency_is_from_the_send_to_the_receive_call()
    {
        await using var link = new MulticastLink();
        link.Begin();
        long sent = PushTag.ReadFrom(link.ToClient[0]).Time;
        link.Deliver(link.ToClient[0]);
        Assert.Equal(RunRecorder.ToNanoseconds(link.Worker.Now - sent), link.Worker.Current.Latency!.Max);
    }

    [Fact]
    public async Task A_burst_that_came_with_one_reading_of_the_clock_is_not_received_before_it_was_sent()
    {
        await using var link = new MulticastLink();
        link.Start();
        long before = link.Worker.Now;
        link.CarryToServer();
        link.CarryToClient(readsClock: false);
        Assert.InRange(link.Worker.Now, before + 1, long.MaxValue);
        Assert.Equal(MulticastLink.Capacity, link.Worker.Current.Latency!.Count);
    }

    [Fact]
    public async Task When_the_run_drains_the_client_asks_for_the_end_and_accounts_for_what_it_lost_of_the_tail()
    {
        await using var link = new MulticastLink();
        link.Begin();
        link.ToClient.RemoveRange(MulticastLink.Capacity - 3, 3);
        link.CarryToClient();
        Assert.Equal((1, 0), (link.ClientHandler.Awaited, link.Counters.Lost));
        link.Recorder.Enter(RunPhase.Drain);
        link.Tick();
        Assert.Single(link.FromClient);
        link.CarryToServer();
        link.CarryToClient();
        link.Tick(times: 3);
        Assert.Equal((0, 3), (link.ClientHandler.Awaited, link.Counters.Lost));
        Assert.Equal([MulticastLink.Capacity - 3], link.ClientHandler.ReceivedByClient);
    }

    [Fact]
    public async Task Nothing_is_sent_after_the_end_though_the_request_to_start_comes_again()
    {
        await using var link = new MulticastLink();
        link.Start();
        byte[] start = link.FromClient[0];
        link.CarryToServer();
        link.CarryToClient();
        link.Recorder.Enter(RunPhase.Drain);
        link.Tick();
        link.CarryToServer();
        link.CarryToClient();
        link.Recorder.Enter(RunPhase.Measure);
        link.FromClient.Add(start);
        link.CarryToServer();
        link.Server.OnWritable(link.AtServer, link.Worker);
        Assert.Empty(link.ToClient);
    }

    [Fact]
    public async Task Request_is_retransmitted_until_the_first_message_arrives()
    {
        await using var link = new MulticastLink();
        link.Start();
        link.FromClient.Clear();
        link.Tick(times: 8);
        Assert.Equal(2, link.FromClient.Count);
        link.FromClient.RemoveAt(1);
        link.CarryToServer();
        link.CarryToClient();
        link.Tick(times: 8);
        Assert.Empty(link.FromClient);
    }

    [Fact]
    public async Task A_damaged_request_is_no_request()
    {
        await using var link = new MulticastLink();
        link.Start();
        for (int position = 0; position < PushTag.Size; position++)
        {
            // Bytes 1 to 3 have no meaning.
            byte[] changed = [.. link.FromClient[0]];
            changed[position] ^= (byte)PushRequestKind.Stop;
            Assert.Equal(position is > 0 and < 4 ? PushRequestKind.Start : PushRequestKind.None, PushRequest.Read(changed).Kind);
        }
    }

    [Fact]
    public async Task Messages_too_small_for_a_tag_are_counted_and_their_end_is_silence()
    {
        await using var link = new MulticastLink(messageSize: 1);
        link.Begin();
        link.CarryToClient();
        Assert.Equal((MulticastLink.Capacity, 0), (link.Counters.ClientReceived, link.Worker.Current.Latency!.Count));
        link.Recorder.Enter(RunPhase.Drain);
        link.Tick();
        link.CarryToServer();
        link.CarryToClient();
        link.Tick(times: 3);
        Assert.Equal((0, 0), (link.ClientHandler.Awaited, link.Counters.Corrupted));
    }

    [Fact]
    public async Task With_a_rate_a_message_counts_from_when_it_was_due_and_its_peer_is_woken()
    {
        await using var link = new MulticastLink(rate: 2_000);
        link.Begin();
        await link.AtServer.Woken.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        MulticastLink.Spin(milliseconds: 20);
        link.Server.OnWritable(link.AtServer, link.Worker);
        Assert.InRange(link.ToClient.Count, 10, MulticastLink.Capacity);
        long[] times = [.. link.ToClient.Select(message => PushTag.ReadFrom(message).Time)];
        Assert.All(
            times.Skip(1).Zip(times), pair => Assert.InRange(pair.First - pair.Second, (Stopwatch.Frequency / 2_000) - 1, (Stopwatch.Frequency / 2_000) + 1));
        Assert.InRange(link.Counters.SentLate, 1, link.ToClient.Count);
        Assert.InRange(times[^1], 0, Stopwatch.GetTimestamp());
    }

    [Fact]
    public async Task With_a_rate_a_server_that_stood_still_over_the_end_sends_what_was_due_before_it_and_nothing_more()
    {
        const int Rate = 200;
        await using var link = new MulticastLink(rate: Rate);
        link.Begin();
        MulticastLink.Spin(milliseconds: 50);
        long end = link.Recorder.Enter(RunPhase.Drain);
        MulticastLink.Spin(milliseconds: 20);

        // The request to stop is the first thing that the server finds.
        var times = new List<long>();
        for (int attempt = 0; attempt < 20 && link.ClientHandler.Awaited > 0; attempt++)
        {
            link.Tick();
            link.CarryToServer();
            times.AddRange(link.ToClient.Select(message => PushTag.ReadFrom(message)).Where(tag => !tag.IsEnd).Select(tag => tag.Time));
            link.CarryToClient();
        }

        Assert.Equal(0, link.ClientHandler.Awaited);
        Assert.InRange(times[^1], end - (Stopwatch.Frequency / Rate) - 1, end - 1);
        MessageCounters measured = link.Recorder.Count(RunPhase.Measure);
        Assert.Equal((times.Count, times.Count, 0), (measured.ServerSent, measured.ClientReceived, link.Counters.Lost));
        Assert.Equal([times.Count], link.ClientHandler.ReceivedByClient);
        Assert.Equal(times.Count, link.Recorder.Latency().Count);
    }

    [Fact]
    public async Task Group_is_sent_to_until_the_last_client_stops()
    {
        await using var link = new MulticastLink(group: true);
        RecordingPeer group = link.ConnectGroup();
        link.Server.OnWritable(group, link.Worker);
        Assert.Empty(group.Sent);
        link.Begin();
        Assert.Equal((1, 0), (group.Wakes, link.ToClient.Count));
        link.Server.OnWritable(group, link.Worker);
        Assert.Equal(MulticastLink.Capacity, group.Sent.Count);
        group.Sent.ForEach(message => link.Deliver(message));
        Assert.Equal((MulticastLink.Capacity, 0), (link.Counters.ClientReceived, link.Counters.Corrupted));

        link.Recorder.Enter(RunPhase.Drain);
        link.Tick();
        link.CarryToServer();
        link.Recorder.Enter(RunPhase.Measure);
        group.Sent.Clear();
        link.Server.OnWritable(group, link.Worker);
        Assert.Empty(group.Sent);
    }

    [Fact]
    public async Task A_connection_that_ends_before_its_time_is_an_error_and_is_waited_for_no_more()
    {
        await using var link = new MulticastLink();
        link.Begin();
        link.ClientHandler.OnClosed(link.AtClient, link.Worker);
        link.Server.OnClosed(link.AtServer, link.Worker);
        Assert.Equal(["client lost its server", "server lost a peer"], link.Recorder.Errors().Keys);
        Assert.Equal(0, link.ClientHandler.Awaited);
    }
}

/// <summary>Both sides of Multicast over a link made of lists: no network, and no thread except that of the schedule.</summary>
internal sealed class MulticastLink : IAsyncDisposable
{
    public const int Capacity = 100;

    public MulticastLink(int messageSize = 32, double? rate = null, bool group = false)
    {
        var plan = new RunPlan
        {
            Library = "none",
            Clients = 1,
            MessageSize = messageSize,
            MessageLoad = MessageLoad.Random,
            Rate = rate,
            Address = group ? "239.255.0.1" : "127.0.0.1",
        };
        var workload = new Multicast();
        Server = workload.CreateServerHandler(plan, Recorder);
        ClientHandler = workload.CreateClientHandler(plan, Recorder);
        Worker = Recorder.AddWorker(recordsLatency: true);
        Recorder.Enter(RunPhase.Measure);
        Worker.ReadClock();
        AtServer = new RecordingPeer(ToClient) { Capacity = Capacity };
        AtClient = new RecordingPeer(FromClient);
        Server.OnConnected(AtServer, Worker);
        ClientHandler.OnConnected(AtClient, Worker);
    }

    public RunRecorder Recorder { get; } = new();
    public IServerHandler Server { get; }
    public IClientHandler ClientHandler { get; }
    public WorkerStatistics Worker { get; }
    public RecordingPeer AtServer { get; }
    public RecordingPeer AtClient { get; }
    public List<byte[]> ToClient { get; } = [];
    public List<byte[]> FromClient { get; } = [];

    // Counts of the measurement and the drain together.
    public MessageCounters Counters => Recorder.Count(RunPhase.Measure, RunPhase.Drain);

    public static void Spin(double milliseconds)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start).TotalMilliseconds < milliseconds)
        {
            Thread.SpinWait(1);
        }
    }

    public RecordingPeer ConnectGroup()
    {
        var group = new RecordingPeer { Capacity = Capacity, IsGroup = true };
        Server.OnConnected(group, Worker);
        return group;
    }

    public void Start() => ClientHandler.OnStart(AtClient, Worker);

    public void Begin()
    {
        Start();
        CarryToServer();
    }

    public void CarryToServer()
    {
        byte[][] messages = [.. FromClient];
        FromClient.Clear();
        Array.ForEach(messages, message => Server.OnMessage(AtServer, message, Worker));
        if (AtServer.TakeWakes() > 0)
        {
            Server.OnWritable(AtServer, Worker);
        }
    }

    public void CarryToClient(bool readsClock = true)
    {
        byte[][] messages = [.. ToClient];
        ToClient.Clear();
        Array.ForEach(messages, message => Deliver(message, readsClock));
    }

    public void Deliver(byte[] message, bool readsClock = true)
    {
        if (readsClock)
        {
            Worker.ReadClock();
        }

        ClientHandler.OnMessage(AtClient, message, Worker);
    }

    public void Tick(int times = 1)
    {
        for (int time = 0; time < times; time++)
        {
            Worker.ReadClock();
            ClientHandler.OnTick(AtClient, Worker);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await ((IAsyncDisposable)Server).DisposeAsync();
        Recorder.Dispose();
    }
}
