using NetCoreNetworkBenchmark.Workloads.FixedCounts;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>A fixed number of round trips: over a link that the test controls, and as a whole run.</summary>
public sealed class FixedCountTests
{
    private static readonly FixedCount s_workload = new();

    [Fact]
    public void A_client_keeps_its_messages_in_flight_until_all_are_sent_and_answered()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(count: 5) with { ParallelMessages = 2 }).Started();
        for (int answered = 0; answered < 5; answered++)
        {
            Assert.Equal((Math.Min(2 + answered, 5), false), (client.Sent.Count, client.Handler.IsDone));
            client.AnswerSent(answered);
        }

        Assert.Equal((true, 5, 5), (client.Handler.IsDone, client.Counters.ClientSent, client.Counters.ClientReceived));
        Assert.Equal(5, client.Worker.Current.Latency!.Count);
    }

    [Fact]
    public void A_client_never_has_more_messages_in_flight_than_it_sends()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(count: 3) with { ParallelMessages = 10 }).Started();
        Assert.Equal(3, client.Sent.Count);
    }

    [Fact]
    public void A_lost_message_is_given_up_and_not_sent_again()
    {
        using ClientLink client = new ClientLink(s_workload, PlanOf(count: 2) with { LossDeadline = TimeSpan.Zero }).Started();
        client.Tick();
        client.AnswerSent(1);
        Assert.Equal((true, 2, 1, 1), (client.Handler.IsDone, client.Counters.ClientSent, client.Counters.ClientReceived, client.Counters.Lost));
        client.AnswerSent(0);
        Assert.Equal((2, 0), (client.Counters.ClientReceived, client.Counters.Lost));
    }

    [Theory, InlineData(32), InlineData(4)]
    public async Task A_run_ends_when_every_client_has_its_answers(int size)
    {
        RunPlan plan = s_workload.Complete(PlanOf(count: 50) with { Clients = 4, ParallelMessages = 5, MessageSize = size });
        RunResult result = await ClientLink.RunAsync(s_workload, plan);
        Assert.Equal((200, 200, 0), (result.Totals.Sent, result.Totals.Received, result.Lost));
        Assert.InRange(result.DurationSeconds, 0, plan.Duration.TotalSeconds / 2);
        Assert.Equal((0, "50", 4), (result.Clients.WarmUpSeconds, result.Plan.WorkloadOptions!["--count"], result.Clients.Figures![0].Value));
        Assert.InRange(result.Clients.Figures[1].Value, double.Epsilon, result.DurationSeconds);
        result.Command.AssertHas(" --count 50");
        result.Command.AssertHasNo(" --warmup");
    }

    private static RunPlan PlanOf(int count) => new RunPlan
    {
        Test = s_workload.Name,
        Library = "Sockets",
        Port = 0,
        Clients = 1,
        Duration = TimeSpan.FromMinutes(1),
        AnyMachine = true,
    }.WithWorkloadOption("--count", $"{count}");
}
