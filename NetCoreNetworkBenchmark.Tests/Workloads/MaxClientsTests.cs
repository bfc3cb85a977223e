namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The clients of MaxClients over a link that the test controls: no network and no threads.</summary>
public sealed class MaxClientsTests
{
    private static readonly TimeSpan s_never = TimeSpan.FromHours(1);

    [Theory, InlineData(32), InlineData(1)]
    public void Client_sends_one_message_and_is_served_when_its_answer_has_come(int size)
    {
        using ClientLink client = Start(s_never, size);
        Assert.Equal((false, 0), (client.Handler.IsDone, Served(client)));
        client.AnswerSent(0);
        client.Tick();
        Assert.Single(client.Sent);
        Assert.Equal((true, 1), (client.Handler.IsDone, Served(client)));
    }

    [Fact]
    public void Client_is_done_and_not_served_when_its_deadline_has_passed_and_a_late_answer_changes_nothing()
    {
        using ClientLink client = Start(TimeSpan.Zero);
        client.Tick();
        Assert.True(client.Handler.IsDone);
        client.AnswerSent(0);
        Assert.Equal((1, 0), (client.Counters.Late, Served(client)));
    }

    [Fact]
    public void Client_is_not_served_by_an_answer_past_the_deadline_if_no_tick_came_before_it()
    {
        using ClientLink client = Start(TimeSpan.Zero);
        client.AnswerSent(0);
        Assert.Equal((1, true, 0), (client.Counters.ClientReceived, client.Handler.IsDone, Served(client)));
    }

    [Theory, InlineData(1_000, 1), InlineData(0, 0)]
    public void Deadline_begins_with_the_first_attempt_when_the_library_does_not_accept_the_message(int milliseconds, int served)
    {
        using ClientLink client = Connect(TimeSpan.FromMilliseconds(milliseconds));
        client.Accepts = 0;
        client.Start();
        client.Accepts = 1;
        client.Tick();
        client.Answer(client.Sent.Single());
        Assert.Equal(served, Served(client));
    }

    [Theory, InlineData(false), InlineData(true)]
    public void Client_that_loses_its_server_is_done_and_not_served_unless_it_has_its_answer(bool isAnswered)
    {
        using ClientLink client = Start(s_never);
        if (isAnswered)
        {
            client.AnswerSent(0);
        }

        client.Close();
        Assert.Equal((true, isAnswered ? 1 : 0), (client.Handler.IsDone, Served(client)));
    }

    [Fact]
    public void Client_that_loses_its_server_before_the_load_is_done()
    {
        using ClientLink client = Connect(s_never);
        client.Close();
        Assert.Equal((true, 0), (client.Handler.IsDone, Served(client)));
    }

    private static double Served(ClientLink client) => client.Handler.ComputeFigures().Single(figure => figure.Name == WorkloadFigure.ClientsServed).Value;

    private static ClientLink Connect(TimeSpan deadline, int size = 32) =>
        new(new MaxClients(), new RunPlan { Library = "none", Clients = 1, LossDeadline = deadline, MessageSize = size });

    private static ClientLink Start(TimeSpan deadline, int size = 32) => Connect(deadline, size).Started();
}
