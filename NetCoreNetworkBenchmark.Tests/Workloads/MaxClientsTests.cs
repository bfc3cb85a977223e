using System.Diagnostics;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Workloads.Capacity;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The clients of MaxClients over a link that the test controls: no network and no threads.</summary>
public sealed class MaxClientsTests : IDisposable
{
    private static readonly TimeSpan s_never = TimeSpan.FromHours(1);

    private readonly RunRecorder _recorder = new();

    [Theory]
    [InlineData(32)]
    [InlineData(1)]
    public void A_client_sends_one_message_and_no_more_when_its_answer_has_come(int size)
    {
        Client client = Start(s_never, size);
        client.Answer(client.Sent[0]);
        client.Tick();
        Assert.Single(client.Sent);
        Assert.Equal((1, 1, 0), (client.Counters.ClientSent, client.Counters.ClientReceived, client.Counters.GivenUp));
        Assert.Equal(1, client.Worker.Current.Latency!.Count);
    }

    [Fact]
    public void A_second_answer_is_a_duplicate_and_counts_no_second_client()
    {
        Client client = Start(s_never);
        client.Answer(client.Sent[0]);
        client.Answer(client.Sent[0]);
        Assert.Equal((1, 1), (client.Counters.ClientReceived, client.Counters.Duplicated));
    }

    [Fact]
    public void A_damaged_answer_is_none()
    {
        Client client = Start(s_never);
        byte[] changed = [.. client.Sent[0]];
        changed[^1] ^= 1;
        client.Answer(changed);
        Assert.Equal((0, 1), (client.Counters.ClientReceived, client.Counters.Corrupted));
    }

    [Fact]
    public void The_answer_to_another_client_is_none()
    {
        Client first = Start(s_never);
        var second = new Client(first);
        second.Start();
        second.Answer(first.Sent[0]);
        Assert.Equal((0, 1), (first.Counters.ClientReceived, first.Counters.Corrupted));
    }

    [Fact]
    public void A_client_whose_deadline_has_passed_is_given_up_and_a_late_answer_does_not_count()
    {
        Client client = Start(TimeSpan.Zero);
        client.Tick();
        client.Answer(client.Sent[0]);
        Assert.Equal((0, 1, 1), (client.Counters.ClientReceived, client.Counters.GivenUp, client.Counters.Late));
    }

    [Fact]
    public void An_answer_past_the_deadline_does_not_count_though_no_tick_came_before_it()
    {
        Client client = Start(TimeSpan.Zero);
        client.Answer(client.Sent[0]);
        Assert.Equal((0, 1), (client.Counters.ClientReceived, client.Counters.GivenUp));
        Assert.Equal(0, client.Worker.Current.Latency!.Count);
    }

    [Fact]
    public void A_message_that_the_library_does_not_take_is_given_up_at_once()
    {
        var client = new Client(_recorder, s_never, 32) { Takes = false };
        client.Start();
        Assert.Equal((0, 1), (client.Counters.ClientSent, client.Counters.GivenUp));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_client_that_loses_its_server_is_given_up_unless_it_has_its_answer(bool answered)
    {
        Client client = Start(s_never);
        if (answered)
        {
            client.Answer(client.Sent[0]);
        }

        client.Close();
        Assert.Equal(answered ? 0 : 1, client.Counters.GivenUp);
        Assert.Equal(1, _recorder.Errors()["client lost its server"]);
    }

    public void Dispose() => _recorder.Dispose();

    private Client Start(TimeSpan deadline, int size = 32)
    {
        var client = new Client(_recorder, deadline, size);
        client.Start();
        return client;
    }

    private sealed class Client : IPeer
    {
        private readonly IClientHandler _handler;

        public Client(RunRecorder recorder, TimeSpan deadline, int size)
        {
            _handler = new MaxClients().CreateClientHandler(new RunPlan { Library = "Link", LossDeadline = deadline, MessageSize = size }, recorder);
            Worker = recorder.AddWorker(recordsLatency: true);
            recorder.Enter(RunPhase.Measure);
            _handler.OnConnected(this, Worker);
        }

        /// <summary>Adds one more client to the same group.</summary>
        public Client(Client other)
        {
            (_handler, Worker) = (other._handler, other.Worker);
            _handler.OnConnected(this, Worker);
        }

        public WorkerStatistics Worker { get; }

        public MessageCounters Counters => Worker.Of(RunPhase.Measure).Counters;

        public List<byte[]> Sent { get; } = [];

        public bool Takes { get; init; } = true;

        public object? State { get; set; }

        public void Start() => _handler.OnStart(this, Worker);

        public bool Send(ReadOnlySpan<byte> message)
        {
            if (Takes)
            {
                Sent.Add(message.ToArray());
            }

            return Takes;
        }

        public void Answer(byte[] message)
        {
            MoveClock();
            _handler.OnMessage(this, message, Worker);
        }

        public void Tick()
        {
            MoveClock();
            _handler.OnTick(this, Worker);
        }

        public void Close() => _handler.OnClosed(this, Worker);

        // A deadline of zero passes only when the clock has advanced after the send.
        private void MoveClock()
        {
            long before = Worker.Now;
            while (Stopwatch.GetTimestamp() <= before)
            {
                Thread.SpinWait(1);
            }

            Worker.ReadClock();
        }
    }
}
