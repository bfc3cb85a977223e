using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>
/// Every workload that keeps messages in flight, in a closed and in an open loop, counts what happens to them alike. A new one is tested by existing.
/// </summary>
public sealed class InFlightTests
{
    private const int InFlight = 3;

    public static TheoryData<string> Loads =>
    [
        .. from workload in LibraryUnderTest.Catalog.Workloads
           where workload.LatencyKind == LatencyKind.RoundTrip
           from rate in new[] { string.Empty, " --rate 1000" }
           where rate.Length == 0 || !PlanArguments.ExcludedBy(workload).ContainsKey("--rate")
           let load = $"-t {workload.Name}{rate}"
           where HasWindows(load)
           select load,
    ];

    /// <summary>The same, without those whose clients have one message in flight.</summary>
    public static TheoryData<string> LoadsOfSeveral => [.. Loads.Select(row => row.Data).Where(load => Begin(load).Sent.Count > 1)];

    [Fact]
    public void Loads_are_those_of_all_workloads_with_answers() => Assert.Equal(
        ["-t Burst", "-t FixedCount", "-t MaxClients", "-t PingPong", "-t PingPong --rate 1000", "-t RoundTrip", "-t RoundTrip --rate 1000"],
        Loads.Select(row => row.Data).Order(StringComparer.Ordinal));

    [Theory, MemberData(nameof(Loads))]
    public void Answer_is_received_and_timed_once(string load)
    {
        using ClientLink client = Begin(load);
        int sent = client.Sent.Count;
        Assert.Equal((sent, sent), (client.Counters.ClientSent, client.Recorder.InFlight()));
        client.AnswerSent(0);
        Assert.Equal((1, 1), (client.Counters.ClientReceived, client.Worker.Current.Latency!.Count));
        AssertOnly(client, default);
    }

    [Theory, MemberData(nameof(Loads))]
    public void Duplicate_is_counted_and_sends_nothing(string load)
    {
        using ClientLink client = Begin(load);
        byte[] message = client.Sent[0];
        client.Answer(message);
        int sent = client.Sent.Count;
        client.Answer(message);
        client.Answer(message);
        Assert.Equal((1, sent), (client.Counters.ClientReceived, client.Sent.Count));
        AssertOnly(client, new MessageCounters { Duplicated = 2 });
    }

    [Theory, MemberData(nameof(LoadsOfSeveral))]
    public void Reordered_answers_are_counted(string load)
    {
        using ClientLink client = Begin(load);
        client.AnswerSent(2, 0, 1);
        Assert.Equal(3, client.Counters.ClientReceived);
        AssertOnly(client, new MessageCounters { Reordered = 2 });
    }

    [Theory, MemberData(nameof(Loads))]
    public void Late_answer_is_received_and_no_longer_lost(string load)
    {
        using ClientLink client = Begin(load, TimeSpan.Zero);
        int sent = client.Sent.Count;
        client.Tick();
        AssertOnly(client, new MessageCounters { GivenUp = sent });
        client.AnswerSent(0);
        Assert.Equal((1, sent - 1, 1), (client.Counters.ClientReceived, client.Counters.Lost, client.Worker.Current.Latency!.Count));
        client.AnswerSent(0);
        AssertOnly(client, new MessageCounters { GivenUp = sent, Late = 1, Duplicated = 1 });
        Assert.Equal(client.Sent.Count - sent, client.Recorder.InFlight());
    }

    [Theory, MemberData(nameof(LoadsOfSeveral))]
    public void Late_answer_after_that_of_a_later_message_is_reordered(string load)
    {
        using ClientLink client = Begin(load, TimeSpan.Zero);
        client.Tick();
        client.AnswerSent(2, 0);
        AssertOnly(client, new MessageCounters { GivenUp = 3, Late = 2, Reordered = 1 });
    }

    [Theory, MemberData(nameof(Loads))]
    public void Message_is_not_lost_before_the_deadline(string load)
    {
        using ClientLink client = Begin(load);
        client.Tick();
        Assert.Equal(client.Sent.Count, client.Recorder.InFlight());
        AssertOnly(client, default);
    }

    [Theory, MemberData(nameof(Loads))]
    public void Messages_are_lost_at_once_when_the_connection_ends(string load)
    {
        using ClientLink client = Begin(load);
        int sent = client.Sent.Count;
        client.Close();
        Assert.Equal(0, client.Counters.ClientReceived);
        AssertOnly(client, new MessageCounters { GivenUp = sent });
        Assert.Equal(["client lost its server"], client.Recorder.Errors().Keys);
    }

    [Theory, MemberData(nameof(Loads))]
    public void Answer_with_a_changed_byte_or_of_another_size_is_corrupted(string load)
    {
        using ClientLink client = Begin(load);
        int sent = client.Sent.Count;
        byte[] message = client.Sent[0];
        for (int position = 0; position < message.Length; position++)
        {
            byte[] changed = [.. message];
            changed[position] ^= 0x10;
            client.Answer(changed);
        }

        client.Answer([]);
        client.Answer(message[..^1]);
        client.Answer([.. message, 0]);
        Assert.Equal((0, sent), (client.Counters.ClientReceived, client.Recorder.InFlight()));
        AssertOnly(client, new MessageCounters { Corrupted = message.Length + 3 });
    }

