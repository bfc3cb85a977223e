using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Running.Searches;

/// <summary>What differs from a <see cref="LimitSearch"/>, over steps with invented results. <see cref="RateSearchTests"/> has what all searches do.</summary>
public sealed class CapacitySearchTests
{
    private const int MaxSteps = 24;

    private static RunPlan Template { get; } = new() { Test = "MaxClients", Library = SampleLibrary.Name, LossDeadline = TimeSpan.FromSeconds(1.5) };

    [Theory]
    [InlineData(50, new[] { 10, 20, 40, 50 })]
    [InlineData(10, new[] { 10 })]
    [InlineData(7, new[] { 7 })]
    [InlineData(1, new[] { 1 })]
    [InlineData(4_095, new[] { 10, 100, 1_000, 2_000, 4_095 })]
    [InlineData(10_000, new[] { 10, 100, 1_000, 10_000 })]
    [InlineData(50_000, new[] { 10, 100, 1_000, 10_000, 20_000, 40_000, 50_000 })]
    public async Task Where_every_number_holds_the_decades_are_tried_then_doubles_up_to_the_bound(int bound, int[] expected)
    {
        var tried = new List<int>();
        CapacityResult result = await SearchAsync(clients => Note(tried, clients, clients), Requested(bound));
        Assert.Equal(expected, tried);
        Assert.Equal((bound, ClientBoundKind.Requested, bound), (result.Bound, result.BoundBy, result.HighestClients));
        Assert.Equal("Enough.", result.Conclusion);
    }

    [Theory, InlineData(10), InlineData(99), InlineData(100), InlineData(431), InlineData(12_345), InlineData(64_999), InlineData(3), InlineData(1)]
    public async Task The_most_clients_are_found_within_five_percent(int max)
    {
        CapacityResult result = await SearchAsync(clients => Math.Min(clients, max), Requested(65_000));
        Assert.InRange(result.HighestClients!.Value, (int)(max * 0.95), max);
        Assert.InRange(result.Steps.Count, 2, MaxSteps);
        Assert.Equal(result.Steps.OrderBy(step => (int)step.Value), result.Steps);
        Assert.Equal(result.Steps.Count, result.Steps.Select(step => (int)step.Value).Distinct().Count());
        Assert.All(result.Steps, step => Assert.Equal((int)step.Value <= max, step.Holds));
        Assert.Matches("^At [0-9,]+: [0-9,]+ of [0-9,]+ clients had no answer within 1[.]5 s[.]$", result.Conclusion);
    }

    [Fact]
    public async Task Where_no_number_holds_there_is_no_highest_and_the_search_ends()
    {
        CapacityResult result = await SearchAsync(_ => 0, Requested(1_000));
        Assert.Null(result.HighestClients);
        Assert.Equal([1, 2, 5, 10], result.Steps.Select(step => (int)step.Value));
        Assert.Equal("At 1: 1 of 1 clients had no answer within 1.5 s.", result.Conclusion);
    }

    [Fact]
    public async Task Every_step_follows_the_plan_but_for_the_number_of_clients()
    {
        var plans = new List<RunPlan>();
        CapacityResult result = await SearchRunsAsync(
            plan =>
            {
                plans.Add(plan);
                return Step(plan.Clients, plan.Clients) with { LibraryVersion = "9.8" };
            },
            Requested(100),
            TestContext.Current.CancellationToken);
        Assert.All(plans, plan => Assert.Equal(Template with { Clients = plan.Clients }, plan));
        Assert.Equal(("9.8", 1_500), (result.LibraryVersion, result.Plan.LossDeadline.TotalMilliseconds));
    }

    [Theory, InlineData(100, 100, 1), InlineData(100, 99, 3)]
    public async Task A_disturbed_run_shows_that_its_number_holds_but_not_that_it_does_not(int clients, int answered, int expected)
    {
        int runs = 0;
        CapacityResult result = await SearchRunsAsync(
            plan =>
            {
                RunResult run = Step(plan.Clients, Math.Min(plan.Clients, answered));
                runs += plan.Clients == clients ? 1 : 0;
                return run with { Verdict = run.Verdict with { Disturbances = ["Other programs ran."] } };
            },
            Requested(clients),
            TestContext.Current.CancellationToken);
        Assert.Equal((expected, answered == clients ? clients : 10), (runs, result.HighestClients));
    }

