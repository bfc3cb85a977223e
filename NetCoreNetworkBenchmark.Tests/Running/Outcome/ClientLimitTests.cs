using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class ClientLimitTests
{
    private const double Seconds = 10;

    [Fact]
    public void Clients_whose_threads_are_busy_beside_a_server_with_time_left_are_the_limit() => Assert.Equal(
        [
            "The clients were the bottleneck: they used more than 90 % of the time of their 1 thread, and the server used less of its own. " +
            "A faster server may not show a higher rate, but its CPU time per message still counts. Give the clients more threads with --client-threads.",
        ],
        ClientLimit.FindRemarks(ResultOf(clients: 0.98, server: 0.45, clientThreads: 1)));

    [Fact]
    public void Clients_that_have_the_threads_of_their_library_are_limited_by_their_cores() => Assert.Equal(
        [
            "The clients were the bottleneck: they used more than 90 % of the time of their cores, and the server used less of its own. " +
            "A faster server may not show a higher rate, but its CPU time per message still counts. Give the clients more cores.",
        ],
        ClientLimit.FindRemarks(ResultOf(clients: 3.8, server: 0.45, clientThreads: null)));

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
