namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The clients' side of PingPong over a link that the test controls: no network, no threads, no time that passes by itself.</summary>
public sealed class PingPongTests
{
    [Fact]
    public void Window_is_filled_at_the_start_and_each_answer_or_lost_message_is_followed_by_the_next_message()
    {
        using ClientLink client = Connect(parallelMessages: 5, lossDeadline: TimeSpan.Zero).Started();
        Assert.Equal((5, 5), (client.Sent.Count, client.Recorder.InFlight()));
        client.AnswerSent(0);
        Assert.Equal((6, 6, 1, 1), (client.Sent.Count, client.Counters.ClientSent, client.Counters.ClientReceived, client.Worker.Current.Latency!.Count));
        client.Tick();
        Assert.Equal((5, 11, 5), (client.Counters.Lost, client.Sent.Count, client.Recorder.InFlight()));
    }

    [Fact]
    public void A_message_is_not_lost_while_the_processes_are_suspended_and_its_deadline_begins_anew_after_that()
    {
        using ClientLink client = Connect(parallelMessages: 2, lossDeadline: TimeSpan.Zero).Started();
        client.Recorder.Suspend();
        client.Tick();
        Assert.Equal((0, 2), (client.Counters.Lost, client.Recorder.InFlight()));
        client.AnswerSent(0);
        Assert.Equal((1, 0), (client.Counters.ClientReceived, client.Worker.Current.Latency!.Count));

        client.Recorder.Resume();
        client.Tick();
        Assert.Equal(2, client.Counters.Lost);
    }

    [Fact]
    public void An_answer_without_a_tag_is_timed_from_the_oldest_message_also_after_another_was_given_up()
    {
        using ClientLink client = Connect(parallelMessages: 3, messageSize: 1, lossDeadline: TimeSpan.FromMicroseconds(10)).Started();
        client.AnswerSent(0);
        for (int microsecond = 0; microsecond < 9; microsecond++)
        {
            // Nothing but time passes.
            client.Answer([0, 0]);
        }

        // The two other messages of the start are overdue, the one that followed the answer is not.
        client.Tick();
        Assert.Equal((2, 3), (client.Counters.Lost, client.Recorder.InFlight()));
        client.Answer(client.Sent[^1]);
        Assert.InRange(client.Worker.Current.Latency!.Max, 10_900, 11_100);
    }

    [Fact]
    public void Nothing_is_sent_while_the_run_drains()
    {
        using ClientLink client = Connect(parallelMessages: 2).Started();
        client.Recorder.Enter(RunPhase.Drain);
        client.AnswerSent(0, 1);
        client.Tick();
        Assert.Equal((2, 0), (client.Sent.Count, client.Recorder.InFlight()));
    }

    [Theory, InlineData(MessageLoad.Ones), InlineData(MessageLoad.Zeros), InlineData(MessageLoad.Random)]
    public void A_large_message_with_one_changed_byte_is_corrupted(MessageLoad load)
    {
        using ClientLink client = Connect(parallelMessages: 1, messageSize: 20_000, load: load).Started();
        byte[] changed = [.. client.Sent[0]];
        changed[^1] ^= 1;
        client.Answer(changed);
        client.AnswerSent(0);
        Assert.Equal((1, 1), (client.Counters.Corrupted, client.Counters.ClientReceived));
    }

    [Theory, InlineData(MessageLoad.Ones), InlineData(MessageLoad.Zeros), InlineData(MessageLoad.Random)]
    public void A_message_carries_the_load_behind_its_tag(MessageLoad load)
    {
        using ClientLink client = Connect(parallelMessages: 1, messageSize: 64, load: load).Started();
        byte[] behindTag = client.Sent[0][MessageTag.Size..];
        Assert.Equal(load == MessageLoad.Random, behindTag.Distinct().Count() > 1);
        Assert.True(load == MessageLoad.Random || behindTag[0] == (load == MessageLoad.Ones ? 0xff : 0));
    }

