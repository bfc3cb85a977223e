using System.Diagnostics;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Workloads;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The clients' side of PingPong over a link that the test controls: no network, no threads, no time that passes by itself.</summary>
public sealed class PingPongTests
{
    [Fact]
    public void OnStart_fills_the_window()
    {
        using var client = new Client(parallelMessages: 5);
        client.Start();
        Assert.Equal(5, client.Link.Sent.Count);
        Assert.Equal(5, client.Recorder.InFlight());
    }

    [Fact]
    public void An_answer_is_counted_recorded_and_followed_by_the_next_message()
    {
        using var client = new Client(parallelMessages: 1);
        client.Start();
        client.Answer(client.Link.Sent[0]);
        Assert.Equal(2, client.Link.Sent.Count);
        Assert.Equal((2, 1), (client.Counters.ClientSent, client.Counters.ClientReceived));
        Assert.Equal(1, client.Worker.Current.Latency!.Count);
    }

    [Fact]
    public void Messages_of_a_lost_connection_are_lost_at_once()
    {
        using var client = new Client(parallelMessages: 3);
        client.Start();
        client.Answer(client.Link.Sent[0]);
        client.Handler.OnClosed(client.Ends[0], client.Worker);
        Assert.Equal((4, 1, 3), (client.Counters.ClientSent, client.Counters.ClientReceived, client.Counters.Lost));
        Assert.Equal(0, client.Recorder.InFlight());
    }

    [Fact]
    public void A_second_answer_is_a_duplicate_and_frees_nothing()
    {
        using var client = new Client(parallelMessages: 1);
        client.Start();
        byte[] first = client.Link.Sent[0];
        client.Answer(first);
        client.Answer(first);
        Assert.Equal((1, 1), (client.Counters.ClientReceived, client.Counters.Duplicated));
        Assert.Equal(2, client.Link.Sent.Count);
    }

    [Fact]
    public void An_answer_after_that_of_a_later_message_is_reordered()
    {
        using var client = new Client(parallelMessages: 3);
        client.Start();
        client.Answer(client.Link.Sent[1]);
        client.Answer(client.Link.Sent[0]);
        client.Answer(client.Link.Sent[2]);
        Assert.Equal((3, 1, 0), (client.Counters.ClientReceived, client.Counters.Reordered, client.Counters.Duplicated));
    }

    [Fact]
    public void Every_single_changed_byte_is_corruption()
    {
        using var client = new Client(parallelMessages: 1);
        client.Start();
        for (int position = 0; position < client.Plan.MessageSize; position++)
        {
            byte[] changed = [.. client.Link.Sent[0]];
            changed[position] ^= 0x10;
            client.Answer(changed);
        }

        Assert.Equal((0, client.Plan.MessageSize), (client.Counters.ClientReceived, client.Counters.Corrupted));
        Assert.Equal(1, client.Recorder.InFlight());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(31)]
    [InlineData(33)]
    public void An_answer_of_another_size_is_corruption(int size)
    {
        using var client = new Client(parallelMessages: 1);
        client.Start();
        client.Answer([.. client.Link.Sent[0].Concat(new byte[1]).Take(size)]);
        Assert.Equal((0, 1), (client.Counters.ClientReceived, client.Counters.Corrupted));
    }

    [Fact]
    public void Another_clients_message_is_corruption()
    {
        using var client = new Client(parallelMessages: 1, clients: 2);
        client.Start();
        byte[] ofTheFirst = client.Link.Sent[0];
        client.Answer(ofTheFirst, toClient: 1);
        Assert.Equal((0, 1), (client.Counters.ClientReceived, client.Counters.Corrupted));
    }

    [Fact]
    public void A_message_without_answer_is_lost_after_the_deadline_and_replaced()
    {
        using var client = new Client(parallelMessages: 2, lossDeadline: TimeSpan.Zero);
        client.Start();
        client.Answer(client.Link.Sent[0]);
        client.Tick();
        Assert.Equal(2, client.Counters.Lost);
        Assert.Equal(5, client.Link.Sent.Count);
        Assert.Equal(2, client.Recorder.InFlight());
    }

