namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>What every library in the build must do with the messages of a run, and when. A new library is tested without any change here.</summary>
public sealed class LibraryDeliveryTests
{
    private const int SmallSize = 32;

    // Larger messages make fewer round trips, which are still two windows of every client.
    private const int LargeSize = 60_000;

    [Theory, MemberData(nameof(LibraryUnderTest.Sizes), MemberType = typeof(LibraryUnderTest))]
    public async Task Send_delivers_exact_bytes_there_and_back(string name, Protocol protocol, Transmission transmission, int size)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 4, size, transmission: transmission);
        await AssertEchoesAsync(session, roundTrips: size > LargeSize ? 3 : 10);
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Transmissions), MemberType = typeof(LibraryUnderTest))]
    public async Task Messages_of_all_sizes_in_a_range_come_back_as_they_were_sent(string name, Protocol protocol, Transmission transmission)
    {
        const int RoundTrips = 2_000;
        await using var session = new Session(
            LibraryUnderTest.Create(name), protocol, clients: 2, messageSize: 1_000, parallelMessages: 20, transmission: transmission,
            framing: protocol.IsStream() ? Framing.Length : Framing.Fixed, smallestMessage: RunPlan.SmallestOfRange);
        var workload = new PingPong();
        session.Handlers = (workload.CreateServerHandler(session.Plan, session.Recorder), workload.CreateClientHandler(session.Plan, session.Recorder));
        await session.LoadAsync();
        await Wait.UntilAsync(
            () => session.Recorder.Count(RunPhase.Measure) is var counters && counters.ClientReceived >= RoundTrips,
            () => $"only {session.Recorder.Count(RunPhase.Measure).ClientReceived} messages came back");
        Assert.Equal(0, session.Recorder.Count(RunPhase.Measure).Corrupted);
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory, MemberData(nameof(LibraryUnderTest.StreamSizes), MemberType = typeof(LibraryUnderTest))]
    public async Task Every_way_to_send_delivers_exact_bytes_of_a_whole_window(string name, Protocol protocol, string send, Framing framing, int size)
    {
        await using var session = new Session(
            LibraryUnderTest.Create(name), protocol, clients: 2, size, parallelMessages: 20, setting: (StreamSendSetting.Setting.Name, send), framing: framing);
        await AssertEchoesAsync(session, roundTrips: size > LargeSize ? 40 : 100);
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Settings), MemberType = typeof(LibraryUnderTest))]
    public async Task Every_value_of_a_setting_delivers_exact_bytes_there_and_back(string name, Protocol protocol, string setting, string value)
    {
        // Together the messages fit into the server's socket buffer, even if an ordinary user runs this and the server cannot read in time.
        const int Clients = 2;
        const int Window = 200;
        const int RoundTrips = 5;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, Window, setting: (setting, value));
        var (right, wrong) = (new Tally(), new Tally());
        session.Client.Started = peer =>
        {
            // The number of further answers that are expected for each number.
            var left = new Dictionary<int, int>();
            peer.State = left;
            for (int number = 0; number < Window; number++)
            {
                left[number] = RoundTrips;
                Assert.True(peer.Send(Message(number)));
            }
        };
        session.Client.Message = (peer, answer) =>
        {
            int number = BitConverter.ToInt32(answer);
            bool expected = answer.AsSpan().SequenceEqual(Message(number)) && ((Dictionary<int, int>)peer.State!)[number]-- > 0;
            (expected ? right : wrong).Add();
            if (((Dictionary<int, int>)peer.State!)[number] > 0)
            {
                peer.Send(answer);
            }
        };
        await session.LoadAsync();
        await right.ReachesAsync(Clients * Window * RoundTrips, "messages came back as they were sent");
        Assert.Equal(0, wrong.Count);
        Assert.Empty(session.Recorder.Errors());

        static byte[] Message(int number)
        {
            var message = new byte[SmallSize];
            message.AsSpan().Fill((byte)number);
            BitConverter.TryWriteBytes(message, number);
            return message;
        }
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Transmissions), MemberType = typeof(LibraryUnderTest))]
    public async Task A_whole_window_can_be_in_flight(string name, Protocol protocol, Transmission transmission)
    {
        const int Clients = 3;
        const int Window = 100;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, Window, transmission: transmission);
        var answers = new Tally();

        // The server holds every message back until the whole window of its client has arrived.
        session.Server.Message = (peer, message) =>
        {
            var held = (List<byte[]>)(peer.State ??= new List<byte[]>());
            held.Add(message);
            if (held.Count == Window)
            {
                held.ForEach(kept => peer.Send(kept));
            }
        };
        session.Client.Started = peer =>
        {
            for (int number = 0; number < Window; number++)
            {
                peer.Send(Enumerable.Repeat((byte)number, SmallSize).ToArray());
            }
        };
        session.Client.Message = (_, _) => answers.Add();
        await session.LoadAsync();
        await answers.ReachesAsync(Clients * Window, "answers to messages that were in flight together");
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Transports), MemberType = typeof(LibraryUnderTest))]
    public async Task OnTick_comes_without_any_message(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 2, SmallSize);
        await session.StartAsync();
        await session.Client.Ticks.ReachesAsync(6, "ticks of two idle clients");
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Transports), MemberType = typeof(LibraryUnderTest))]
    public async Task OnDue_comes_at_the_times_of_the_schedule_in_order_and_never_early(string name, Protocol protocol)
    {
        const int Clients = 7;
        const int Rounds = 40;
        const double Rate = 1_000;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, rate: Rate);
        var (calls, wrong, done) = (new ConcurrentDictionary<IPeer, List<long>>(), new Tally(), new Tally());
        session.Client.Due = (peer, due, worker) =>
        {
            if (worker.Now < due || worker.Now > Stopwatch.GetTimestamp())
            {
                wrong.Add();
            }

            List<long> ofPeer = calls.GetOrAdd(peer, _ => []);
            if (ofPeer.Count < Rounds)
            {
                ofPeer.Add(due);
                done.Add();
            }
        };
        await session.StartAsync();
        long before = Stopwatch.GetTimestamp();
        session.Load();
        await done.ReachesAsync(Clients * Rounds, "messages became due");
        Assert.Equal(0, wrong.Count);
        long[] dues = [.. calls.Values.SelectMany(ofPeer => ofPeer).Order()];
        var schedule = new SendSchedule(Rate, Clients);
        Assert.InRange(dues[0], before, Stopwatch.GetTimestamp());
        Assert.Equal(Enumerable.Range(0, Clients * Rounds).Select(message => schedule.DueAt(dues[0], message / Clients, message % Clients)), dues);
        Assert.All(calls.Values, ofPeer =>
        {
            int client = dues.IndexOf(ofPeer[0]);
            Assert.InRange(client, 0, Clients - 1);
            Assert.Equal(Enumerable.Range(0, Rounds).Select(round => schedule.DueAt(dues[0], round, client)), ofPeer);
        });
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Transports), MemberType = typeof(LibraryUnderTest))]
    public async Task What_is_sent_when_it_is_due_reaches_the_server(string name, Protocol protocol)
    {
        const int Clients = 3;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, rate: 300);
        var answers = new Tally();
        session.Client.Due = (peer, _, _) => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => answers.Add();
        await session.LoadAsync();
        await answers.ReachesAsync(50, "answers to messages that were due");
        Assert.Empty(session.Recorder.Errors());
    }

    // Streams: unsolicited messages that are not read must not accumulate without bound, and all of them arrive once they are read.
    [Theory, MemberData(nameof(LibraryUnderTest.SendingUnaskedInEveryWay), MemberType = typeof(LibraryUnderTest))]
    public async Task Server_push_is_as_fast_as_its_peers_read(string name, Protocol protocol, string? send)
    {
        const int Clients = 3;
        const int Asked = 20_000;
        await using var session = new Session(
            LibraryUnderTest.Create(name), protocol, Clients, SmallSize, setting: send is null ? null : (StreamSendSetting.Setting.Name, send));
        var (arrived, nested) = (new Tally(), new Tally());
        session.Server.Message = (peer, _) => SendOn(peer);
        session.Server.Writable = SendOn;
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => arrived.Add();
        await session.LoadAsync();
        await arrived.ReachesAsync(protocol.IsStream() ? Clients * Asked : 1_000, "messages that nobody asked for");
        Assert.Equal(0, nested.Count);
        Assert.Empty(session.Recorder.Errors());

        void SendOn(IPeer peer)
        {
            var state = (Sender)(peer.State ??= new Sender());
            if (state.IsSending)
            {
                nested.Add();
            }

            state.IsSending = true;
            while (state.Sent < Asked && !peer.IsCongested)
            {
                state.Sent++;
                peer.Send(new byte[SmallSize]);
            }

            state.IsSending = false;
        }
    }

    [Theory, MemberData(nameof(LibraryUnderTest.SendingUnasked), MemberType = typeof(LibraryUnderTest))]
    public async Task Wake_from_another_thread_is_followed_by_OnWritable(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 1, SmallSize);
        var (woken, arrived) = (new Tally(), new Tally());
        var connected = new TaskCompletionSource<IPeer>(TaskCreationOptions.RunContinuationsAsynchronously);
        session.Server.Message = (peer, _) => connected.TrySetResult(peer);
        session.Server.Writable = peer =>
        {
            woken.Add();
            peer.Send(new byte[SmallSize]);
        };
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => arrived.Add();
        await session.LoadAsync();
        IPeer peer = await connected.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        for (int wake = 1; wake <= 3; wake++)
        {
            await Task.Run(peer.Wake, TestContext.Current.CancellationToken);
            await woken.ReachesAsync(1, "calls after a wake");
            await arrived.ReachesAsync(1, "messages sent when woken");
        }

        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(1, "close seen by the server");
        peer.Wake();
    }

    // With so many clients, the kernel's hash assigns all of them to one of two sockets in one of 2^99 runs.
    [Theory, MemberData(nameof(LibraryUnderTest.WithServerThreads), MemberType = typeof(LibraryUnderTest))]
    public async Task Two_server_threads_serve_the_clients_of_one_port_together(string name, Protocol protocol)
    {
        const int Clients = 100;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, serverThreads: 2);
        var threads = new ConcurrentDictionary<int, bool>();
        var answers = new Tally();
        session.Server.Message = (peer, message) =>
        {
            threads[Environment.CurrentManagedThreadId] = true;
            peer.Send(message);
        };
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) => answers.Add();
        await session.LoadAsync();
        await answers.ReachesAsync(Clients, "answers of two threads");
        Assert.Equal(2, threads.Count);
        Assert.Equal((Clients, Clients), (session.Server.Connected.Count, answers.Count));
        Assert.Empty(session.Recorder.Errors());
        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(Clients, "closes seen by the server");
    }

    [Theory, MemberData(nameof(LibraryUnderTest.WithClientThreads), MemberType = typeof(LibraryUnderTest))]
    public async Task Clients_have_as_many_threads_as_requested_and_not_more_than_clients(string name, Protocol protocol)
    {
        Assert.Equal(2, await ClientThreadsAsync(name, protocol, clients: 5, clientThreads: 2));
        Assert.Equal(3, await ClientThreadsAsync(name, protocol, clients: 3, clientThreads: 4));
    }

    // Each client keeps its window in flight, and sends a message so many times.
    private static async Task AssertEchoesAsync(Session session, int roundTrips)
    {
        byte[] message = new byte[session.Plan.MessageSize];
        new Random(message.Length).NextBytes(message);
        var (right, wrong) = (new Tally(), new Tally());
        session.Client.Started = peer =>
        {
            peer.State = session.Plan.ParallelMessages;
            for (int number = 0; number < session.Plan.ParallelMessages; number++)
            {
                Assert.True(peer.Send(message));
            }
        };
        session.Client.Message = (peer, answer) =>
        {
            (answer.AsSpan().SequenceEqual(message) ? right : wrong).Add();
            peer.State = (int)peer.State! + 1;
            if ((int)peer.State <= roundTrips)
            {
                peer.Send(message);
            }
        };
        await session.LoadAsync();
        await right.ReachesAsync(session.Plan.Clients * roundTrips, "messages came back as they were sent");
        Assert.Equal(0, wrong.Count);
        Assert.Empty(session.Recorder.Errors());
    }

    private static async Task<int> ClientThreadsAsync(string name, Protocol protocol, int clients, int clientThreads)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients, SmallSize, clientThreads: clientThreads);
        var threads = new ConcurrentDictionary<int, bool>();
        var answers = new Tally();
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (_, _) =>
        {
            threads[Environment.CurrentManagedThreadId] = true;
            answers.Add();
        };
        await session.LoadAsync();
        await answers.ReachesAsync(clients, "answers to clients on several threads");
        Assert.Empty(session.Recorder.Errors());
        return threads.Count;
    }

    private sealed class Sender
    {
        public int Sent { get; set; }
        public bool IsSending { get; set; }
    }
}