    [Fact]
    public async Task Ending_the_search_keeps_the_steps_that_were_whole()
    {
        using var abort = new CancellationTokenSource();
        CapacityResult result = await SearchUntilAsync(
            clients =>
            {
                if (clients == 1_000)
                {
                    abort.Cancel();
                    throw new OperationCanceledException(abort.Token);
                }

                return clients;
            },
            Requested(10_000),
            abort.Token);
        Assert.Equal([10, 100], result.Steps.Select(step => (int)step.Value));
        Assert.Equal((100, true, "The search was aborted."), (result.HighestClients, result.Aborted, result.Conclusion));
    }

    private static CapacityBound Requested(int clients) => new(clients, ClientBoundKind.Requested, "Enough.");

    private static int Note(List<int> tried, int clients, int answered)
    {
        tried.Add(clients);
        return answered;
    }

    private static Task<CapacityResult> SearchAsync(Func<int, int> answered, CapacityBound bound) =>
        SearchUntilAsync(answered, bound, TestContext.Current.CancellationToken);

    private static Task<CapacityResult> SearchUntilAsync(Func<int, int> answered, CapacityBound bound, CancellationToken cancellationToken) =>
        SearchRunsAsync(plan => Step(plan.Clients, answered(plan.Clients)), bound, cancellationToken);

    private static async Task<CapacityResult> SearchRunsAsync(Func<RunPlan, RunResult> run, CapacityBound bound, CancellationToken cancellationToken)
    {
        var search = new CapacitySearch(SearchRuns.LoadOf(Template), bound) { Fitness = SampleResults.Valid.Fitness };
        await search.RunAsync(run, cancellationToken);
        return search.ResultOf(cancellationToken.IsCancellationRequested);
    }

    // The answers of the others were late.
    private static RunResult Step(int clients, int answered) => SampleResults.Valid.WithPlan(plan => plan with { Clients = clients })
        .WithClients(report => report with
        {
            ConnectSeconds = 0.5,
            Measured = new MessageCounters { ClientSent = clients, ClientReceived = clients },
            Figures = [new WorkloadFigure(WorkloadFigure.ClientsServed, answered, string.Empty, FigureMerge.Sum)],
        }) with
    {
        ServerMemory = new ServerMemory(1, 2, 3, 4, clients),
    };
}

public sealed class CapacityBoundTests
{
    private const int AllPorts = 65_536;

    private static readonly LibraryInfo s_library = SampleLibrary.Info with { Name = "Small", DescriptorsPerClient = 2 };

    [Fact]
    public void The_least_of_the_bounds_counts_and_says_what_it_comes_from()
    {
        Assert.Equal(
            new CapacityBound(5_000, ClientBoundKind.Requested, "The search stops at the 5,000 clients of --clients."),
            CapacityBound.Lowest(5_000, s_library with { MaxClients = 6_000 }, descriptors: 20_000, AllPorts));
        Assert.Equal(
            new CapacityBound(4_095, ClientBoundKind.Protocol, "The protocol of Small allows no more than 4,095."),
            CapacityBound.Lowest(5_000, s_library with { MaxClients = 4_095 }, descriptors: 20_000, AllPorts));
        Assert.Equal(
            new CapacityBound(
                388, ClientBoundKind.Descriptors,
                "A process may have 1,000 open descriptors here, of which 224 are reserved for the process itself. 'ulimit -n' raises the limit."),
            CapacityBound.Lowest(5_000, s_library with { MaxClients = 4_095 }, descriptors: 1_000, AllPorts));
        Assert.Equal(
            new CapacityBound(
                936, ClientBoundKind.Ports, "The system has 1,000 ports for clients of one address, of which 64 are reserved for other programs."),
            CapacityBound.Lowest(null, s_library, descriptors: null, ports: 1_000));
    }

    [Fact]
    public void A_library_without_descriptors_is_not_bound_by_them() => Assert.Equal(
        ClientBoundKind.Ports, CapacityBound.Lowest(null, s_library with { DescriptorsPerClient = 0 }, descriptors: 100, AllPorts).Kind);

    [Theory, InlineData(10, 1_000), InlineData(1_000, 10)]
    public void There_is_always_one_client_to_try(long descriptors, int ports) =>
        Assert.Equal(1, CapacityBound.Lowest(null, s_library, descriptors, ports).Clients);

    [Fact]
    public void This_machine_has_a_bound_within_its_descriptors_and_ports()
    {
        CapacityBound bound = CapacityBound.Find(null, s_library);
        Assert.InRange(bound.Clients, 1, AllPorts - 64);
        Assert.InRange(bound.Clients, 1, ((DescriptorLimit.Current() ?? long.MaxValue) / 2) + 1);
    }
}