    [Fact]
    public void A_message_is_not_lost_while_the_processes_are_suspended_and_its_deadline_begins_anew_after_that()
    {
        using var client = new Client(parallelMessages: 2, lossDeadline: TimeSpan.Zero);
        client.Start();
        client.Recorder.Suspend();
        client.Tick();
        Assert.Equal((0, 2), (client.Counters.Lost, client.Recorder.InFlight()));
        client.Answer(client.Link.Sent[0]);
        Assert.Equal((1, 0), (client.Counters.ClientReceived, client.Worker.Current.Latency!.Count));

        client.Recorder.Resume();
        client.Tick();
        Assert.Equal(2, client.Counters.Lost);
    }

    [Fact]
    public void An_answer_that_comes_after_all_is_received_and_no_longer_lost()
    {
        using var client = new Client(parallelMessages: 1, lossDeadline: TimeSpan.Zero);
        client.Start();
        client.Tick();
        client.Answer(client.Link.Sent[0]);
        Assert.Equal((0, 1, 0), (client.Counters.Lost, client.Counters.ClientReceived, client.Counters.Duplicated));
        client.Answer(client.Link.Sent[0]);
        Assert.Equal(1, client.Counters.Duplicated);
    }

    [Fact]
    public void A_message_that_the_library_did_not_take_is_not_sent_and_tried_again()
    {
        using var client = new Client(parallelMessages: 1);
        client.Link.Takes = false;
        client.Start();
        Assert.Equal(0, client.Counters.ClientSent);
        client.Link.Takes = true;
        client.Tick();
        Assert.Equal(1, client.Counters.ClientSent);
    }

    [Fact]
    public void Nothing_is_sent_while_the_run_drains()
    {
        using var client = new Client(parallelMessages: 2);
        client.Start();
        client.Recorder.Enter(RunPhase.Drain);
        client.Answer(client.Link.Sent[0]);
        client.Answer(client.Link.Sent[1]);
        client.Tick();
        Assert.Equal(2, client.Link.Sent.Count);
        Assert.Equal(0, client.Recorder.InFlight());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(15)]
    public void A_message_too_small_for_a_tag_is_told_by_its_order(int size)
    {
        using var client = new Client(parallelMessages: 3, messageSize: size);
        client.Start();
        for (int answer = 0; answer < 10; answer++)
        {
            client.Answer(client.Link.Sent[answer]);
        }

        Assert.Equal((13, 10, 0), (client.Counters.ClientSent, client.Counters.ClientReceived, client.Counters.Corrupted));
    }

    [Theory]
    [InlineData(MessageLoad.Ones)]
    [InlineData(MessageLoad.Zeros)]
    [InlineData(MessageLoad.Random)]
    public void A_message_carries_the_load_behind_its_tag(MessageLoad load)
    {
        using var client = new Client(parallelMessages: 1, messageSize: 64, load: load);
        client.Start();
        byte[] behindTag = client.Link.Sent[0][MessageTag.Size..];
        Assert.Equal(
            load == MessageLoad.Random,
            behindTag.Distinct().Count() > 1);
        Assert.True(load == MessageLoad.Random || behindTag[0] == (load == MessageLoad.Ones ? 0xff : 0));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Counters_add_up_over_a_link_that_loses_doubles_delays_and_reorders(int seed)
    {
        using var client = new Client(parallelMessages: 20, clients: 3, lossDeadline: TimeSpan.Zero);
        var random = new Random(seed);
        var underway = new List<(byte[] Message, int Client)>();
        var (lost, doubled) = (0, 0);
        client.Start();
        for (int step = 0; step < 5_000; step++)
        {
            underway.AddRange(client.Link.Sent.Zip(client.Link.Senders));
            client.Link.Clear();
            int index = random.Next(underway.Count);
            (byte[] message, int sender) = underway[index];
            underway.RemoveAt(index);
            switch (random.Next(20))
            {
                case 0:
                    lost++;
                    break;
                case 1:
                    doubled++;
                    client.Answer(message, sender);
                    client.Answer(message, sender);
                    break;
                default:
                    client.Answer(message, sender);
                    break;
            }

            if (underway.Count + client.Link.Sent.Count == 0)
            {
                client.Tick();
            }
        }

        underway.AddRange(client.Link.Sent.Zip(client.Link.Senders));
        client.Recorder.Enter(RunPhase.Drain);
        underway.ForEach(entry => client.Answer(entry.Message, entry.Client));
        client.Tick();
        MessageCounters total = client.Recorder.Count(RunPhase.Measure, RunPhase.Drain);
        Assert.Equal(0, client.Recorder.InFlight());
        Assert.Equal(total.ClientSent, total.ClientReceived + total.Lost);
        Assert.Equal((lost, doubled, 0), (total.Lost, total.Duplicated, total.Corrupted));
        Assert.True(total.ClientReceived <= total.ClientSent);
    }

    [Fact]
    public void The_server_sends_every_message_back_as_it_came()
    {
        using var recorder = new RunRecorder();
        var link = new Link();
        IServerHandler server = new PingPong().CreateServerHandler(new RunPlan { Library = "none" }, recorder);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: false);
        recorder.Enter(RunPhase.Measure);
        LinkEnd peer = link.CreateEnd(0);
        server.OnConnected(peer, worker);
        server.OnMessage(peer, [1, 2, 3], worker);
        Assert.Equal([1, 2, 3], link.Sent.Single());
        Assert.Equal((1, 1), (worker.Current.Counters.ServerReceived, worker.Current.Counters.ServerSent));
    }

