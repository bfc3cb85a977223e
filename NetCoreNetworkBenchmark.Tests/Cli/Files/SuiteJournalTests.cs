namespace NetCoreNetworkBenchmark.Tests.Cli.Files;

public sealed class SuiteJournalTests : InTemporaryFolder
{
    private const string Command = "NetCoreNetworkBenchmark --benchmark";

    private static readonly SuiteCase s_case =
        new("Benchmark 1", new RunPlan { Library = SampleLibrary.Name }, SampleLibrary.Info, new PingPong(), Launches: 5);
    private static readonly SuiteCase[] s_cases = [s_case, s_case with { Title = "Benchmark 2" }];
    private static readonly LaunchResult s_launch = new(1, SampleResults.Valid, null) { Control = 201_234.5 };

    [Fact]
    public void A_continuation_has_the_launches_that_were_saved()
    {
        var failed = new LaunchResult(2, null, "The server's process has gone.");
        var extra = new LaunchResult(4, SampleResults.Invalid, "It is not valid.");
        SuiteJournal begun = Start();
        begun.Save([new(s_cases[0], s_launch)]);
        begun.Save([new(s_cases[0], failed), new(s_cases[1], extra)]);
        begun.Dispose();
        using SuiteJournal journal = Continue(s_cases);
        Assert.Equal(3, journal.EarlierCount);
        Assert.Equal(Text(s_launch), Text(journal.Find(s_cases[0], 1)!));
        Assert.Equal(failed, journal.Find(s_cases[0], 2));
        Assert.Equal(Text(extra), Text(journal.Find(s_cases[1], 4)!));
        Assert.Null(journal.Find(s_cases[1], 1));
        Assert.Equal((begun.Begin.StartedAt, begun.Begin.Fitness.LoadAverage), (journal.Begin.StartedAt, journal.Begin.Fitness.LoadAverage));
        Assert.Null(journal.Failure);
    }

    [Fact]
    public void Continue_has_the_sets_beyond_those_that_were_planned()
    {
        SuiteJournal begun = Start();
        for (int launch = 1; launch <= 7; launch++)
        {
            begun.Save([new(s_cases[0], s_launch with { Number = launch })]);
        }

        begun.Dispose();
        Assert.Equal(7, CountContinued());

        // To repeat a set, the user removes the file of one of its launches.
        File.Delete(PathOf(Journal.Name, "launch-001-06.json"));
        using SuiteJournal journal = Continue(s_cases);
        Assert.Equal([true, false, true], ((int[])[5, 6, 7]).Select(launch => journal.Find(s_cases[0], launch) is not null));
    }

    [Fact]
    public void A_continuation_repeats_a_set_without_figures()
    {
        using (SuiteJournal journal = Start())
        {
            journal.Save([.. s_cases.Select(suiteCase => new CaseLaunch(suiteCase, new LaunchResult(1, null, "Input/output error")))]);
        }

        Assert.Equal(0, CountContinued());
    }

    [Fact]
    public void Without_an_unfinished_benchmark_there_is_nothing_to_continue()
    {
        AssertRefused($"--continue: '{Folder.FullName}' has no interrupted measurement. Omit --continue to start from the beginning.", s_cases);
        Start().Remove();
        AssertRefused($"--continue: '{Folder.FullName}' has no interrupted measurement. ", s_cases);
        Assert.False(Journal.IsIn(Folder.FullName));
        Assert.Empty(Folder.GetFileSystemInfos());
    }

    [Fact]
    public void Another_benchmark_is_refused_with_what_differs()
    {
        Start().Dispose();
        AssertRefused(
            Differs("its command was 'NetCoreNetworkBenchmark --benchmark' and is 'NetCoreNetworkBenchmark --benchmark=udp' here."), s_cases, $"{Command}=udp");
        AssertRefused(Differs("it had no case 'Benchmark 3, Sample'."), [.. s_cases, s_case with { Title = "Benchmark 3" }]);
        AssertRefused(Differs("it had the case 'Benchmark 2, Sample', which is not part of this one."), [s_case]);
        AssertRefused(
            Differs($"its case 'Benchmark 2, Sample' had '\"clients\":{s_case.Plan.Clients}' and has '\"clients\":7' here."),
            [s_case, s_cases[1] with { Plan = s_case.Plan with { Clients = 7 } }]);
        string launches = $"launches of version {s_case.Library.Version} with the plan'";
        AssertRefused(Differs($"its case 'Benchmark 2, Sample' had '5 {launches} and has '7 {launches} here."), [s_case, s_cases[1] with { Launches = 7 }]);
        AssertRefused(
            Differs($"its case 'Benchmark 2, Sample' had '5 {launches} and has '5 launches of version 2 with the plan' here."),
            [s_case, s_cases[1] with { Library = s_case.Library with { Version = "2" } }]);
    }

