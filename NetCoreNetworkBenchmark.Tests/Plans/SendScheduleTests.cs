namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class SendScheduleTests
{
    private const long Start = 123_456_789_012_345;

    [Theory, InlineData(1000, 1), InlineData(1000, 10), InlineData(0.1, 3), InlineData(3_333.3, 7), InlineData(2_000_000, 1000)]
    public void DueAt_spreads_the_messages_of_all_clients_evenly(double rate, int clients)
    {
        var schedule = new SendSchedule(rate, clients);
        double apart = Stopwatch.Frequency / rate;
        long[] due = [.. from round in Enumerable.Range(0, 50)
                         from client in Enumerable.Range(0, clients)
                         select schedule.DueAt(Start, round, client)];
        Assert.Equal(Start, due[0]);
        Assert.All(due.Index(), message => Assert.InRange(message.Item - Start, (message.Index * apart) - 1, (message.Index * apart) + 1));
    }

    [Fact]
    public void DueAt_staggers_the_clients_within_a_round()
    {
        var schedule = new SendSchedule(messagesPerSecond: 100, clients: 4);
        long tenMilliseconds = Stopwatch.Frequency / 100;
        Assert.Equal([0, 1, 2, 3], Enumerable.Range(0, 4).Select(client => (schedule.DueAt(Start, 0, client) - Start) / tenMilliseconds));
        Assert.Equal(4 * tenMilliseconds, schedule.DueAt(Start, 1, 0) - schedule.DueAt(Start, 0, 0));
    }

    [Theory, InlineData(1), InlineData(3)]
    public void DueAt_never_goes_back_in_the_order_of_a_threads_turns(int threads)
    {
        const int Clients = 10;
        var schedule = new SendSchedule(messagesPerSecond: 7_777_777, Clients);
        for (int first = 0; first < threads; first++)
        {
            long[] due = [.. from round in Enumerable.Range(0, 1_000)
                             from client in Enumerable.Range(0, Clients).Where(client => client % threads == first)
                             select schedule.DueAt(Start, round, client)];
            Assert.Equal(due.Order(), due);
        }
    }

    [Fact]
    public void DueAt_has_not_drifted_after_a_day()
    {
        var schedule = new SendSchedule(messagesPerSecond: 1_000_000, clients: 1000);
        long rounds = 24 * 3600 * 1000L;
        Assert.Equal(24 * 3600 * Stopwatch.Frequency, schedule.DueAt(Start, rounds, 0) - Start);
    }

    [Theory, InlineData(0, 1), InlineData(-1, 1), InlineData(1, 0)]
    public void A_schedule_needs_a_rate_and_a_client(double rate, int clients) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new SendSchedule(rate, clients));
}
