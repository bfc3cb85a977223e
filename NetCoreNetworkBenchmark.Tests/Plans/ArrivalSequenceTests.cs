namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class ArrivalSequenceTests
{
    private const int Clients = 10;
    private const double Rate = 50_000;
    private const long Start = 123_456_789_012_345;

    // Exceeded by one of a thousand samples (Kolmogorov). The seed is fixed, so the result is always the same.
    private const double MaxDistance = 1.95;

    [Theory, InlineData(1), InlineData(3)]
    public void Even_arrivals_are_those_of_the_schedule(int threads)
    {
        SendSchedule schedule = new(Rate, Clients);
        for (int first = 0; first < threads; first++)
        {
            IEnumerable<(int, long)> expected = from round in Enumerable.Range(0, 20)
                                                from client in Enumerable.Range(0, Clients).Where(client => client % threads == first)
                                                select (client, schedule.DueAt(Start, round, client));
            Assert.Equal(expected, Take(expected.Count(), schedule, first, threads));
        }
    }

    [Fact]
    public void Gaps_of_Poisson_arrivals_are_exponential_over_all_clients_and_for_each()
    {
        (int Client, long Due)[] all = [.. Take(200_000, Random(seed: 1))];
        AssertExponential([.. all.Select(message => message.Due)], Stopwatch.Frequency / Rate);
        foreach (IGrouping<int, (int Client, long Due)> client in all.GroupBy(message => message.Client))
        {
            AssertExponential([.. client.Select(message => message.Due)], Stopwatch.Frequency / Rate * Clients);
        }

        Assert.Equal(Clients, all.Select(message => message.Client).Distinct().Count());
    }

    [Fact]
    public void Gaps_of_Poisson_arrivals_do_not_depend_on_the_gap_before()
    {
        long[] due = [.. Take(100_000, Random(seed: 1)).Select(message => message.Due)];
        double[] gaps = [.. due.Zip(due.Skip(1), (before, after) => (after - before) * Rate / Stopwatch.Frequency)];
        double correlation = gaps.Zip(gaps.Skip(1), (before, after) => (before - 1) * (after - 1)).Average();
        Assert.InRange(correlation, -3 / Math.Sqrt(gaps.Length), 3 / Math.Sqrt(gaps.Length));
    }

    [Theory, InlineData(2), InlineData(3), InlineData(10)]
    public void Threads_share_the_messages_that_one_thread_would_have(int threads) => Assert.Equal(
        Take(1_000, Random(seed: 7)),
        Enumerable.Range(0, threads).SelectMany(first => Take(1_000, Random(seed: 7), first, threads)).OrderBy(message => message.Due).Take(1_000));

    [Fact]
    public void The_seed_and_the_number_of_the_load_determine_the_arrivals()
    {
        (int, long)[] Create(int seed, int load) => [.. Take(100, Random(seed), load: load)];
        Assert.Equal(Create(seed: 5, load: 0), Create(seed: 5, load: 0));
        Assert.Empty(Create(seed: 5, load: 0).Intersect(Create(seed: 6, load: 0)));
        Assert.Empty(Create(seed: 5, load: 0).Intersect(Create(seed: 5, load: 1)));
    }

    [Theory, InlineData(Arrivals.Even), InlineData(Arrivals.Poisson)]
    public void Hosts_of_neighbouring_seeds_have_no_arrivals_in_common(Arrivals arrivals)
    {
        var plan = new RunPlan
        {
            Library = "Sockets",
            Clients = Clients,
            Rate = Rate,
            Arrivals = arrivals,
            Hosts = new HostsPlan { ClientHosts = [new ClientHost("one", 1), new ClientHost("two", 1), new ClientHost("three", 1)] },
        };
        SendSchedule[] schedules =
        [
            .. from seed in Enumerable.Range(1, 3)
               from host in Enumerable.Range(0, 3)
               select SendSchedule.From(Placement.PartOf(plan with { Seed = seed }, Clients, host)),
        ];
        Assert.DoesNotContain(schedules.SelectMany(schedule => Take(50, schedule)).GroupBy(message => message.Due), same => same.Count() > 1);
        Assert.All(schedules, schedule => Assert.InRange(schedule.Phase, 0, 1));
    }

    [Theory, InlineData(Arrivals.Even), InlineData(Arrivals.Poisson)]
    public void A_message_allocates_nothing(Arrivals arrivals)
    {
        ArrivalSequence sequence = Create(new SendSchedule(Rate, Clients) { Arrivals = arrivals }, first: 0, step: 2, load: 0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int message = 0; message < 10_000; message++)
        {
            sequence.MoveNext();
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Theory, InlineData(0.01), InlineData(1), InlineData(20), InlineData(500)]
    public void The_window_of_a_client_holds_a_burst_of_random_messages(double mean)
    {
        // As many windows as the busiest run has: a client in each of them has the mean number of messages, as a Poisson variable.
        int capacity = PacedClients.CapacityFor(mean, isRandom: true);
        double log = -mean;
        double below = Math.Exp(log);
        for (int messages = 1; messages <= capacity; messages++)
        {
            log += Math.Log(mean / messages);
            below += Math.Exp(log);
        }

        Assert.InRange(below, 1 - 1e-12, 1 + 1e-12);
        Assert.True(PacedClients.CapacityFor(mean, isRandom: false) < capacity);
    }

    private static void AssertExponential(long[] due, double meanTicks)
    {
        double[] gaps = [.. due.Zip(due.Skip(1), (before, after) => (after - before) / meanTicks).Order()];
        double distance = gaps.Index().Max(gap =>
        {
            double expected = 1 - Math.Exp(-gap.Item);
            return Math.Max(expected - ((double)gap.Index / gaps.Length), ((gap.Index + 1.0) / gaps.Length) - expected);
        });
        Assert.InRange(distance * Math.Sqrt(gaps.Length), 0, MaxDistance);
    }

    private static SendSchedule Random(int seed) => new(Rate, Clients) { Arrivals = Arrivals.Poisson, Seed = seed };

    private static IEnumerable<(int Client, long Due)> Take(int messages, SendSchedule schedule, int first = 0, int step = 1, int load = 0)
    {
        ArrivalSequence sequence = Create(schedule, first, step, load);
        for (int message = 0; message < messages; message++)
        {
            yield return (first + (sequence.Index * step), sequence.Due);
            sequence.MoveNext();
        }
    }

    private static ArrivalSequence Create(SendSchedule schedule, int first, int step, int load) => new(schedule, first, step, Start, load);
}
