using System.Diagnostics;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Workloads;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The clients' side of PingPong in an open loop, over a link that the test controls: no network, no threads, no time that passes by itself.</summary>
public sealed class PacedClientsTests
{
    private static readonly long s_millisecond = Stopwatch.Frequency / 1000;

    [Fact]
    public void Nothing_is_sent_before_it_is_due()
    {
        using var client = new Client();
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
        using var client = new Client();
        client.Due(times: 50);
        Assert.Equal((50, 50, 0), (client.Sent.Count, client.Recorder.InFlight(), client.Counters.ClientReceived));
        client.AnswerAll();
        Assert.Equal((50, 0, 50), (client.Sent.Count, client.Recorder.InFlight(), client.Counters.ClientReceived));
        Assert.Equal((0, 0, 0, 0), (client.Counters.Lost, client.Counters.Duplicated, client.Counters.Reordered, client.Counters.Corrupted));
    }

    [Fact]
    public void A_round_trip_counts_from_the_time_its_message_was_due()
    {
        using var client = new Client();
        long due = client.Due(overdue: 300 * s_millisecond);
        long sentAt = client.Worker.Now;
        client.Answer(client.Sent[0]);
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - due), client.Latency.Max);
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - sentAt), client.Uncorrected.Max);
        Assert.Equal((1, 1), (client.Latency.Count, client.Uncorrected.Count));
        Assert.True(client.Latency.Max >= client.Uncorrected.Max + 300_000_000, "what it waited to be sent is a part of it");
    }

    [Fact]
    public void The_uncorrected_view_has_only_what_a_client_that_waits_for_its_answers_would_have_sent()
    {
        using var client = new Client();
        client.Due(times: 5);
        client.AnswerAll();
        Assert.Equal((5, 1), (client.Latency.Count, client.Uncorrected.Count));

        // The first of these is sent when no message is in flight, the others while it is in flight.
        client.Due(times: 3);
        client.Answer(client.Sent[6]);
        client.Answer(client.Sent[7]);
        Assert.Equal((7, 1), (client.Latency.Count, client.Uncorrected.Count));
        client.Answer(client.Sent[5]);
        client.Due();
        client.Answer(client.Sent[8]);
        Assert.Equal((9, 3), (client.Latency.Count, client.Uncorrected.Count));
    }

    [Fact]
    public void Every_client_waits_for_its_own_answers()
    {
        using var client = new Client(clients: 2);
        client.Due(ofClient: 0);
        client.Due(ofClient: 1);
        client.Answer(client.Sent[1], toClient: 1);
        client.Answer(client.Sent[0], toClient: 0);
        Assert.Equal(2, client.Uncorrected.Count);
    }

    [Fact]
    public void The_waiting_client_goes_on_when_its_message_is_given_up()
    {
        using var client = new Client(lossDeadline: TimeSpan.Zero);
        client.Due(times: 2);
        client.Tick();
        Assert.Equal(2, client.Counters.Lost);
        client.Due();
        client.Answer(client.Sent[2]);
        Assert.Equal((1, 1), (client.Latency.Count, client.Uncorrected.Count));
    }

    [Fact]
    public void A_second_answer_is_a_duplicate()
    {
        using var client = new Client();
        client.Due(times: 2);
        client.Answer(client.Sent[0]);
        client.Answer(client.Sent[0]);
        client.Answer(client.Sent[1]);
        client.Answer(client.Sent[0]);
        Assert.Equal((2, 2, 0), (client.Counters.ClientReceived, client.Counters.Duplicated, client.Counters.Reordered));
    }

    [Fact]
    public void An_answer_after_that_of_a_later_message_is_reordered()
    {
        using var client = new Client();
        client.Due(times: 3);
        client.Answer(client.Sent[1]);
        client.Answer(client.Sent[0]);
        client.Answer(client.Sent[2]);
        Assert.Equal((3, 1, 0), (client.Counters.ClientReceived, client.Counters.Reordered, client.Counters.Duplicated));
    }

    [Fact]
    public void Every_single_changed_byte_is_corruption()
    {
        using var client = new Client();
        client.Due(times: 3);
        for (int position = 0; position < client.Plan.MessageSize; position++)
        {
            byte[] changed = [.. client.Sent[1]];
            changed[position] ^= 0x10;
            client.Answer(changed);
        }

        Assert.Equal((0, client.Plan.MessageSize), (client.Counters.ClientReceived, client.Counters.Corrupted));
        Assert.Equal(3, client.Recorder.InFlight());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(31)]
    [InlineData(33)]
    public void An_answer_of_another_size_is_corruption(int size)
    {
        using var client = new Client();
        client.Due();
        client.Answer([.. client.Sent[0].Concat(new byte[1]).Take(size)]);
        Assert.Equal((0, 1), (client.Counters.ClientReceived, client.Counters.Corrupted));
    }

    [Fact]
    public void Another_clients_message_and_one_that_was_never_sent_are_corruption()
    {
        using var client = new Client(clients: 2);
        client.Due(ofClient: 0);
        client.Due(ofClient: 1);
        client.Answer(client.Sent[0], toClient: 1);
        byte[] ofTheFuture = [.. client.Sent[0]];
        new MessageTag(client: 1, sequence: 2, slot: 0).WriteTo(ofTheFuture);
        client.Answer(ofTheFuture);
        Assert.Equal((0, 2), (client.Counters.ClientReceived, client.Counters.Corrupted));
    }

    [Fact]
    public void A_message_without_answer_is_lost_after_the_deadline_and_not_replaced()
    {
        using var client = new Client(lossDeadline: TimeSpan.Zero);
        client.Due(times: 3);
        client.Answer(client.Sent[1]);
        client.Tick();
        Assert.Equal((2, 1), (client.Counters.Lost, client.Counters.ClientReceived));
        Assert.Equal((3, 0), (client.Sent.Count, client.Recorder.InFlight()));
    }

    [Fact]
    public void Messages_of_a_lost_connection_are_lost_at_once()
    {
        using var client = new Client();
        client.Due(times: 3);
        client.Answer(client.Sent[1]);
        client.Handler.OnClosed(client.Ends[0], client.Worker);
        Assert.Equal((2, 1), (client.Counters.Lost, client.Counters.ClientReceived));
        Assert.Equal(0, client.Recorder.InFlight());
    }

    [Fact]
    public void A_message_is_not_lost_before_the_deadline()
    {
        using var client = new Client(lossDeadline: TimeSpan.FromHours(1));
        client.Due(times: 3);
        client.Tick();
        Assert.Equal((0, 3), (client.Counters.Lost, client.Recorder.InFlight()));
    }

    [Fact]
    public void An_answer_that_comes_after_all_is_received_and_no_longer_lost()
    {
        using var client = new Client(lossDeadline: TimeSpan.Zero);
        long due = client.Due(overdue: 100 * s_millisecond);
        client.Tick();
        client.Answer(client.Sent[0]);
        Assert.Equal((0, 1, 1), (client.Counters.Lost, client.Counters.Late, client.Counters.ClientReceived));
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - due), client.Latency.Max);
        client.Answer(client.Sent[0]);
        Assert.Equal(1, client.Counters.Duplicated);
    }

    [Fact]
    public void Where_more_is_in_flight_than_can_be_the_oldest_makes_room()
    {
        // At ten messages per second that are given up at once, there are four places.
        using var client = new Client(rate: 10, lossDeadline: TimeSpan.Zero);
        client.Due(times: 7);
        Assert.Equal((7, 3, 4), (client.Counters.ClientSent, client.Counters.Lost, client.Recorder.InFlight()));
        client.AnswerAll();
        Assert.Equal((7, 0, 3), (client.Counters.ClientReceived, client.Counters.Lost, client.Counters.Late));
        Assert.Equal(0, client.Counters.Duplicated);
    }

    [Fact]
    public void The_ring_holds_what_the_rate_can_have_in_flight_until_the_deadline()
    {
        using var client = new Client(rate: 1_000, clients: 10, lossDeadline: TimeSpan.FromSeconds(5));
        client.Due(times: 500);
        Assert.Equal((0, 500), (client.Counters.Lost, client.Recorder.InFlight()));
    }

    [Fact]
    public void A_message_that_the_library_did_not_take_is_neither_sent_nor_late_nor_lost()
    {
        using var client = new Client(lossDeadline: TimeSpan.Zero);
        client.Takes = false;
        client.Due(overdue: 10 * s_millisecond);
        client.Tick();
        Assert.Equal((0, 0, 0), (client.Counters.ClientSent, client.Counters.SentLate, client.Counters.GivenUp));
        client.Takes = true;
        client.Due();
        client.Answer(client.Sent[0]);
        Assert.Equal((1, 1, 1), (client.Counters.ClientSent, client.Counters.ClientReceived, client.Uncorrected.Count));
    }

    [Fact]
    public void A_message_that_leaves_after_the_bound_is_sent_late()
    {
        using var client = new Client();
        long bound = (long)(SendSchedule.LateBound.TotalSeconds * Stopwatch.Frequency);
        client.Due(overdue: bound);
        Assert.Equal(0, client.Counters.SentLate);
        client.Due(overdue: bound + 1);
        Assert.Equal((1, 2), (client.Counters.SentLate, client.Counters.ClientSent));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(15)]
    public void A_message_too_small_for_a_tag_is_told_by_its_order(int size)
    {
        using var client = new Client(messageSize: size);
        long first = client.Due(overdue: 50 * s_millisecond);
        client.Due(times: 9);
        client.Answer(client.Sent[0]);
        Assert.Equal(RunRecorder.ToNanoseconds(client.Worker.Now - first), client.Latency.Max);
        client.AnswerAll(from: 1);
        Assert.Equal((10, 10, 0, 0), (client.Counters.ClientSent, client.Counters.ClientReceived, client.Counters.Corrupted, client.Counters.Duplicated));
        client.Answer(client.Sent[9]);
        Assert.Equal((10, 1), (client.Counters.ClientReceived, client.Counters.Duplicated));
    }

    [Fact]
    public void In_the_drain_only_messages_that_were_due_before_are_sent()
    {
        using var client = new Client();
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
        using var client = new Client();
        long warmUp = client.Recorder.Enter(RunPhase.WarmUp);
        client.DueAt(warmUp);
        long start = client.Recorder.Enter(RunPhase.Measure);
        client.DueAt(start - 1);
        client.DueAt(start);
        client.Answer(client.Sent[0]);
        long end = client.Recorder.Enter(RunPhase.Drain);
        client.DueAt(end - 1);
        client.AnswerAll(from: 1);
        Assert.Equal((2, 2), (client.CountersOf(RunPhase.WarmUp).ClientSent, client.CountersOf(RunPhase.WarmUp).ClientReceived));
        Assert.Equal((2, 2), (client.CountersOf(RunPhase.Measure).ClientSent, client.CountersOf(RunPhase.Measure).ClientReceived));
        Assert.Equal(2, client.Worker.Of(RunPhase.Measure).Latency!.Count);
    }

    [Fact]
    public void A_lost_message_and_its_late_answer_are_counted_in_the_phase_in_which_it_was_due()
    {
        using var client = new Client(lossDeadline: TimeSpan.Zero);
        long start = client.Recorder.Enter(RunPhase.Measure);
        client.DueAt(start);
        client.DueAt(start);
        client.Recorder.Enter(RunPhase.Drain);
        client.Tick();
        Assert.Equal((2, 0), (client.CountersOf(RunPhase.Measure).GivenUp, client.CountersOf(RunPhase.Drain).GivenUp));
        client.Answer(client.Sent[1]);
        client.Answer(client.Sent[0]);
        Assert.Equal((2, 2, 1), (
            client.CountersOf(RunPhase.Measure).Late, client.CountersOf(RunPhase.Measure).ClientReceived, client.CountersOf(RunPhase.Measure).Reordered));
        Assert.Equal(2, client.Worker.Of(RunPhase.Measure).Latency!.Count);
    }

    [Fact]
    public void An_answer_while_the_run_is_taken_down_does_no_harm()
    {
        using var client = new Client();
        client.Due(times: 2);
        client.Recorder.Enter(RunPhase.Stop);
        client.AnswerAll();
        Assert.Equal(0, client.Recorder.InFlight());
    }

    [Fact]
    public void A_close_before_the_end_is_an_error()
    {
        using var client = new Client();
        client.Handler.OnClosed(client.Ends[0], client.Worker);
        Assert.Equal(["client lost its server"], client.Recorder.Errors().Keys);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Counters_are_exactly_what_the_link_did(int seed)
    {
        using var client = new Client(clients: 3);
        var random = new Random(seed);
        var (lost, doubled, swapped, damaged) = (0, 0, 0, 0);
        for (int step = 0; step < 5_000; step++)
        {
            int sender = random.Next(3);
            client.Due(times: 2, ofClient: sender);
            (byte[] first, byte[] second) = (client.Sent[^2], client.Sent[^1]);
            switch (random.Next(10))
            {
                case 0:
                    lost++;
                    client.Answer(second, sender);
                    break;
                case 1:
                    doubled++;
                    client.Answer(first, sender);
                    client.Answer(first, sender);
                    client.Answer(second, sender);
                    break;
                case 2:
                    swapped++;
                    client.Answer(second, sender);
                    client.Answer(first, sender);
                    break;
                case 3:
                    damaged++;
                    first[random.Next(first.Length)] ^= (byte)random.Next(1, 256);
                    client.Answer(first, sender);
                    client.Answer(second, sender);
                    break;
                default:
                    client.Answer(first, sender);
                    client.Answer(second, sender);
                    break;
            }
        }

        Assert.Equal((doubled, swapped, damaged), (client.Counters.Duplicated, client.Counters.Reordered, client.Counters.Corrupted));
        Assert.Equal((10_000, lost + damaged), (client.Counters.ClientSent, client.Recorder.InFlight()));
        Assert.Equal(client.Counters.ClientReceived, client.Latency.Count);
    }

    private sealed class Client : IDisposable
    {
        public Client(double rate = 1_000, int clients = 1, int messageSize = 32, TimeSpan? lossDeadline = null)
        {
            Plan = new RunPlan
            {
                Library = "none",
                Rate = rate,
                Clients = clients,
                MessageSize = messageSize,
                LossDeadline = lossDeadline ?? TimeSpan.FromSeconds(60),
            };
            Handler = new PingPong().CreateClientHandler(Plan, Recorder);
            Worker = Recorder.AddWorker(recordsLatency: true);
            Recorder.Enter(RunPhase.Measure);
            Worker.ReadClock();
            Ends = [.. Enumerable.Range(0, clients).Select(_ => new End(this))];
            Ends.ForEach(end => Handler.OnConnected(end, Worker));
        }

        public bool Takes { get; set; } = true;

        public List<byte[]> Sent { get; } = [];

        public RunPlan Plan { get; }

        public RunRecorder Recorder { get; } = new(openLoop: true);

        public IClientHandler Handler { get; }

        public WorkerStatistics Worker { get; }

        public List<End> Ends { get; }

        public ref MessageCounters Counters => ref Worker.Current.Counters;

        public LatencyHistogram Latency => Worker.Current.Latency!;

        public LatencyHistogram Uncorrected => Worker.Current.Uncorrected!;

        /// <summary>Makes messages due; they are overdue by the given time.</summary>
        /// <returns>The time at which the last message was due.</returns>
        public long Due(long overdue = 0, int times = 1, int ofClient = 0)
        {
            for (int time = 0; time < times; time++)
            {
                Worker.ReadClock();
                Handler.OnDue(Ends[ofClient], Worker.Now - overdue, Worker);
            }

            return Worker.Now - overdue;
        }

        /// <summary>Makes one message due at a time.</summary>
        public void DueAt(long due)
        {
            Worker.ReadClock();
            Handler.OnDue(Ends[0], due, Worker);
        }

        public MessageCounters CountersOf(RunPhase phase) => Worker.Of(phase).Counters;

        public void Answer(byte[] message, int toClient = 0)
        {
            Worker.ReadClock();
            Handler.OnMessage(Ends[toClient], message, Worker);
        }

        public void AnswerAll(int from = 0) => Sent[from..].ForEach(message => Answer(message));

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

    private sealed class End(Client client) : IPeer
    {
        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            if (client.Takes)
            {
                client.Sent.Add(message.ToArray());
            }

            return client.Takes;
        }

        public void Close()
        {
        }
    }
}
