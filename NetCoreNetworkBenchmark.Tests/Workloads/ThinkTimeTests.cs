using NetCoreNetworkBenchmark.Workloads.FixedCounts;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>A closed loop with a think time, over a link that the test controls.</summary>
public sealed class ThinkTimeTests
{
    private static readonly TimeSpan s_think = TimeSpan.FromMilliseconds(10);

    [Fact]
    public void The_next_message_is_sent_when_the_think_time_has_passed_since_the_answer()
    {
        using ClientLink client = Connect(parallelMessages: 1).Begun();
        client.AnswerSent(0);
        Assert.Equal((1, 0), (client.Sent.Count, client.Recorder.InFlight()));
        Assert.Equal([client.Worker.Now + RunRecorder.ToTicks(s_think)], client.Requested());
        client.Due();
        Assert.Equal((2, 1), (client.Sent.Count, client.Recorder.InFlight()));
    }

    [Fact]
    public void The_latency_is_without_the_think_time()
    {
        using ClientLink client = Connect(parallelMessages: 1).Begun();
        client.AnswerSent(0);
        client.Due(times: 1, overdue: 5 * Stopwatch.Frequency);
        client.AnswerSent(1);
        Assert.InRange(client.Worker.Current.Latency!.Max, 1, 2_000);
    }

    [Fact]
    public void Each_message_in_flight_thinks_by_itself()
    {
        using ClientLink client = Connect(parallelMessages: 3).Begun();
        client.AnswerSent(1, 0);
        Assert.Equal((3, 2), (client.Sent.Count, client.Requested().Length));
        client.Due(times: 2);
        Assert.Equal((5, 3), (client.Sent.Count, client.Recorder.InFlight()));
        client.AnswerAll(from: 2);
        Assert.Equal((5, 0), (client.Counters.ClientReceived, client.Counters.Corrupted + client.Counters.Duplicated));
    }

    [Fact]
    public void Clients_begin_evenly_within_one_think_time()
    {
        using ClientLink link = Connect(parallelMessages: 2, clients: 50).Started();
        Assert.Empty(link.Sent);
        double[] shares = [.. link.Requested().Select(due => (due - link.Worker.Now) / (double)RunRecorder.ToTicks(s_think)).Order()];
        Assert.Equal(100, shares.Length);
        Assert.All(shares.Index(), share => Assert.Equal(share.Index / 100.0, share.Item, tolerance: 0.03));
    }

    [Fact]
    public void A_message_whose_answer_is_lost_is_replaced_without_a_think_time()
    {
        using ClientLink client = Connect(parallelMessages: 1, lossDeadline: TimeSpan.Zero).Begun();
        client.Tick();
        Assert.Equal((2, 1), (client.Sent.Count, client.Counters.Lost));
    }

    [Fact]
    public void A_tick_sends_nothing_for_a_client_that_thinks()
    {
        using ClientLink client = Connect(parallelMessages: 1).Begun();
        client.AnswerSent(0);
        client.Tick();
        Assert.Single(client.Sent);
    }

    [Fact]
    public void A_client_that_thinks_when_the_load_ends_sends_again_when_it_resumes()
    {
        using ClientLink client = Connect(parallelMessages: 2).Begun();
        client.AnswerAll();
        client.Recorder.Enter(RunPhase.Drain);
        client.Due();
        Assert.Equal(2, client.Sent.Count);

        // One still thinks, and the other begins anew.
        client.Requested();
        client.Restart(RunPhase.Measure);
        Assert.Single(client.Requested());
        client.Due(times: 2);
        Assert.Equal(4, client.Sent.Count);
    }

    [Fact]
    public void A_fixed_count_ends_with_the_last_answer()
    {
        RunPlan plan = new RunPlan { Library = "none", Clients = 1, ParallelMessages = 2, Think = s_think }.WithWorkloadOption("--count", "3");
        using ClientLink client = new ClientLink(new FixedCount(), plan).Begun();
        client.AnswerAll();
        client.Due(times: 2);
        Assert.Equal((3, false), (client.Sent.Count, client.Handler.IsDone));
        client.AnswerAll();
        Assert.True(client.Handler.IsDone);
    }

    [Theory, InlineData(1), InlineData(64), InlineData(1_000)]
    public void Requests_are_taken_in_their_order_by_another_thread(int atOnce)
    {
        int requests = 1_000 * atOnce;
        using var recorder = new RunRecorder();
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: false);
        long count = 0;
        var adding = new Thread(() =>
        {
            for (int request = 0; request < requests; request++)
            {
                worker.RequestDue(this, request);
                while (request - Volatile.Read(ref count) >= atOnce)
                {
                    Thread.Yield();
                }
            }
        })
        {
            IsBackground = true,
        };
        adding.Start();
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                while (worker.Requests?.TryTake(out object? peer, out long due) == true)
                {
                    Assert.Same(this, peer);
                    Assert.Equal(count, due);
                    Volatile.Write(ref count, count + 1);
                }

                return count == requests;
            },
            TimeSpan.FromSeconds(30)));
        adding.Join();
    }

    private static ClientLink Connect(int parallelMessages, int clients = 1, TimeSpan? lossDeadline = null) => new(new PingPong(), new RunPlan
    {
        Library = "none",
        Clients = clients,
        ParallelMessages = parallelMessages,
        Think = s_think,
        LossDeadline = lossDeadline ?? TimeSpan.FromHours(1),
    });
}

file static class ThinkingLink
{
    /// <summary>Starts the load, and lets every message be sent.</summary>
    public static ClientLink Begun(this ClientLink link)
    {
        link.Start();
        link.Due(times: link.Requested().Length);
        return link;
    }

    /// <summary>Returns the times that were requested since the last call.</summary>
    public static long[] Requested(this ClientLink link)
    {
        var times = new List<long>();
        while (link.Worker.Requests?.TryTake(out _, out long due) == true)
        {
            times.Add(due);
        }

        return [.. times];
    }
}