    [Fact]
    public void A_close_before_the_end_is_an_error_at_either_side()
    {
        using var client = new Client(parallelMessages: 1);
        client.Handler.OnClosed(client.Ends[0], client.Worker);
        new PingPong().CreateServerHandler(client.Plan, client.Recorder).OnClosed(client.Ends[0], client.Worker);
        Assert.Equal(["client lost its server", "server lost a peer"], client.Recorder.Errors().Keys);
    }

    private sealed class Client : IDisposable
    {
        public Client(int parallelMessages, int clients = 1, int messageSize = 32, MessageLoad load = MessageLoad.Ones, TimeSpan? lossDeadline = null)
        {
            Plan = new RunPlan
            {
                Library = "none",
                Clients = clients,
                ParallelMessages = parallelMessages,
                MessageSize = messageSize,
                MessageLoad = load,
                LossDeadline = lossDeadline ?? TimeSpan.FromHours(1),
            };
            Handler = new PingPong().CreateClientHandler(Plan, Recorder);
            Worker = Recorder.AddWorker(recordsLatency: true);
            Recorder.Enter(RunPhase.Measure);
            Worker.ReadClock();
            Ends = [.. Enumerable.Range(0, clients).Select(Link.CreateEnd)];
            Ends.ForEach(end => Handler.OnConnected(end, Worker));
        }

        public RunPlan Plan { get; }

        public RunRecorder Recorder { get; } = new();

        public IClientHandler Handler { get; }

        public WorkerStatistics Worker { get; }

        public Link Link { get; } = new();

        public List<LinkEnd> Ends { get; }

        public ref MessageCounters Counters => ref Worker.Current.Counters;

        public void Start() => Ends.ForEach(end => Handler.OnStart(end, Worker));

        public void Answer(byte[] message, int toClient = 0)
        {
            Worker.ReadClock();
            Handler.OnMessage(Ends[toClient], message, Worker);
        }

        public void Tick()
        {
            // A deadline of zero passes only when the clock has advanced after the last send.
            long before = Worker.Now;
            while (Stopwatch.GetTimestamp() <= before)
            {
                Thread.SpinWait(1);
            }

            Worker.ReadClock();
            Ends.ForEach(end => Handler.OnTick(end, Worker));
        }

        public void Dispose() => Recorder.Dispose();
    }

    private sealed class Link
    {
        public bool Takes { get; set; } = true;

        public List<byte[]> Sent { get; } = [];

        public List<int> Senders { get; } = [];

        public LinkEnd CreateEnd(int number) => new(this, number);

        public void Clear()
        {
            Sent.Clear();
            Senders.Clear();
        }
    }

    private sealed class LinkEnd(Link link, int number) : IPeer
    {
        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            if (link.Takes)
            {
                link.Sent.Add(message.ToArray());
                link.Senders.Add(number);
            }

            return link.Takes;
        }

        public void Close()
        {
        }
    }
}