    [Theory, InlineData(1), InlineData(2), InlineData(3), InlineData(4)]
    public void Counters_add_up_over_a_link_that_loses_doubles_delays_and_reorders(int seed)
    {
        using ClientLink client = Connect(parallelMessages: 20, clients: 3, lossDeadline: TimeSpan.Zero);
        var random = new Random(seed);
        var underway = new List<(byte[] Message, int Client)>();
        var (lost, doubled) = (0, 0);
        client.Start();
        for (int step = 0; step < 5_000; step++)
        {
            underway.AddRange(client.Sent.Zip(client.Senders));
            client.Sent.Clear();
            client.Senders.Clear();
            int index = random.Next(underway.Count);
            (byte[] message, int sender) = underway[index];
            underway.RemoveAt(index);
            int copies = random.Next(20) switch { 0 => 0, 1 => 2, _ => 1 };
            (lost, doubled) = (lost + (copies == 0 ? 1 : 0), doubled + (copies == 2 ? 1 : 0));
            Array.ForEach([.. Enumerable.Repeat(message, copies)], copy => client.Answer(copy, sender));

            if (underway.Count + client.Sent.Count == 0)
            {
                client.Tick();
            }
        }

        underway.AddRange(client.Sent.Zip(client.Senders));
        client.Recorder.Enter(RunPhase.Drain);
        underway.ForEach(entry => client.Answer(entry.Message, entry.Client));
        client.Tick();
        MessageCounters total = client.Recorder.Count(RunPhase.Measure, RunPhase.Drain);
        Assert.Equal((0, total.ClientSent), (client.Recorder.InFlight(), total.ClientReceived + total.Lost));
        Assert.Equal((lost, doubled, 0, true), (total.Lost, total.Duplicated, total.Corrupted, total.ClientReceived <= total.ClientSent));
    }

    [Fact]
    public void Sizes_of_a_range_are_uniformly_distributed_and_the_same_for_the_same_seed()
    {
        const int Messages = 97_000;
        using ClientLink first = ConnectRange(seed: 1);
        using ClientLink again = ConnectRange(seed: 1);
        using ClientLink other = ConnectRange(seed: 2);
        int[] sizes = SizesOf(first, Messages);
        Assert.Equal(sizes[..100], SizesOf(again, 100));
        Assert.NotEqual(sizes[..100], SizesOf(other, 100));
        int[] counts = [.. sizes.GroupBy(size => size).OrderBy(group => group.Key).Select(group => group.Count())];
        Assert.Equal((32, 128, 97), (sizes.Min(), sizes.Max(), counts.Length));

        // Each size has a binomial count with a mean of 1,000 and a standard deviation of 31.
        Assert.All(counts, count => Assert.InRange(count, 800, 1_200));
        Assert.Equal((Messages, 0), (first.Counters.ClientReceived, first.Counters.Corrupted));
    }

    [Fact]
    public void An_answer_of_another_size_in_the_range_is_corrupted()
    {
        using ClientLink client = ConnectRange(seed: 1).Started();
        byte[] message = client.Sent[0];
        client.Answer(message[..^1]);
        client.Answer([.. message, 0xff]);
        client.Answer([.. message[..^1], 0]);
        Assert.Equal((3, 0), (client.Counters.Corrupted, client.Counters.ClientReceived));
        client.Answer(message);
        Assert.Equal(1, client.Counters.ClientReceived);
    }

