namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class ValidityTests
{
    private static readonly RunPlan s_closed = new() { Library = "Sockets" };
    private static readonly RunPlan s_open = s_closed with { Rate = 1000 };
    private static readonly RunResult s_good = SampleResults.Valid.WithHistogram(HistogramOf(1, 5_000, 1_000_000));

    [Fact]
    public void A_good_run_has_no_faults_and_was_not_disturbed()
    {
        Assert.Empty(FaultsOf(s_closed, s_good));
        Assert.Empty(DisturbancesOf(s_closed, s_good));
    }

    [Fact]
    public void Loss_is_a_fault_of_a_closed_loop_and_of_a_reliable_delivery()
    {
        RunResult lossy = s_good.WithLost(5);
        Assert.StartsWith("5 messages were lost in a closed loop", Assert.Single(FaultsOf(s_closed, lossy)), StringComparison.Ordinal);
        Assert.Empty(FaultsOf(s_open, lossy));
        RunPlan stream = s_open with { Protocol = Protocol.Tcp, Transmission = Transmission.Reliable };
        Assert.Equal(["5 messages were lost despite reliable delivery."], FaultsOf(stream, lossy));
        Assert.Empty(FaultsOf(stream, lossy with { Relay = RelayWith(counts => counts with { Dropped = 1 }) }));
    }

    [Fact]
    public void A_run_without_messages_names_what_really_happened()
    {
        RunResult none = s_good.WithServer(server => server with { Received = 0, Sent = 0 }).WithClients(clients => clients with
        {
            Measured = default,
            AfterStart = default,
            Whole = new MessageCounters { ClientSent = 4, GivenUp = 4 },
        });
        RunPlan slow = s_closed with { Rate = 0.5, Duration = TimeSpan.FromSeconds(1) };
        const string Due = "No message was due in the measurement of 1 s: at 0.5 messages per second one is due every 2 s. " +
            "Use a longer --duration or a higher --rate.";
        Assert.Equal([Due], FaultsOf(slow, none));
        Assert.Equal([Due], FaultsOf(slow, OneWay(none)));
        Assert.Equal(
            [
                "No message was sent in the measurement: all 4 messages in flight waited for answers that did not arrive, " +
                    "and count as lost after 5 s.",
            ],
            FaultsOf(s_closed with { Clients = 2, ParallelMessages = 2, LossDeadline = TimeSpan.FromSeconds(5) }, none));
        Assert.Equal(
            ["No message came back."], FaultsOf(s_closed, none.WithClients(clients => clients with { Measured = new MessageCounters { ClientSent = 9 } })));
        Assert.Equal(["No message came back."], FaultsOf(s_open, none));
    }

    [Fact]
    public void A_run_that_was_aborted_in_its_warm_up_has_no_second_reason_and_one_that_was_dead_has()
    {
        RunResult AbortedAfter(double seconds) => s_good.WithClients(clients => clients with
        {
            Aborted = true,
            DurationSeconds = seconds,
            Measured = new MessageCounters { ClientSent = 9 },
        }).WithServer(server => server with { Received = 0, Sent = 0 });
        Assert.Equal(["The run was aborted after 0.0 s."], FaultsOf(s_open, AbortedAfter(0.001)));
        Assert.Equal(["The run was aborted after 10.0 s.", "No message came back."], FaultsOf(s_open, AbortedAfter(10)));
    }

    [Fact]
    public void Loss_and_damage_are_no_faults_if_the_relay_caused_some()
    {
        RunResult broken = Damaged(s_good.WithLost(5));
        Assert.Empty(FaultsOf(s_closed, broken with { Relay = RelayWith(counts => counts with { Corrupted = 1 }) }));
        Assert.Equal(["6 messages came back damaged."], FaultsOf(s_closed, broken with { Relay = RelayWith(counts => counts with { Dropped = 1 }) }));
        Assert.Equal(2, FaultsOf(s_closed, broken with { Relay = RelayWith(counts => counts) }).Count);
    }

    [Fact]
    public void Loss_of_server_push_is_a_fault_of_a_stream_only()
    {
        RunResult lossy = OneWay(s_good.WithLost(5));
        Assert.Empty(FaultsOf(s_closed, lossy));
        RunPlan stream = s_closed with { Protocol = Protocol.Tcp, Transmission = Transmission.Reliable };
        Assert.Equal(["5 messages were lost despite reliable delivery."], FaultsOf(stream, lossy));
        Assert.Equal(["6 messages reached the clients damaged."], FaultsOf(s_closed, Damaged(lossy)));
    }

    // A relay that only delays, but for the change.
    private static RelayReport RelayWith(Func<RelayDirectionCounts, RelayDirectionCounts> change)
    {
        var counts = new RelayDirectionCounts(100, 100, 0, 0, 0, 0, 0, 0);
        return new RelayReport(new RelayCounts(counts, change(counts), 0, 1), []);
    }

    [Theory]
    [InlineData(2, 0, null)]
    [InlineData(3, 0, "The relay passed 1.5 % of the packets more than 2 ms late (limit: 1 %), so its load was near its limit.")]
    [InlineData(3, 100, "The relay passed 1.5 % of the packets more than 4 ms late (limit: 1 %), so its load was near its limit.")]
    public void RemarkOnRelay_names_a_relay_that_is_late(long late, int delay, string? sentence)
    {
        var impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(delay) };
        Assert.Equal(sentence, Validity.RemarkOnRelay(RelayWith(counts => counts with { Late = late }).Counts, impairment));
    }

    [Fact]
    public void A_server_that_cannot_hold_its_rate_is_named()
    {
        RunResult late = OneWay(s_good).WithServer(server => server with { Sent = 1_000, SentLate = 20 });
        Assert.StartsWith("The server could not hold the rate: 2.0", Assert.Single(FaultsOf(s_open, late)), StringComparison.Ordinal);
    }

    [Fact]
    public void FindFaults_names_unsolicited_datagrams_above_1_percent_and_no_unsolicited_connections()
    {
        RunResult run = s_good.WithServer(server => server with { Received = 1_000, Sent = 1_000 });
        Assert.Empty(FaultsOf(s_closed, run.WithServer(server => server with { Unsolicited = Traffic(10) })));
        Assert.Equal(
            [
                "The server received 11 unsolicited datagrams beside 1,000 messages of its clients (limit: 1 %).",
            ],
            FaultsOf(s_closed, run.WithServer(server => server with { Unsolicited = Traffic(11) })));

        static Dictionary<string, long> Traffic(long datagrams) => new() { [UnsolicitedTraffic.Connections] = 500, [UnsolicitedTraffic.Datagrams] = datagrams };
    }

    [Fact]
    public void Repeated_and_reordered_messages_are_faults_of_a_reliable_delivery_without_a_relay()
    {
        RunResult result = s_good.WithClients(clients => clients with { AfterStart = clients.AfterStart with { Duplicated = 1, Reordered = 2 } });
        RunPlan reliable = s_closed with { Transmission = Transmission.Reliable };
        Assert.Equal(
            ["1 message arrived twice despite reliable delivery.", "2 messages arrived after a later one despite reliable delivery."],
            FaultsOf(reliable, result));
        Assert.Empty(FaultsOf(s_closed, result));
        Assert.Empty(FaultsOf(reliable, result with { Relay = RelayWith(counts => counts) }));
    }

    [Fact]
    public void Latencies_below_the_resolution_of_the_clock_are_a_fault()
    {
        string sentence = Assert.Single(FaultsOf(s_closed, s_good.WithHistogram(HistogramOf(0, 5_000, 0))));
        Assert.StartsWith("2 latencies are below the resolution of the clock (", sentence, StringComparison.Ordinal);
        Assert.EndsWith("so the latencies of this run are too short.", sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_without_any_latency_has_none_below_the_resolution_of_the_clock() =>
        Assert.Empty(FaultsOf(s_closed, s_good.WithoutHistogram()));

    [Fact]
    public void A_relay_that_falls_behind_is_a_fault()
    {
        RelayCounts counts = SampleResults.OpenLoop.Relay!.Counts;
        Assert.Equal(
            ["The relay could not keep up: it missed 1,234 datagrams, in addition to those of --loss."],
            FaultsOf(s_open, s_good with { Relay = new RelayReport(counts with { ToServer = counts.ToServer with { Missed = 1_234 } }, []) }));
    }

    [Fact]
    public void Damage_and_errors_are_faults()
    {
        RunResult result = Damaged(s_good).WithErrors(("server lost a peer", 7));
        Assert.Equal(["6 messages came back damaged.", "7 errors occurred (server lost a peer: 7)."], FaultsOf(s_open, result));
    }

    [Theory, InlineData(0.01, false), InlineData(0.0101, true)]
    public void More_than_one_per_cent_of_late_sends_is_a_fault(double share, bool fault)
    {
        IReadOnlyList<string> faults = FaultsOf(s_open, s_good.WithClients(clients => clients with
        {
            Measured = clients.Measured with { ClientSent = 100_000, SentLate = (long)(100_000 * share) },
        }));
        Assert.Equal(fault, faults.Count == 1);
        Assert.All(faults, sentence => Assert.StartsWith("The clients could not hold the rate:", sentence, StringComparison.Ordinal));
    }

    [Theory, InlineData(1, false), InlineData(2, false), InlineData(3, true)]
    public void Late_sends_in_slices_are_a_fault_if_most_slices_are_late(int late, bool isFault)
    {
        RunResult sliced = s_good.WithClients(clients => clients with
        {
            Measured = clients.Measured with { ClientSent = 1_000, SentLate = 500 },
            Idle = clients.Cost,
            Iterations = [.. Enumerable.Range(0, 4).Select(slice => new IterationResult(1, 250) { IsLate = slice < late })],
        });
        Assert.Equal(isFault, FaultsOf(s_open, sliced).Count == 1);
        Assert.Single(FaultsOf(s_open, sliced.WithClients(clients => clients with { Idle = null })));

        // The inputs of clients to a server that pushes are late by the same rule.
        IReadOnlyList<string> ofPush = FaultsOf(s_open, sliced.WithClients(clients => clients with { LatencyKind = LatencyKind.OneWay }));
        Assert.Equal(isFault, ofPush.Any(sentence => sentence.StartsWith("The clients could not hold the rate of their inputs:", StringComparison.Ordinal)));
    }

    [Fact]
    public void Only_the_first_step_of_a_rate_that_rises_makes_a_run_invalid_that_did_not_keep_pace()
    {
        RunPlan stream = s_open with { LastRate = 2_000, Iterations = 2, Protocol = Protocol.Tcp, Transmission = Transmission.Reliable };
        RunResult overloaded = s_good.WithLost(5).WithClients(clients => clients with
        {
            Measured = clients.Measured with { ClientSent = 3_000, SentLate = 500 },
            Iterations = [Step(1_000), Step(2_000, lost: 5, late: 500)],
        });
        Assert.Empty(FaultsOf(stream, overloaded));
        Assert.Equal(
            [
                "5 messages were lost despite reliable delivery.",
                "The clients could not hold the rate: 50.0 % of the messages were sent more than 2 ms after they were due (limit: 1 %), " +
                    "so the clients were measured and not the server. " +
                    "Use a lower rate, more --client-threads, or a machine that does nothing else.",
            ],
            FaultsOf(stream, overloaded.WithClients(clients => clients with { Iterations = [Step(1_000, lost: 5, late: 500), Step(2_000)] })));

        static IterationResult Step(double rate, long lost = 0, long late = 0) => new(1, (long)rate)
        {
            Step = new RateStep(rate, (long)rate, (long)rate, lost, late, new LatencyReport(null, null)),
        };
    }

    [Theory]
    [InlineData(0.11, 0.0, "The hypervisor took 11 % of the CPU time (limit: 10 %).")]
    [InlineData(0.0, 0.21, "Other programs took 21 % of the CPU time (limit: 20 %).")]
    public void Time_that_others_took_is_a_disturbance_unless_any_machine_will_do(double steal, double other, string sentence)
    {
        RunResult result = s_good with { Fitness = s_good.Fitness with { StealShare = steal, OtherShare = other } };
        Assert.Equal([sentence], DisturbancesOf(s_closed, result));
        Assert.Empty(DisturbancesOf(s_closed with { AnyMachine = true }, result));
        Assert.Empty(FaultsOf(s_closed, result));
    }

    [Fact]
    public void A_quota_that_throttled_a_process_is_a_disturbance_with_its_share()
    {
        ProcessCost server = s_good.Costs.Server! with { QuotaPeriods = 85, ThrottledPeriods = 71 };
        RunResult result = s_good.WithServer(report => report with { Cost = server });
        Assert.Equal(
            [
                "The server's process was throttled in 71 of 85 periods (84 %) of the CPU quota of its control group, such as a container. " +
                "Raise the quota, or use fewer threads.",
            ],
            DisturbancesOf(s_closed, result));
        Assert.Empty(DisturbancesOf(s_closed, s_good.WithServer(report => report with { Cost = server with { ThrottledPeriods = 0 } })));
    }

    [Fact]
    public void A_process_that_did_not_run_voids_the_run_on_any_machine()
    {
        RunResult result = s_good.WithClients(clients => clients with { Cost = clients.Cost with { StoppedSeconds = 2 } });
        Assert.Equal(
            ["The clients' process did not run for 2.00 s of the measurement: it was stopped or frozen, or its machine was suspended."],
            DisturbancesOf(s_closed with { AnyMachine = true }, result));
    }

    [Fact]
    public void Too_many_involuntary_context_switches_beside_other_programs_are_a_disturbance()
    {
        string sentence = Assert.Single(DisturbancesOf(s_closed, WithManySwitches(othersTook: 0.06)));
        Assert.StartsWith("The server's process was preempted too often: 100,418 involuntary", sentence, StringComparison.Ordinal);
        Assert.EndsWith("while other programs took 6 % of the CPU time.", sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Involuntary_context_switches_that_threads_of_the_run_made_are_no_disturbance() =>
        Assert.Empty(DisturbancesOf(s_closed, WithManySwitches(othersTook: 0.05)));

    // In ticks of the clock, as they are measured.
    private static string HistogramOf(params ReadOnlySpan<long> ticks)
    {
        var histogram = new LatencyHistogram();
        foreach (long latency in ticks)
        {
            histogram.Record(latency == 0 ? 0 : Math.Max(1, RunRecorder.ToNanoseconds(latency)));
        }

        return HistogramCodec.Encode(histogram);
    }

    private static RunResult WithManySwitches(double othersTook) =>
        s_good.WithServer(server => server with { Cost = server.Cost! with { InvoluntaryContextSwitches = 6_000_000 } }) with
        {
            Fitness = s_good.Fitness with { OtherShare = othersTook },
        };

    private static IReadOnlyList<string> FaultsOf(RunPlan plan, RunResult result) => Validity.FindFaults(result.WithPlan(_ => plan));

    private static IReadOnlyList<string> DisturbancesOf(RunPlan plan, RunResult result) => Validity.FindDisturbances(result.WithPlan(_ => plan));

    private static RunResult OneWay(RunResult result) => result.WithClients(clients => clients with { LatencyKind = LatencyKind.OneWay });

    private static RunResult Damaged(RunResult result) =>
        result.WithClients(clients => clients with { AfterStart = clients.AfterStart with { Corrupted = 6 } });
}

public sealed class ClientLimitTests
{
    private const double Seconds = 10;

    [Theory, InlineData(0.98, 1, "1 thread", "threads with --client-threads"), InlineData(3.8, null, "cores", "cores")]
    public void Clients_whose_threads_or_cores_are_busy_beside_a_server_with_time_left_are_the_limit(double clients, int? threads, string busy, string more) =>
        Assert.Equal(
            [
                $"The clients were the bottleneck: they used more than 90 % of the time of their {busy}, and the server used less of its own. " +
                $"A faster server may not show a higher rate, but its CPU time per message still counts. Give the clients more {more}.",
            ],
            ClientLimit.FindRemarks(ResultOf(clients, server: 0.45, threads)));

    [Fact]
    public void In_one_process_the_threads_of_the_clients_are_counted_apart()
    {
        RunResult result = ResultOf(clients: 0.98, server: 0.45, clientThreads: 1);
        ProcessCost together = result.Costs.Clients! with { UserCpuSeconds = 1.43 * Seconds, ClientThreadsCpuSeconds = 0.98 * Seconds };
        string remark = Assert.Single(ClientLimit.FindRemarks(Together(together)));
        const string Start = "The clients were the bottleneck: they used more than 90 % of the time of their 1 thread, and the server used less of its own. ";
        Assert.StartsWith(Start, remark, StringComparison.Ordinal);
        Assert.Empty(ClientLimit.FindRemarks(Together(together with { ClientThreadsCpuSeconds = null })));

        RunResult Together(ProcessCost cost) => result.WithClients(clients => clients with { Cost = cost }) with { OneProcess = true };
    }

    [Theory, InlineData(1, null), InlineData(8, 1.0)]
    public void More_threads_than_cores_or_quota_allow_are_busy_with_what_is_allowed(int cores, double? quota)
    {
        RunResult result = ResultOf(clients: 0.98, server: 0.1, clientThreads: 4);
        Assert.Empty(ClientLimit.FindRemarks(result));
        Assert.Single(ClientLimit.FindRemarks(result with { Environment = result.Environment with { Cores = cores, CpuQuota = quota } }));
    }

    [Fact]
    public void Clients_that_are_bound_to_a_core_are_busy_with_it()
    {
        RunResult result = ResultOf(clients: 0.98, server: 0.1, clientThreads: null)
            .WithClients(clients => clients with { Pinning = new SidePinning([3], [3]) });
        Assert.Single(ClientLimit.FindRemarks(result));
    }

    [Fact]
    public void Clients_of_a_server_that_does_not_report_may_be_the_limit()
    {
        RunResult result = ResultOf(clients: 0.98, server: 0, clientThreads: 1);
        string remark = Assert.Single(ClientLimit.FindRemarks(result with { Server = null }));
        Assert.StartsWith("The clients were the bottleneck: they used more than 90 % of the time of their 1 thread. ", remark, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_is_said_if_both_sides_are_busy_or_the_clients_have_time_left_or_the_loop_is_open()
    {
        Assert.Empty(ClientLimit.FindRemarks(ResultOf(clients: 0.98, server: 0.97, clientThreads: 1)));
        Assert.Empty(ClientLimit.FindRemarks(ResultOf(clients: 0.85, server: 0.45, clientThreads: 1)));
        Assert.Empty(ClientLimit.FindRemarks(ResultOf(clients: 0.98, server: 0.45, clientThreads: 1).WithPlan(plan => plan with { Rate = 100 })));
    }

    private static RunResult ResultOf(double clients, double server, int? clientThreads)
    {
        RunResult result = SampleResults.Valid;
        return result.WithClients(report => report with { Threads = clientThreads, Cost = CostOf(clients) })
            .WithServer(report => report with { Threads = 1, Cost = CostOf(server) }) with
        {
            Environment = result.Environment with { Cores = 4 },
        };

        ProcessCost CostOf(double cores) => result.Costs.Server! with { Seconds = Seconds, UserCpuSeconds = cores * Seconds, SystemCpuSeconds = 0 };
    }
}
