namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The clients' side of PingPong in an open loop, over a link that the test controls: no network, no threads, no time that passes by itself.</summary>
public sealed class PacedClientsTests
{
    private static readonly long s_millisecond = Stopwatch.Frequency / 1000;

    [Fact]
    public void Nothing_is_sent_before_it_is_due()
    {
        using ClientLink client = Connect();
        client.Handler.OnStart(client.Ends[0], client.Worker);
        client.Tick();
        Assert.Empty(client.Sent);
        client.Due();
        Assert.Single(client.Sent);
        Assert.Equal(1, client.Counters.ClientSent);
    }

    [Fact]
    public void Messages_are_sent_whether_or_not_answers_come()
    {
        using ClientLink client = Connect();
        client.Due(times: 50);
        Assert.Equal((50, 50, 0), (client.Sent.Count, client.Recorder.InFlight(), client.Counters.ClientReceived));
        client.AnswerAll();
        Assert.Equal((50, 0, 50), (client.Sent.Count, client.Recorder.InFlight(), client.Counters.ClientReceived));
        Assert.Equal((0, 0, 0, 0), (client.Counters.Lost, client.Counters.Duplicated, client.Counters.Reordered, client.Counters.Corrupted));
    }

    [Fact]
    public void A_late_answer_counts_from_the_time_its_message_was_due()
    {
        using ClientLink client = Connect(lossDeadline: TimeSpan.Zero);
        long due = client.Due(overdue: 100 * s_millisecond);
        client.Tick();
        client.AnswerSent(0);
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - due), client.Worker.Current.Latency!.Max);
    }

    [Fact]
    public void A_round_trip_counts_from_the_time_its_message_was_due()
    {
        using ClientLink client = Connect();
        long due = client.Due(overdue: 300 * s_millisecond);
        long sentAt = client.Worker.Now;
        client.AnswerSent(0);
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - due), client.Worker.Current.Latency!.Max);
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - sentAt), client.Worker.Current.Uncorrected!.Max);
        Assert.Equal((1, 1), (client.Worker.Current.Latency!.Count, client.Worker.Current.Uncorrected!.Count));
        Assert.True(client.Worker.Current.Latency!.Max >= client.Worker.Current.Uncorrected!.Max + 300_000_000, "what it waited to be sent is a part of it");
    }

    [Fact]
    public void The_uncorrected_view_has_only_what_a_client_that_waits_for_its_answers_would_have_sent()
    {
        using ClientLink client = Connect();
        client.Due(times: 5);
        client.AnswerAll();
        Assert.Equal((5, 1), (client.Worker.Current.Latency!.Count, client.Worker.Current.Uncorrected!.Count));

        // The first of these is sent when no message is in flight, the others while it is in flight.
        client.Due(times: 3);
        client.AnswerSent(6, 7);
        Assert.Equal((7, 1), (client.Worker.Current.Latency!.Count, client.Worker.Current.Uncorrected!.Count));
        client.AnswerSent(5);
        client.Due();
        client.AnswerSent(8);
        Assert.Equal((9, 3), (client.Worker.Current.Latency!.Count, client.Worker.Current.Uncorrected!.Count));
    }

    [Fact]
    public void Every_client_waits_for_its_own_answers()
    {
        using ClientLink client = Connect(clients: 2);
        client.Due(ofClient: 0);
        client.Due(ofClient: 1);
        client.Answer(client.Sent[1], toClient: 1);
        client.Answer(client.Sent[0], toClient: 0);
        Assert.Equal(2, client.Worker.Current.Uncorrected!.Count);
    }

    [Fact]
    public void The_waiting_client_goes_on_when_its_message_is_given_up()
    {
        using ClientLink client = Connect(lossDeadline: TimeSpan.Zero);
        client.Due(times: 2);
        client.Tick();
        Assert.Equal(2, client.Counters.Lost);
        client.Due();
        client.AnswerSent(2);
        Assert.Equal((1, 1), (client.Worker.Current.Latency!.Count, client.Worker.Current.Uncorrected!.Count));
    }

    [Fact]
    public void A_message_without_answer_is_lost_after_the_deadline_and_not_replaced()
    {
        using ClientLink client = Connect(lossDeadline: TimeSpan.Zero);
        client.Due(times: 3);
        client.AnswerSent(1);
        client.Tick();
        Assert.Equal((2, 1, 3, 0), (client.Counters.Lost, client.Counters.ClientReceived, client.Sent.Count, client.Recorder.InFlight()));
    }

    [Fact]
    public void Oldest_message_is_given_up_when_the_ring_is_full()
    {
        // At ten messages per second that are given up at once, there are three slots.
        using ClientLink client = Connect(rate: 10, lossDeadline: TimeSpan.Zero);
        client.Due(times: 7);
        Assert.Equal((7, 4, 3), (client.Counters.ClientSent, client.Counters.Lost, client.Recorder.InFlight()));
        client.AnswerAll();
        Assert.Equal((7, 0, 4, 0), (client.Counters.ClientReceived, client.Counters.Lost, client.Counters.Late, client.Counters.Duplicated));
    }

    [Theory, InlineData(3), InlineData(4), InlineData(5), InlineData(6), InlineData(7)]
    public void Answer_without_a_tag_belongs_to_the_oldest_message_also_when_the_ring_was_full(int messages)
    {
        using ClientLink client = Connect(rate: 10, messageSize: 1, lossDeadline: TimeSpan.Zero);
        long[] due = [.. Enumerable.Range(0, messages).Select(_ => client.Due(overdue: 50 * s_millisecond))];
        client.AnswerSent(0);
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - due[^3]), client.Worker.Current.Latency!.Max);
    }

    [Fact]
    public void The_ring_holds_what_the_rate_can_have_in_flight_until_the_deadline()
    {
        using ClientLink client = Connect(rate: 1_000, clients: 10, lossDeadline: TimeSpan.FromSeconds(5));
        client.Due(times: 500);
        Assert.Equal((0, 500), (client.Counters.Lost, client.Recorder.InFlight()));
    }

    [Theory, InlineData(0, 2), InlineData(100, 4)]
    public void A_message_that_leaves_after_the_bound_of_its_path_is_sent_late(int delay, int milliseconds)
    {
        using ClientLink client = Connect(impairment: new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(delay) });
        long bound = milliseconds * s_millisecond;
        client.Due(overdue: bound);
        Assert.Equal(0, client.Counters.SentLate);
        client.Due(overdue: bound + 1);
        Assert.Equal((1, 2), (client.Counters.SentLate, client.Counters.ClientSent));
    }

    [Fact]
    public void In_the_drain_only_messages_that_were_due_before_are_sent()
    {
        using ClientLink client = Connect();
        long end = client.Recorder.Enter(RunPhase.Drain);
        client.DueAt(end - 1);
        client.DueAt(end);
        client.DueAt(end + 1);
        client.AnswerAll();
        Assert.Equal((1, 0), (client.Sent.Count, client.Recorder.InFlight()));
        Assert.Equal((1, 1), (client.CountersOf(RunPhase.Measure).ClientSent, client.CountersOf(RunPhase.Measure).ClientReceived));
    }

    [Fact]
    public void A_message_is_counted_in_the_phase_in_which_it_was_due_whenever_its_answer_comes()
    {
        using ClientLink client = Connect();
        client.DueAt(client.Recorder.Enter(RunPhase.WarmUp));
        long start = client.Recorder.Enter(RunPhase.Measure);
        client.DueAt(start - 1);
        client.DueAt(start);
        client.AnswerSent(0);
        client.DueAt(client.Recorder.Enter(RunPhase.Drain) - 1);
        client.AnswerAll(from: 1);
        Assert.Equal((2, 2), (client.CountersOf(RunPhase.WarmUp).ClientSent, client.CountersOf(RunPhase.WarmUp).ClientReceived));
        Assert.Equal((2, 2), (client.CountersOf(RunPhase.Measure).ClientSent, client.CountersOf(RunPhase.Measure).ClientReceived));
        Assert.Equal(2, client.Worker.Of(RunPhase.Measure).Latency!.Count);
    }

    [Fact]
    public void A_lost_message_and_its_late_answer_are_counted_in_the_phase_in_which_it_was_due()
    {
        using ClientLink client = Connect(lossDeadline: TimeSpan.Zero);
        long start = client.Recorder.Enter(RunPhase.Measure);
        client.DueAt(start);
        client.DueAt(start);
        client.Recorder.Enter(RunPhase.Drain);
        client.Tick();
        Assert.Equal((2, 0), (client.CountersOf(RunPhase.Measure).GivenUp, client.CountersOf(RunPhase.Drain).GivenUp));
        client.AnswerSent(1, 0);
        Assert.Equal((2, 2, 1), (
            client.CountersOf(RunPhase.Measure).Late, client.CountersOf(RunPhase.Measure).ClientReceived, client.CountersOf(RunPhase.Measure).Reordered));
        Assert.Equal(2, client.Worker.Of(RunPhase.Measure).Latency!.Count);
    }

    [Fact]
    public void An_answer_while_the_run_is_taken_down_does_no_harm()
    {
        using ClientLink client = Connect();
        client.Due(times: 2);
        client.Recorder.Enter(RunPhase.Stop);
        client.AnswerAll();
        Assert.Equal(0, client.Recorder.InFlight());
    }

    [Theory, InlineData(1), InlineData(2), InlineData(3)]
    public void Counters_are_exactly_what_the_link_did(int seed)
    {
        using ClientLink client = Connect(clients: 3);
        var random = new Random(seed);
        var (lost, doubled, swapped, damaged) = (0, 0, 0, 0);
        for (int step = 0; step < 5_000; step++)
        {
            int sender = random.Next(3);
            client.Due(times: 2, ofClient: sender);
            (byte[] first, byte[] second) = (client.Sent[^2], client.Sent[^1]);
            int fate = random.Next(10);
            if (fate == 3)
            {
                damaged++;
                first[random.Next(first.Length)] ^= (byte)random.Next(1, 256);
            }

            (lost, doubled, swapped) = (lost + (fate == 0 ? 1 : 0), doubled + (fate == 1 ? 1 : 0), swapped + (fate == 2 ? 1 : 0));
            byte[][] answers = fate switch { 0 => [second], 1 => [first, first, second], 2 => [second, first], _ => [first, second] };
            Array.ForEach(answers, answer => client.Answer(answer, sender));
        }

        Assert.Equal((doubled, swapped, damaged), (client.Counters.Duplicated, client.Counters.Reordered, client.Counters.Corrupted));
        Assert.Equal((10_000, lost + damaged), (client.Counters.ClientSent, client.Recorder.InFlight()));
        Assert.Equal(client.Counters.ClientReceived, client.Worker.Current.Latency!.Count);
    }

    private static ClientLink Connect(
        double rate = 1_000, int clients = 1, int messageSize = 32, TimeSpan? lossDeadline = null, ImpairmentPlan? impairment = null) =>
        new(new PingPong(), new RunPlan
        {
            Library = "none",
            Impairment = impairment ?? new ImpairmentPlan(),
            Rate = rate,
            Clients = clients,
            MessageSize = messageSize,
            LossDeadline = lossDeadline ?? TimeSpan.FromSeconds(60),
        });
}