    [Fact]
    public void A_long_command_is_refused_with_the_options_that_differ()
    {
        string options = string.Concat(Enumerable.Range(1, 20).Select(number => $" --option{number} value{number}"));
        SuiteJournal.Start(Folder.FullName, s_cases, $"{Command} --clients 50{options}", SuiteBegin.Now(s_cases)).Dispose();
        AssertRefused(Differs("its command had '--clients 50' and has '--clients 60' here."), s_cases, $"{Command} --clients 60{options}");
        AssertRefused(Differs("its command had '--clients 50', which is not here."), s_cases, $"{Command}{options}");
        AssertRefused(Differs("its command has '--sweep' here."), s_cases, $"{Command} --clients 50 --sweep{options}");
        AssertRefused(Differs("its command had another plan."), s_cases, $"{Command} {new string('x', 300)}");
    }

    [Theory]
    [InlineData("benchmark.json", "Use --force instead of --continue to start from the beginning.")]
    [InlineData("launch-001-01.json", "Remove it to measure its launch again.")]
    public void A_damaged_file_is_refused_with_its_name(string name, string remedy)
    {
        Save();
        string file = PathOf(Journal.Name, name);
        File.WriteAllText(file, "{");
        AssertRefused($"--continue: '{file}' cannot be read (", s_cases);
        File.WriteAllText(file, "null");
        AssertRefused($"--continue: '{file}' cannot be read (It holds nothing). {remedy}", s_cases);
    }

    [Fact]
    public void RequireNone_refuses_an_interrupted_measurement_and_Start_deletes_it()
    {
        Journal.RequireNone(Folder.FullName);
        Save();
        BadInput.Throws(
            $"--output: '{Folder.FullName}' has an interrupted measurement. Use --continue to continue it, --force to delete it and start anew, " +
                "or another folder.",
            () => Journal.RequireNone(Folder.FullName));
        Assert.Equal(1, CountContinued());
        Start().Dispose();
        Assert.Equal(0, CountContinued());
    }

    [Fact]
    public void A_folder_in_use_is_refused_with_its_process_until_the_journal_ends()
    {
        using (SuiteJournal first = Start())
        {
            first.Save([new(s_cases[0], s_launch)]);
            foreach (Action second in (Action[])[() => Start(), () => Continue(s_cases), () => Journal.RequireNone(Folder.FullName)])
            {
                var exception = Assert.Throws<BenchmarkException>(second);
                Assert.True(exception.IsBadInput);
                exception.Message.AssertBegins($"--output: '{Folder.FullName}' is in use by process {Environment.ProcessId}, since 20");
            }
        }

        Assert.Equal(1, CountContinued());
    }

    [Fact]
    public void Continue_refuses_a_launch_with_another_plan()
    {
        Save();
        string file = PathOf(Journal.Name, "launch-001-01.json");
        string saved = File.ReadAllText(file);
        SuiteCase[] others = [s_case with { Plan = s_case.Plan with { Clients = 10 } }, s_cases[1]];
        SuiteJournal.Start(Folder.FullName, others, Command, SuiteBegin.Now(others)).Dispose();
        File.WriteAllText(file, saved);
        AssertRefused($"--continue: '{file}' was measured with another plan, machine or program. Remove it to measure its launch again.", others);
    }

    [Fact]
    public void Save_keeps_its_failure_when_the_journal_cannot_be_written()
    {
        string file = PathOf("file");
        File.WriteAllText(file, string.Empty);
        using var journal = SuiteJournal.Start(file, s_cases, Command, SuiteBegin.Now(s_cases));
        journal.Save([new(s_cases[0], s_launch)]);
        journal.Remove();
        journal.Failure.AssertHas(file);
    }

    private SuiteJournal Start() => SuiteJournal.Start(Folder.FullName, s_cases, Command, SuiteBegin.Now(s_cases));

    private void Save()
    {
        using SuiteJournal journal = Start();
        journal.Save([new(s_cases[0], s_launch)]);
    }

    private int CountContinued()
    {
        using SuiteJournal journal = Continue(s_cases);
        return journal.EarlierCount;
    }

    private SuiteJournal Continue(IReadOnlyList<SuiteCase> cases, string command = Command) => SuiteJournal.Continue(Folder.FullName, cases, command);

    private string Differs(string difference) => $"--continue: the interrupted measurement in '{Folder.FullName}' differs: {difference}";

    private void AssertRefused(string sentence, IReadOnlyList<SuiteCase> cases, string command = Command)
    {
        var exception = Assert.Throws<BenchmarkException>(() => Continue(cases, command));
        exception.Message.AssertBegins(sentence);
        Assert.True(exception.IsBadInput);
    }

    private static string Text(LaunchResult launch) => System.Text.Json.JsonSerializer.Serialize(launch, ResultJson.Readable.LaunchResult);
}
