using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Cli.Files;

public sealed class SearchJournalTests : InTemporaryFolder
{
    private const string Command = "NetCoreNetworkBenchmark --test MaxClients";
    private static readonly LibraryInfo s_library = SampleLibrary.Info;
    private static readonly RunPlan s_plan = new() { Test = "MaxClients", Library = SampleLibrary.Name, LossDeadline = TimeSpan.FromSeconds(1) };

    [Theory, InlineData(0), InlineData(1), InlineData(3), InlineData(5)]
    public async Task A_search_that_was_aborted_goes_on_with_the_rest_of_its_steps_and_the_same_result(int done)
    {
        (CapacityResult whole, int[] all) = await SearchAsync(journal: null);
        using var abort = new CancellationTokenSource();
        SearchJournal begun = Start();
        (CapacityResult aborted, int[] first) = await SearchAsync(begun, abort, after: done);
        begun.Dispose();
        Assert.Equal((true, done), (aborted.Aborted, aborted.Steps.Count));
        using SearchJournal journal = Continue();
        Assert.Equal(done, journal.EarlierCount);
        (CapacityResult continued, int[] rest) = await SearchAsync(journal);
        Assert.Equal(all, first.Take(done).Concat(rest));
        Assert.Equal((whole.HighestClients, whole.Conclusion, whole.Steps.Count), (continued.HighestClients, continued.Conclusion, continued.Steps.Count));
        Assert.Equal(journal.Begin.StartedAt, continued.StartedAt);
    }

    [Fact]
    public void Another_search_is_refused_with_what_differs()
    {
        Start().Dispose();
        AssertRefused(
            $"its command was '{Command}' and is '{Command} -x' here",
            () => SearchJournal.Continue(Folder.FullName, $"{Command} -x", [(s_plan, s_library)]));
        AssertRefused(
            "its load had '\"messageSize\":32' and has '\"messageSize\":33' here",
            () => SearchJournal.Continue(Folder.FullName, Command, [(s_plan with { MessageSize = 33 }, s_library)]));
    }

    [Fact]
    public void A_continuation_repeats_a_step_that_failed_or_does_not_show_the_library()
    {
        RunResult disturbed = SampleResults.Valid with { Verdict = SampleResults.Valid.Verdict with { Disturbances = ["Other programs ran."] } };
        RunResult late = SampleResults.OpenLoop.WithClients(clients => clients with
        {
            Measured = clients.Measured with { SentLate = clients.Measured.ClientSent },
        });
        using (SearchJournal journal = Start())
        {
            journal.Save(new SearchStep(10, null, SampleResults.Valid));
            journal.Save(new SearchStep(20, "Input/output error", null));
            journal.Save(new SearchStep(40, "The host b failed.", SampleResults.Valid.WithClients(clients => clients with { Aborted = true })));
            journal.Save(new SearchStep(80, "Other programs ran.", disturbed));
            journal.Save(new SearchStep(160, "The clients were the limit.", late));
        }

        using SearchJournal continued = Continue();
        Assert.Equal(1, continued.EarlierCount);
        Assert.NotNull(continued.Find(10));
    }

    [Fact]
    public void Steps_of_several_loads_are_kept_apart_and_another_load_is_refused()
    {
        (RunPlan, LibraryInfo)[] loads = [(s_plan, s_library), (s_plan, s_library with { Name = "Other" })];
        using (SearchJournal journal = SearchJournal.Start(
            Folder.FullName, Command, loads, new SuiteBegin(DateTimeOffset.UnixEpoch, SampleResults.Valid.Fitness)))
        {
            journal.Save(new SearchStep(10, null, SampleResults.Valid), load: 1);
        }

        AssertRefused("load", () => SearchJournal.Continue(Folder.FullName, Command, [.. loads.Take(1)]));
        using SearchJournal continued = SearchJournal.Continue(Folder.FullName, Command, loads);
        Assert.Equal((null, 10), (continued.Find(10, load: 0), (int)continued.Find(10, load: 1)!.Value));
    }

    [Fact]
    public async Task A_damaged_step_names_its_file()
    {
        using var abort = new CancellationTokenSource();
        SearchJournal begun = Start();
        await SearchAsync(begun, abort, after: 2);
        begun.Dispose();
        string file = PathOf(Journal.Name, "step-10.json");
        File.WriteAllText(file, "null");
        AssertRefused($"--continue: '{file}' cannot be read (It holds nothing). Remove it to measure its step again.", () => Continue());
        File.Delete(file);
        using SearchJournal journal = Continue();
        Assert.Equal(1, journal.EarlierCount);
    }

    private static void AssertRefused(string part, Func<SearchJournal> resume)
    {
        BenchmarkException refused = Assert.Throws<BenchmarkException>(resume);
        Assert.True(refused.IsBadInput);
        refused.Message.AssertHas(part);
    }

    private SearchJournal Start() => SearchJournal.Start(
        Folder.FullName, Command, [(s_plan, s_library)], new SuiteBegin(DateTimeOffset.UnixEpoch, SampleResults.Valid.Fitness));

    private SearchJournal Continue() => SearchJournal.Continue(Folder.FullName, Command, [(s_plan, s_library)]);

    // Returns the numbers of clients that were run, each once. The run after the given number of steps is cut short.
    private static async Task<(CapacityResult Result, int[] Runs)> SearchAsync(
        SearchJournal? journal, CancellationTokenSource? abort = null, int after = int.MaxValue)
    {
        var runs = new List<int>();
        CapacityResult result = await new CapacitySearch(s_plan, s_library, new CapacityBound(50_000, ClientBoundKind.Requested, "Enough."))
        {
            Earlier = value => journal?.Find(value),
            StartedAt = journal?.Begin.StartedAt,
            Finished = (step, _) => journal?.Save(step),
            Run = (plan, token) =>
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

                return Task.FromResult(SampleResults.Valid.WithPlan(_ => plan).WithClients(report => report with
                {
                    Figures = [new WorkloadFigure(WorkloadFigure.ClientsServed, Math.Min(plan.Clients, 431), string.Empty, FigureMerge.Sum)],
                }));
            },
        }.RunAsync(abort?.Token ?? TestContext.Current.CancellationToken);
        return (result, [.. runs]);
    }
}
