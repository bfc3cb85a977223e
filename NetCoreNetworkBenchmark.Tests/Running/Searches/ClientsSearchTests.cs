using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Running.Searches;

/// <summary>The search for the highest number of clients, over runs with invented results.</summary>
public sealed class ClientsSearchTests
{
    private static readonly CapacityBound s_bound = new(10_000, ClientBoundKind.Protocol, "No more are allowed.");
    private static readonly RunPlan s_template = new()
    {
        Library = SampleLibrary.Name,
        Test = "PingPong",
        Limits = [PlanValues.Limit("--limit", "server-cpu=80%")],
    };

    [Theory, InlineData(100), InlineData(101), InlineData(431), InlineData(9_999), InlineData(37), InlineData(3), InlineData(1)]
    public async Task The_highest_number_of_clients_is_found_within_five_percent(int max)
    {
        SweepResult result = await SearchAsync(s_template, new PingPong(), plan => plan.Clients <= max ? 0.5 : 0.9);
        Assert.InRange(result.HighestClients!.Value, (int)(max * 0.95), max);
        Assert.Equal((SweepVariable.Clients, null), (result.Variable, result.HighestRate));
        Assert.All(result.Steps, step => Assert.Equal(step.Value <= max, step.Holds));
        Assert.All(result.Steps, step => Assert.Equal(step.Value, step.Result!.Plan.Clients));
        Assert.Matches("^At [0-9,]+ clients?: server-cpu was 90 %[.]$", result.Conclusion);
    }

    [Fact]
    public async Task Where_every_number_holds_the_search_ends_at_the_bound_and_says_whose_it_is()
    {
        SweepResult result = await SearchAsync(s_template, new PingPong(), _ => 0.1);
        Assert.Equal([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000], result.Steps.Select(step => (int)step.Value));
        Assert.Equal((10_000, "No more are allowed."), (result.HighestClients, result.Conclusion));
    }

    [Fact]
    public async Task Where_no_number_holds_there_is_no_highest()
    {
        SweepResult result = await SearchAsync(s_template, new PingPong(), _ => 2);
        Assert.Equal((null, 1), (result.HighestClients, (int)result.Steps[0].Value));
    }

    [Theory, InlineData(20.0), InlineData(0.1), InlineData(null)]
    public async Task The_rate_of_all_follows_from_the_number_of_clients(double? ratePerClient)
    {
        SweepResult result = await SearchAsync(s_template, new PingPong(), plan => plan.Clients <= 300 ? 0 : 1, ratePerClient);
        Assert.All(result.Steps, step => Assert.Equal(
            ratePerClient is { } rate ? (double)((decimal)rate * (int)step.Value) : null, step.Result!.Plan.Rate));
    }

    [Theory, InlineData("all", 2), InlineData("50", 51), InlineData(null, 2)]
    public async Task The_test_completes_each_plan_and_bounds_the_number_from_below(string? visible, int lowest)
    {
        RunPlan template = PlanOf(visible);
        SweepResult none = await SearchAsync(template, new Snapshots(), _ => 1);
        Assert.Equal(lowest, none.Steps[0].Value);
        SweepResult some = await SearchAsync(template, new Snapshots(), plan => plan.Clients <= 150 ? 0 : 1);
        Assert.InRange(some.HighestClients!.Value, 143, 150);
        Assert.All(some.Steps, step => Assert.Equal(
            20 * step.Value * SnapshotLoad.From(step.Result!.Plan).MessagesPerSnapshot, step.Result.Plan.Rate));
    }

    [Fact]
    public async Task Inputs_that_are_sent_late_are_the_limit_of_the_clients()
    {
        SweepResult result = await SearchAsync(
            PlanOf(null),
            new Snapshots(),
            _ => 0,
            change: run => run.Plan.Clients <= 100 ? run : run.WithFaults("Late.").WithClients(clients => clients with
            {
                LatencyKind = LatencyKind.OneWay,
                Measured = clients.Measured with { ClientSent = 100, SentLate = 5 },
            }));
        Assert.Equal((100, true), (result.HighestClients, result.IsUndecided));
        Assert.Contains("the clients were the limit: 5.0 % of their inputs were sent late", result.Conclusion, StringComparison.Ordinal);
    }

    private static RunPlan PlanOf(string? visible)
    {
        RunPlan plan = s_template with { Test = "Snapshots" };
        foreach (WorkloadOption option in new Snapshots().Options)
        {
            string? value = option.Name == SnapshotLoad.VisibleName ? visible : option.Default;
            plan = value is null ? plan : option.Apply(plan, value);
        }

        return plan;
    }

    private static async Task<SweepResult> SearchAsync(
        RunPlan plan, IWorkload workload, Func<RunPlan, double> busyCores, double? ratePerClient = null, Func<RunResult, RunResult>? change = null)
    {
        RunPlan template = workload.Complete(SweptClients.FirstOf(plan, workload, ratePerClient));
        var search = new LimitSearch(SearchRuns.LoadOf(template, workload), new SweptClients(template, workload, s_bound, ratePerClient)) { Command = "none" };
        await search.RunAsync(
            step =>
            {
                RunResult run = SampleResults.Valid.WithPlan(_ => step).WithServer(server => server with
                {
                    Cost = server.Cost! with { Seconds = 10, UserCpuSeconds = 10 * busyCores(step), SystemCpuSeconds = 0 },
                });
                return change?.Invoke(run) ?? run;
            },
            TestContext.Current.CancellationToken);
        return search.ResultOf(isAborted: false);
    }
}