    [Theory, MemberData(nameof(Loads))]
    public void Answer_of_the_future_or_of_another_client_is_corrupted(string load)
    {
        using ClientLink client = Begin(load);
        int sent = client.Sent.Count;
        foreach ((uint number, uint sequence, int slot) in new[] { (1u, (uint)sent + 1, 0), (1u, uint.MaxValue / 2, 0), (1u, 1u, int.MaxValue), (2u, 1u, 0) })
        {
            byte[] forged = [.. client.Sent[0]];
            new MessageTag(number, sequence, slot).WriteTo(forged);
            client.Answer(forged);
        }

        Assert.Equal((0, sent), (client.Counters.ClientReceived, client.Recorder.InFlight()));
        AssertOnly(client, new MessageCounters { Corrupted = 4 });
    }

    [Theory, MemberData(nameof(Loads))]
    public void Message_that_the_library_does_not_accept_is_neither_sent_nor_late_nor_lost(string load)
    {
        using ClientLink client = Connect(load, TimeSpan.Zero);
        client.Accepts = 0;
        Load(client, overdue: Stopwatch.Frequency / 100);
        client.Tick();
        Assert.Equal((0, 0, 0), (client.Counters.ClientSent, client.Counters.SentLate, client.Recorder.InFlight()));
        AssertOnly(client, default);
        client.Accepts = 1;
        client.Tick();
        Load(client);
        client.Answer(client.Sent.Single());
        Assert.Equal((1, 1), (client.Counters.ClientSent, client.Counters.ClientReceived));
    }

    [Theory, MemberData(nameof(Loads))]
    public void Answer_without_a_tag_belongs_to_the_oldest_message(string load)
    {
        foreach (int size in new[] { 1, MessageTag.Size - 1 })
        {
            using ClientLink client = Begin($"{load} -s {size}");
            int sent = client.Sent.Count;
            client.Recorder.Enter(RunPhase.Drain);
            client.AnswerAll();
            Assert.Equal(0, client.Recorder.InFlight());
            client.AnswerSent(0);
            MessageCounters total = client.Recorder.Count(RunPhase.Measure, RunPhase.Drain);
            Assert.Equal((sent, sent, 1), (total.ClientSent, total.ClientReceived, total.Duplicated));
            Assert.Equal((0, 0, 0), (total.Corrupted, total.Reordered, total.GivenUp));
        }
    }

    [Theory, MemberData(nameof(LoadsOfSeveral))]
    public void Lost_message_without_a_tag_is_given_up(string load)
    {
        using ClientLink client = Begin($"{load} -s 1", TimeSpan.Zero);
        client.AnswerSent(0);
        client.Recorder.Enter(RunPhase.Drain);
        client.Tick();
        Assert.Equal(0, client.Recorder.InFlight());
    }

    [Theory, InlineData("-t Burst --bursts 2"), InlineData("-t FixedCount --count 50")]
    public void A_run_whose_clients_did_not_finish_is_not_valid(string load)
    {
        (IWorkload workload, RunPlan plan) = Read(load);
        plan = plan with { Clients = 2, ParallelMessages = 25, Duration = TimeSpan.FromMinutes(1) };
        var outcome = new LoadOutcome { Server = "the server", Answered = 99 };
        Assert.Equal(["Only 99 of 100 messages were answered within 60 s."], workload.FindFaults(plan, outcome));
        Assert.Empty(workload.FindFaults(plan, outcome with { Answered = 100 }));
    }

    private static bool HasWindows(string load)
    {
        using var recorder = new RunRecorder();
        (IWorkload workload, RunPlan plan) = Read(load);
        return workload.CreateLoad(plan, recorder) is WindowClients;
    }

    private static ClientLink Begin(string load, TimeSpan? lossDeadline = null)
    {
        ClientLink client = Connect(load, lossDeadline);
        Load(client);
        return client;
    }

    private static ClientLink Connect(string load, TimeSpan? lossDeadline = null)
    {
        (IWorkload workload, RunPlan plan) = Read(load);
        return new ClientLink(workload, plan with { LossDeadline = lossDeadline ?? TimeSpan.FromHours(1) });
    }

    private static (IWorkload Workload, RunPlan Plan) Read(string load)
    {
        var commandLine = new CommandLine(LibraryUnderTest.Catalog.Workloads, LibraryUnderTest.Catalog.Parts, ["Sockets"], []);
        RunPlan plan = commandLine.Read(commandLine.Parse($"{load} -l Sockets -c 1".Split(' '))).Plan;
        return (LibraryUnderTest.Catalog.Workloads.Single(workload => workload.Name == plan.Test), plan with { ParallelMessages = InFlight });
    }

    // In an open loop, messages are sent when they are due.
    private static void Load(ClientLink client, long overdue = 0)
    {
        client.Start();
        if (client.Worker.Current.Uncorrected is not null)
        {
            client.Due(overdue, times: InFlight);
        }
    }

    // Whether nothing is counted but what is expected, apart from the messages that are sent and received.
    private static void AssertOnly(ClientLink client, MessageCounters expected)
    {
        MessageCounters counters = client.Counters;
        Assert.Equal(
            (expected.GivenUp, expected.Late, expected.Duplicated, expected.Reordered, expected.Corrupted),
            (counters.GivenUp, counters.Late, counters.Duplicated, counters.Reordered, counters.Corrupted));
    }
}