    [Fact]
    public void Recorded_messages_are_sent_in_their_order_again_and_again_and_each_client_begins_at_another()
    {
        using ClientLink link = ConnectPayload(clients: 8, seed: 1).Started();
        Array.ForEach([.. Enumerable.Range(0, 8 * 12)], message => link.Answer(link.Sent[message], link.Senders[message]));
        int[][] orders =
        [
            .. link.Sent.Zip(link.Senders).GroupBy(sent => sent.Second)
                .Select(ofClient => ofClient.Select(sent => NumberOf(sent.First)).ToArray()),
        ];
        Assert.All(orders, order => Assert.Equal(Enumerable.Range(order[0], order.Length).Select(message => message % s_recorded.Length), order));
        Assert.True(orders.Select(order => order[0]).Distinct().Count() > 1);
        Assert.Equal((8 * 12, 0), (link.Counters.ClientReceived, link.Counters.Corrupted));

        // The same start for the same seed.
        using ClientLink again = ConnectPayload(clients: 8, seed: 1);
        using ClientLink other = ConnectPayload(clients: 8, seed: 2);
        again.Start();
        other.Start();
        Assert.Equal(link.Sent[..8], again.Sent);
        Assert.NotEqual(link.Sent[..8], other.Sent);
    }

    [Fact]
    public void An_answer_that_is_not_the_recorded_message_is_corrupted()
    {
        using ClientLink link = ConnectPayload(clients: 1, seed: 1).Started();
        byte[] message = link.Sent[0];
        link.Answer(message[..^1]);
        link.Answer([.. message, 0]);
        link.Answer([.. message[..^1], (byte)(message[^1] + 1)]);
        link.Answer([.. message[..MessageTag.Size], .. s_recorded[(NumberOf(message) + 1) % s_recorded.Length][MessageTag.Size..]]);
        link.Answer([.. s_recorded.SelectMany(recorded => recorded)]);
        Assert.Equal((5, 0), (link.Counters.Corrupted, link.Counters.ClientReceived));
        link.Answer(message);
        Assert.Equal(1, link.Counters.ClientReceived);
    }

    [Fact]
    public void Server_sends_each_message_back_as_it_came_and_counts_a_lost_peer()
    {
        using ClientLink link = Connect(parallelMessages: 1);
        IServerHandler server = new PingPong().CreateServerHandler(new RunPlan { Library = "none" }, link.Recorder);
        server.OnConnected(link.Ends[0], link.Worker);
        server.OnMessage(link.Ends[0], [1, 2, 3], link.Worker);
        Assert.Equal([1, 2, 3], link.Sent.Single());
        Assert.Equal((1, 1), (link.Counters.ServerReceived, link.Counters.ServerSent));
        server.OnClosed(link.Ends[0], link.Worker);
        Assert.Equal(["server lost a peer"], link.Recorder.Errors().Keys);
    }

    private static readonly byte[][] s_recorded =
        [.. Enumerable.Range(0, 5).Select(message => Enumerable.Repeat((byte)message, 20 + (10 * message)).ToArray())];

    private static int NumberOf(byte[] sent)
    {
        int number = sent[^1];
        Assert.Equal(s_recorded[number][MessageTag.Size..], sent[MessageTag.Size..]);
        return number;
    }

    private static ClientLink ConnectPayload(int clients, int seed) => new(new PingPong(), new Payload("chat.txt", s_recorded.Length, 40, "abc")
    {
        Content = s_recorded,
    }.AddTo(new RunPlan { Library = "none", Clients = clients, Seed = seed }));

    private static ClientLink ConnectRange(int seed) =>
        new(new PingPong(), new RunPlan { Library = "none", Clients = 1, SmallestMessage = 32, MessageSize = 128, Seed = seed });

    private static int[] SizesOf(ClientLink client, int messages)
    {
        client.Start();
        Array.ForEach([.. Enumerable.Range(0, messages)], message => client.AnswerSent(message));
        return [.. client.Sent.Take(messages).Select(message => message.Length)];
    }

    private static ClientLink Connect(
        int parallelMessages, int clients = 1, int messageSize = 32, MessageLoad load = MessageLoad.Ones, TimeSpan? lossDeadline = null) =>
        new(new PingPong(), new RunPlan
        {
            Library = "none",
            Clients = clients,
            ParallelMessages = parallelMessages,
            MessageSize = messageSize,
            MessageLoad = load,
            LossDeadline = lossDeadline ?? TimeSpan.FromHours(1),
        });
}
