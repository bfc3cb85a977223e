using NetCoreNetworkBenchmark.Workloads.Bursts;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>Bursts of messages: over a link that the test controls, and as a whole run.</summary>
public sealed class BurstTests
{
    private static readonly Burst s_workload = new();

    [Fact]
    public void A_client_sends_all_messages_at_once_and_the_next_ones_when_all_are_answered()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(messages: 3)).Started();
        Assert.Equal(3, client.Sent.Count);
        client.AnswerSent(0, 1);
        Assert.Equal((3, 0), (client.Sent.Count, Bursts(client)));
        client.AnswerSent(2);
        Assert.Equal((6, 1), (client.Sent.Count, Bursts(client)));
        Assert.Distinct(client.Sent.Select(Convert.ToHexString));
        Assert.Equal((3, 0, 3), (client.Counters.ClientReceived, client.Counters.Reordered, client.Worker.Current.Latency!.Count));
        Assert.False(client.Handler.IsDone);
    }

    [Fact]
    public void A_client_is_done_after_its_bursts()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(messages: 2, bursts: 2)).Started();
        client.AnswerAll();
        Assert.False(client.Handler.IsDone);
        client.AnswerAll();
        Assert.Equal((true, 4, 4, 2), (client.Handler.IsDone, client.Sent.Count, (int)client.Counters.ClientReceived, Bursts(client)));
        Assert.Equal(1, Figure(client, "Clients that completed their bursts"));
        Assert.InRange(Figure(client, WorkloadFigure.WholeTime), double.Epsilon, 60);
    }

    [Fact]
    public void A_client_that_is_started_again_makes_its_bursts_again()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(messages: 2, bursts: 1)).Started();
        client.AnswerAll();
        client.Restart(RunPhase.Measure);
        Assert.Equal((4, false), (client.Sent.Count, client.Handler.IsDone));
        client.AnswerAll();
        Assert.Equal((2, true), (Bursts(client), client.Handler.IsDone));
    }

    [Fact]
    public void Nothing_begins_while_the_load_is_paused_and_the_warm_up_does_not_count()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(messages: 2), RunPhase.WarmUp).Started();
        client.AnswerAll();
        client.Recorder.Enter(RunPhase.Drain);
        client.AnswerAll();
        Assert.Equal((4, 0), (client.Sent.Count, Bursts(client)));
        client.Restart(RunPhase.Measure);
        client.AnswerAll();
        Assert.Equal((8, 1), (client.Sent.Count, Bursts(client)));
    }

    [Fact]
    public void The_time_of_a_burst_never_contains_a_pause()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(messages: 2)).Started();
        client.AnswerSent(0);
        client.Recorder.Enter(RunPhase.Paused);
        client.Restart(RunPhase.Measure);
        Assert.Equal(2, client.Sent.Count);
        client.AnswerSent(1);
        Assert.Equal((4, 0), (client.Sent.Count, Bursts(client)));
    }

    [Theory, InlineData(32), InlineData(2)]
    public void Lost_messages_are_given_up_and_their_burst_has_no_time(int size)
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(messages: 3) with { MessageSize = size, LossDeadline = TimeSpan.Zero }).Started();
        client.AnswerSent(0);
        client.Tick();
        Assert.Equal((6, 0), (client.Sent.Count, Bursts(client)));
        Assert.Equal((6, 1, 2), (client.Counters.ClientSent, client.Counters.ClientReceived, client.Counters.Lost));
        Assert.Equal(1, Figure(client, "Bursts with lost messages, whose time is not recorded"));
    }

    [Fact]
    public void A_message_that_the_library_does_not_accept_is_sent_later()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(messages: 3)) { Accepts = 1 }.Started();
        Assert.Equal(1, client.Counters.ClientSent);
        client.Accepts = 1;
        client.Tick();
        Assert.Equal(2, client.Sent.Count);
        client.Accepts = int.MaxValue;
        client.AnswerSent(0);
        Assert.Equal(2, client.Sent.Count);
        client.AnswerSent(1);
        Assert.Equal((3, 0), (client.Sent.Count, Bursts(client)));
        client.AnswerSent(2);
        Assert.Equal((6, 1), (client.Sent.Count, Bursts(client)));
    }

    [Theory, InlineData(32), InlineData(2)]
    public async Task A_run_ends_when_every_client_has_made_its_bursts(int size)
    {
        RunPlan plan = s_workload.Complete(PlanOf(messages: 20, bursts: 5) with { Clients = 3, MessageSize = size });
        RunResult result = await ClientLink.RunAsync(s_workload, plan);
        Assert.Equal((300, 300, 0), (result.Totals.Sent, result.Totals.Received, result.Lost));
        NamedLatency bursts = Assert.Single(result.Clients.Distributions!);
        Assert.Equal(("Burst", 15), (bursts.Name, bursts.Latency.Count));
        Assert.InRange(bursts.Latency.Microseconds!.Max, result.LatencyMicroseconds!.Max, plan.Duration.TotalMicroseconds);
        Assert.InRange(result.DurationSeconds, 0, plan.Duration.TotalSeconds / 2);
        result.Command.AssertHas(" --bursts 5");
    }

    [Fact]
    public void FindRemarks_has_a_remark_when_no_whole_burst_ended()
    {
        var outcome = new LoadOutcome { Server = "the server", TimesRecorded = new Dictionary<string, long> { ["Burst"] = 0 } };
        Assert.Single(s_workload.FindRemarks(PlanOf(messages: 25), outcome)).AssertBegins("No whole burst of 25 messages ended within the measurement");
        Assert.Empty(s_workload.FindRemarks(PlanOf(messages: 25), outcome with { TimesRecorded = new Dictionary<string, long> { ["Burst"] = 1 } }));
    }

    [Fact]
    public void Large_bursts_have_longer_before_their_messages_are_given_up()
    {
        RunPlan small = s_workload.Complete(PlanOf(messages: 100));
        RunPlan large = s_workload.Complete(PlanOf(messages: 100_000) with { Clients = 10 });
        Assert.Equal((5, 5), (small.LossDeadline.TotalSeconds, PlanOf(messages: 1).LossDeadline.TotalSeconds));
        Assert.InRange(large.LossDeadline, TimeSpan.FromSeconds(40), TimeSpan.FromMinutes(1));
        Assert.Equal(large, s_workload.Complete(large));
    }

    [Fact]
    public void The_number_of_bursts_ends_the_load_and_without_it_the_duration_does()
    {
        RunPlan lasting = s_workload.Complete(Read("-t burst -l Sockets -m 7 --warmup 1 --iterations 2"));
        Assert.Equal((false, 1.0, 2), (s_workload.EndsWhenDone(lasting), lasting.WarmUp.TotalSeconds, lasting.Iterations));
        Assert.Empty(s_workload.FindFaults(lasting, new LoadOutcome { Server = "the server", Answered = 1 }));
        RunPlan ending = s_workload.Complete(Read("-t burst -l Sockets -m 7 --bursts 3"));
        Assert.Equal((true, 0.0, "3"), (s_workload.EndsWhenDone(ending), ending.WarmUp.TotalSeconds, ending.WorkloadOptions["--bursts"]));
        PlanArguments.CommandOf(ending, LibraryUnderTest.Create("Sockets").Info, s_workload).AssertEnds(" --bursts 3");
    }

    private static RunPlan Read(string arguments)
    {
        var commandLine = new CommandLine([new PingPong(), s_workload], LibraryUnderTest.Catalog.Parts, ["Sockets"], []);
        return commandLine.Read(commandLine.Parse(arguments.Split(' '))).Plan;
    }

    private static RunPlan PlanOf(int messages, int? bursts = null) =>
        Read($"-t Burst -l Sockets -p 0 -c 1 -d 60 --any-machine -m {messages}{(bursts is null ? null : $" --bursts {bursts}")}");

    // The number of bursts whose time was recorded.
    private static int Bursts(ClientLink client) => (int)Assert.Single(client.Handler.Distributions).Histogram.Count;

    private static double Figure(ClientLink client, string name) => client.Handler.ComputeFigures().Single(figure => figure.Name == name).Value;
}
