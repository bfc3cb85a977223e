using NetCoreNetworkBenchmark.Running.Searches;
using NetCoreNetworkBenchmark.Tests.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Running.Sessions;

/// <summary>A search that was interrupted and is continued.</summary>
public sealed class ContinuedSearchTests : InTemporaryFolder
{
    private const string Command = "NetCoreNetworkBenchmark --test MaxClients";
    private static readonly SuiteCase s_load =
        SearchRuns.LoadOf(new RunPlan { Test = "MaxClients", Library = SampleLibrary.Name, LossDeadline = TimeSpan.FromSeconds(1) });

    [Theory, InlineData(0), InlineData(1), InlineData(3), InlineData(5)]
    public async Task A_search_that_was_aborted_goes_on_with_the_rest_of_its_steps_and_the_same_result(int done)
    {
        (CapacityResult whole, int[] all) = await SearchAsync(log: null);
        using var abort = new CancellationTokenSource();
        SessionLog begun = SessionLog.Start(Folder.FullName, new SessionBegin(DateTimeOffset.UnixEpoch, SampleResults.Valid.Fitness), Facts(s_load));
        (CapacityResult aborted, int[] first) = await SearchAsync(begun, abort, after: done);
        begun.Dispose();
        Assert.Equal((true, done), (aborted.Aborted, aborted.Steps.Count));
        using var log = SessionLog.Continue(Folder.FullName, Facts(s_load));
        (CapacityResult continued, int[] rest) = await SearchAsync(log);
        Assert.Equal(all, first.Take(done).Concat(rest));
        Assert.Equal(
            (whole.HighestClients, whole.Conclusion, whole.Steps.Count), (continued.HighestClients, continued.Conclusion, continued.Steps.Count));
        Assert.Equal(DateTimeOffset.UnixEpoch, continued.StartedAt);
    }

    [Fact]
    public void Another_load_is_refused_with_what_differs()
    {
        SessionLog.Start(Folder.FullName, new SessionBegin(DateTimeOffset.UnixEpoch, SampleResults.Valid.Fitness), Facts(s_load)).Dispose();
        BenchmarkException refused = Assert.Throws<BenchmarkException>(
            () => SessionLog.Continue(Folder.FullName, Facts(s_load with { Plan = s_load.Plan with { MessageSize = 33 } })));
        Assert.True(refused.IsBadInput);
        Assert.Contains("had '\"messageSize\":32' and has '\"messageSize\":33' here", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_continuation_repeats_a_run_that_failed_or_does_not_show_the_library()
    {
        var limits = new RunPlan { Library = SampleLibrary.Name, Rate = 1_000, Limits = [PlanValues.Limit("--limit", "p99=5s")] };
        RunResult disturbed = SampleResults.Valid with { Verdict = SampleResults.Valid.Verdict with { Disturbances = ["Other programs ran."] } };
        SuiteCase load = SearchRuns.LoadOf(limits);
        using (SessionLog log = SessionLog.Start(Folder.FullName, SessionBegin.Now([load]), Facts(load)))
        {
            var search = new LimitSearch(load, new SweptRate(limits)) { Command = "none" };
            await search.RunAsync(
                plan => plan.Rate > 2_000 ? throw new IOException("Input/output error") : plan.Rate > 1_000 ? disturbed : SampleResults.Valid,
                TestContext.Current.CancellationToken,
                log);
        }

        using var continued = SessionLog.Continue(Folder.FullName, Facts(load));
        Assert.Equal(1, continued.EarlierCount);
    }

    [Theory, InlineData(1.2), InlineData(1.6)]
    public async Task Rates_that_are_printed_alike_are_measured_each(double knee)
    {
        var limits = new RunPlan { Library = SampleLibrary.Name, Rate = 1, Limits = [PlanValues.Limit("--limit", "max=5s")] };
        SuiteCase load = SearchRuns.LoadOf(limits);
        RunResult broken = SampleResults.Valid.WithFaults("It is too slow.");
        var results = new List<SweepResult>();
        using SessionLog log = SessionLog.Start(Folder.FullName, SessionBegin.Now([load]), Facts(load));
        foreach (SessionLog? kept in (SessionLog?[])[null, log])
        {
            var search = new LimitSearch(load, new SweptRate(limits)) { Command = "none" };
            await search.RunAsync(plan => plan.Rate > knee ? broken : SampleResults.Valid, TestContext.Current.CancellationToken, kept);
            results.Add(search.ResultOf(isAborted: false));
        }

        Assert.InRange(results[1].HighestRate!.Value, 0.94 * knee, knee);
        Assert.Equal(results[0].Steps.Select(step => (step.Value, step.Holds)), results[1].Steps.Select(step => (step.Value, step.Holds)));
    }

    private static IReadOnlyDictionary<string, string> Facts(SuiteCase load) => SessionFacts.From(Command, [load]);

    // Returns the numbers of clients that were run, each once. The run after the given number of steps is cut short.
    private static async Task<(CapacityResult Result, int[] Runs)> SearchAsync(
        SessionLog? log, CancellationTokenSource? abort = null, int after = int.MaxValue)
    {
        var runs = new List<int>();
        CancellationToken token = abort?.Token ?? TestContext.Current.CancellationToken;
        var search = new CapacitySearch(s_load, new CapacityBound(50_000, ClientBoundKind.Requested, "Enough."))
        {
            StartedAt = log?.Begin.StartedAt,
            Fitness = SampleResults.Valid.Fitness,
        };
        await search.RunAsync(
            plan =>
            {
                if (runs is not [.., var last] || last != plan.Clients)
                {
                    runs.Add(plan.Clients);
                }

                if (runs.Count > after)
                {
                    abort!.Cancel();
                    token.ThrowIfCancellationRequested();
                }

                return SampleResults.Valid.WithPlan(_ => plan).WithClients(report => report with
                {
                    Figures = [new WorkloadFigure(WorkloadFigure.ClientsServed, Math.Min(plan.Clients, 431), string.Empty, FigureMerge.Sum)],
                });
            },
            token,
            log);
        return (search.ResultOf(token.IsCancellationRequested), [.. runs]);
    }
}
