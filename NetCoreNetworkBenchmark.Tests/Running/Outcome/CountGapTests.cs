using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Reports;
using NetCoreNetworkBenchmark.Workloads.FixedCounts;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class CountGapTests
{
    private static readonly RunPlan s_plan = new() { Library = "Sockets", Clients = 20, ParallelMessages = 1 };

    [Theory]
    [InlineData(72_579, 2.6785, 0)]
    [InlineData(100_000, 3, 0)]
    [InlineData(100_020, 3, 0)]
    [InlineData(99_980, 3, 0)]
    [InlineData(97_980, 3, -0.02)]
    [InlineData(105_020, 3, 0.05)]
    [InlineData(98_000, 2.5, 0.17576)]
    public void Of_is_what_neither_the_lengths_of_the_intervals_nor_the_messages_in_flight_explain(long served, double seconds, double gap)
    {
        RunResult result = ResultOf(served, seconds, served == 72_579 ? 81_287 : 100_000);
        Assert.Equal(gap, CountGap.Of(new PingPong(), result)!.Value, tolerance: 1e-5);
    }

    [Fact]
    public void Of_is_null_when_the_counts_of_the_sides_need_not_be_equal()
    {
        RunResult result = ResultOf(50_000, 3);
        Assert.Null(CountGap.Of(new PingPong(), result.WithPlan(plan => plan with { Rate = 1_000 })));
        Assert.Null(CountGap.Of(new FixedCount(), result));
        RunResult[] others =
        [
            result.WithLost(1),
            result.WithClients(clients => clients with { AfterStart = clients.AfterStart with { Duplicated = 1 } }),
            result.WithClients(clients => clients with { Aborted = true }),
            result.WithClients(clients => clients with { LatencyKind = LatencyKind.OneWay }),
            result with { Relay = SampleResults.OpenLoop.Relay },
            result.WithServer(server => server with { Received = null }),
            result.WithServer(server => server with { Received = 0 }),
            result.WithServer(server => server with { Idle = server.Cost }),
            result with { Hosts = new HostsResult("Ssh", null, null, []) { Missing = [new MissingHost("host-a", null, "It is gone.")] } },
        ];
        Assert.All(others, other => Assert.Null(CountGap.Of(new PingPong(), other)));
    }

    [Theory]
    [InlineData(0.019, false, false)]
    [InlineData(-0.021, true, false)]
    [InlineData(0.099, true, false)]
    [InlineData(-0.101, false, true)]
    public void A_gap_is_a_remark_above_2_percent_and_a_fault_above_10(double gap, bool isRemark, bool isFault)
    {
        RunResult result = ResultOf(90_000, 3);
        Assert.Equal((isRemark, isFault), (CountGap.RemarkOf(gap, result) is not null, CountGap.FaultOf(gap, result) is not null));
    }

    [Fact]
    public void A_gap_is_a_remark_when_any_machine_is_good_enough()
    {
        RunResult result = ResultOf(88_980, 3).WithPlan(plan => plan with { AnyMachine = true });
        double? gap = CountGap.Of(new PingPong(), result);
        Assert.Null(CountGap.FaultOf(gap, result));
        Assert.Equal(
            "The server counted 11.0 % fewer messages than the clients in the same time (limit: 2 %): 88,980 in 3.000 s, the clients 100,000 in 3.000 s.",
            CountGap.RemarkOf(gap, result));
    }

    private static RunResult ResultOf(long served, double seconds, long received = 100_000) => SampleResults.Valid.WithPlan(_ => s_plan)
        .WithServer(server => server with { Received = served, Cost = server.Cost with { Seconds = seconds } })
        .WithClients(clients => clients with { DurationSeconds = 3, Measured = clients.Measured with { ClientReceived = received } });
}
