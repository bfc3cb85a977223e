namespace NetCoreNetworkBenchmark.Tests.Cli.Files;

public sealed class SuiteJournalTests : InTemporaryFolder
{
    private const string Command = "NetCoreNetworkBenchmark --benchmark";

    private static readonly SuiteCase s_case = new("Benchmark 1", new RunPlan { Library = "Memory" }, new MemoryBenchmark().Info, new PingPong(), Launches: 5);
    private static readonly SuiteCase[] s_cases = [s_case, s_case with { Title = "Benchmark 2" }];
    private static readonly LaunchResult s_launch = new(1, SampleResults.Valid, null) { Control = 201_234.5 };

    [Fact]
    public void A_continuation_has_the_launches_that_were_saved()
    {
        var failed = new LaunchResult(2, null, "The server's process has gone.");
        var extra = new LaunchResult(4, SampleResults.Invalid, "It is not valid.");
        SuiteJournal begun = Start();
        begun.Save(s_cases[0], s_launch);
        begun.Save(s_cases[0], failed);
        begun.Save(s_cases[1], extra);
        SuiteJournal journal = Continue(s_cases);
        Assert.Equal(3, journal.EarlierCount);
        Assert.Equal(Text(s_launch), Text(journal.Find(s_cases[0], 1)!));
        Assert.Equal(failed, journal.Find(s_cases[0], 2));
        Assert.Equal(Text(extra), Text(journal.Find(s_cases[1], 4)!));
        Assert.Null(journal.Find(s_cases[1], 1));
        Assert.Equal(begun.Begin.StartedAt, journal.Begin.StartedAt);
        Assert.Equal(begun.Begin.Fitness.LoadAverage, journal.Begin.Fitness.LoadAverage);
        Assert.Null(journal.Failure);
    }

    [Fact]
    public void Continue_has_the_sets_beyond_those_that_were_planned()
    {
        SuiteJournal begun = Start();
        for (int launch = 1; launch <= 7; launch++)
        {
            begun.Save(s_cases[0], s_launch with { Number = launch });
        }

        Assert.Equal(7, Continue(s_cases).EarlierCount);

        // To repeat a set, the user removes the file of one of its launches.
        File.Delete(PathOf(Journal.Name, "launch-001-06.json"));
        SuiteJournal journal = Continue(s_cases);
        Assert.Equal([true, false, true], ((int[])[5, 6, 7]).Select(launch => journal.Find(s_cases[0], launch) is not null));
    }

    [Fact]
    public void Without_an_unfinished_benchmark_there_is_nothing_to_continue()
    {
        AssertRefused($"--continue: '{Folder.FullName}' has no interrupted measurement. Omit --continue to start from the beginning.", s_cases);
        Start().Remove();
        AssertRefused($"--continue: '{Folder.FullName}' has no interrupted measurement. ", s_cases);
        Assert.Empty(Folder.GetFileSystemInfos());
    }

    [Fact]
    public void Another_benchmark_is_refused_with_what_differs()
    {
        Start();
        AssertRefused(
            Differs("its command was 'NetCoreNetworkBenchmark --benchmark' and is 'NetCoreNetworkBenchmark --benchmark=udp' here."), s_cases, $"{Command}=udp");
        AssertRefused(Differs("it had no case 'Benchmark 3, Memory'."), [.. s_cases, s_case with { Title = "Benchmark 3" }]);
        AssertRefused(Differs("it had the case 'Benchmark 2, Memory', which is not part of this one."), [s_case]);
        AssertRefused(Differs("its case 'Benchmark 2, Memory' had another plan."), [s_case, s_cases[1] with { Plan = s_case.Plan with { Clients = 7 } }]);
        AssertRefused(Differs("its case 'Benchmark 2, Memory' had another plan."), [s_case, s_cases[1] with { Launches = 7 }]);
        AssertRefused(
            Differs("its case 'Benchmark 2, Memory' had another plan."), [s_case, s_cases[1] with { Library = s_case.Library with { Version = "2" } }]);
    }

    [Theory]
    [InlineData("benchmark.json", "Omit --continue to start from the beginning.")]
    [InlineData("launch-001-01.json", "Remove it to measure its launch again.")]
    public void A_damaged_file_is_refused_with_its_name(string name, string remedy)
    {
        Start().Save(s_cases[0], s_launch);
        string file = PathOf(Journal.Name, name);
        File.WriteAllText(file, "{");
        AssertRefused($"--continue: '{file}' cannot be read (", s_cases);
        File.WriteAllText(file, "null");
        AssertRefused($"--continue: '{file}' cannot be read (It holds nothing). {remedy}", s_cases);
    }

    [Fact]
    public void A_benchmark_that_starts_again_keeps_the_unfinished_one_under_another_name()
    {
        Start().Save(s_cases[0], s_launch);
        Assert.True(Journal.IsIn(Folder.FullName));
        Start();
        Assert.Equal(0, Continue(s_cases).EarlierCount);
        Assert.True(File.Exists(PathOf(Journal.NameBefore, "launch-001-01.json")));
        Start();
        Assert.False(File.Exists(PathOf(Journal.NameBefore, "launch-001-01.json")));
    }

    [Fact]
    public void Save_keeps_its_failure_when_the_journal_cannot_be_written()
    {
        string file = PathOf("file");
        File.WriteAllText(file, string.Empty);
        var journal = SuiteJournal.Start(file, s_cases, Command, SuiteBegin.Now(s_cases));
        journal.Save(s_cases[0], s_launch);
        journal.Remove();
        Assert.StartsWith("The result could not be written to '", journal.Failure, StringComparison.Ordinal);
    }

    private SuiteJournal Start() => SuiteJournal.Start(Folder.FullName, s_cases, Command, SuiteBegin.Now(s_cases));

    private SuiteJournal Continue(IReadOnlyList<SuiteCase> cases, string command = Command) => SuiteJournal.Continue(Folder.FullName, cases, command);

    private string Differs(string difference) => $"--continue: the interrupted measurement in '{Folder.FullName}' differs: {difference}";

    private void AssertRefused(string sentence, IReadOnlyList<SuiteCase> cases, string command = Command)
    {
        var exception = Assert.Throws<BenchmarkException>(() => Continue(cases, command));
        Assert.StartsWith(sentence, exception.Message, StringComparison.Ordinal);
        Assert.True(exception.IsBadInput);
    }

    private static string Text(LaunchResult launch) => System.Text.Json.JsonSerializer.Serialize(launch, ResultJson.Readable.LaunchResult);
}
