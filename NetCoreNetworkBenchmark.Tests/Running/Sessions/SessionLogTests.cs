namespace NetCoreNetworkBenchmark.Tests.Running.Sessions;

public sealed class SessionLogTests : InTemporaryFolder
{
    private const string Command = "NetCoreNetworkBenchmark --benchmark";

    private static readonly SuiteCase s_case =
        new("Benchmark 1", new RunPlan { Library = SampleLibrary.Name }, SampleLibrary.Info, new PingPong(), Launches: 5);
    private static readonly SuiteCase[] s_cases = [s_case, s_case with { Title = "Benchmark 2" }];
    private static readonly LaunchResult s_launch = new(1, SampleResults.Valid, null) { Control = 201_234.5 };

    private string LogFile => PathOf(SessionLog.FolderName, SessionLog.FileName);

    [Fact]
    public void A_continuation_has_the_launches_that_were_appended()
    {
        var failed = new LaunchResult(2, null, "The server's process has gone.");
        var extra = new LaunchResult(2, SampleResults.Invalid, "It is not valid.");
        SessionLog begun = Start();
        begun.Append([new(s_cases[0], s_launch)]);
        begun.Append([new(s_cases[0], failed), new(s_cases[1], extra)]);
        begun.Dispose();
        using SessionLog log = Continue(s_cases);
        Assert.Equal(3, log.EarlierCount);
        Assert.Equal([Text(s_launch)], log.Find(StepOf(1, s_cases[0]))!.Select(launch => Text(launch.Launch)));
        Assert.Equal(
            [(s_cases[0], Text(failed)), (s_cases[1], Text(extra))], log.Find(StepOf(2, s_cases))!.Select(launch => (launch.Case, Text(launch.Launch))));
        Assert.Null(log.Find(StepOf(1, s_cases)));
        Assert.Equal(begun.Begin.StartedAt, log.Begin.StartedAt);
        Assert.Equal(begun.Begin.Fitness.LoadAverage, log.Begin.Fitness.LoadAverage);
        Assert.Null(log.Failure);
    }

    [Fact]
    public void A_continuation_is_appended_and_can_be_continued()
    {
        AppendOne(Start(), 1);
        AppendOne(Continue(s_cases), 2);
        Assert.Equal(2, CountContinued());

        // To repeat a launch, the user removes its line.
        File.WriteAllLines(LogFile, File.ReadAllLines(LogFile).Where(line => !line.Contains("\"number\":1,", StringComparison.Ordinal)));
        using SessionLog log = Continue(s_cases);
        Assert.Equal([false, true], ((int[])[1, 2]).Select(launch => log.Find(StepOf(launch, s_cases[0])) is not null));
    }

    [Theory, InlineData(1), InlineData(40)]
    public void A_line_that_was_cut_short_is_measured_again(int bytes)
    {
        AppendOne(Start(), 1);
        AppendOne(Continue(s_cases), 2);
        using (FileStream file = File.Open(LogFile, FileMode.Open))
        {
            file.SetLength(file.Length - bytes);
        }

        Assert.Equal(1, CountContinued());
        AppendOne(Continue(s_cases), 2);
        Assert.Equal(2, CountContinued());
    }

    [Fact]
    public void A_continuation_repeats_a_step_without_figures()
    {
        RunResult aborted = SampleResults.Valid.WithClients(clients => clients with { Aborted = true });
        using (SessionLog log = Start())
        {
            log.Append([.. s_cases.Select(suiteCase => new CaseLaunch(suiteCase, new LaunchResult(1, null, "Input/output error")))]);
            log.Append([new CaseLaunch(s_case, new LaunchResult(2, aborted, "The host b failed."))]);
        }

        Assert.Equal(0, CountContinued());
    }

    [Fact]
    public void The_launches_of_a_step_that_was_not_complete_are_replaced()
    {
        using (SessionLog log = Start())
        {
            log.Append([new(s_cases[0], s_launch)]);
            Assert.Null(log.Find(StepOf(1, s_cases)));
            log.Append([.. s_cases.Select(suiteCase => new CaseLaunch(suiteCase, s_launch with { Control = 1 }))]);
        }

        using SessionLog continued = Continue(s_cases);
        Assert.Equal([1, 1], continued.Find(StepOf(1, s_cases))!.Select(launch => launch.Launch.Control!.Value));
        Assert.Equal(2, continued.EarlierCount);
    }

    [Fact]
    public void Without_an_interrupted_measurement_there_is_nothing_to_continue()
    {
        AssertRefused($"--continue: '{Folder.FullName}' has no interrupted measurement. Omit --continue to start from the beginning.", s_cases);
        Start().Remove();
        AssertRefused($"--continue: '{Folder.FullName}' has no interrupted measurement. ", s_cases);
        Assert.False(SessionLog.IsIn(Folder.FullName));
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
        AssertRefused(
            Differs($"its case 'Benchmark 2, Sample' had '5 {launches} and has '7 {launches} here."), [s_case, s_cases[1] with { Launches = 7 }]);
        AssertRefused(
            Differs($"its case 'Benchmark 2, Sample' had '5 {launches} and has '5 launches of version 2 with the plan' here."),
            [s_case, s_cases[1] with { Library = s_case.Library with { Version = "2" } }]);
    }

    [Fact]
    public void A_long_command_is_refused_with_the_options_that_differ()
    {
        string options = string.Concat(Enumerable.Range(1, 20).Select(number => $" --option{number} value{number}"));
        Start($"{Command} --clients 50{options}").Dispose();
        AssertRefused(Differs("its command had '--clients 50' and has '--clients 60' here."), s_cases, $"{Command} --clients 60{options}");
        AssertRefused(Differs("its command had '--clients 50', which is not here."), s_cases, $"{Command}{options}");
        AssertRefused(Differs("its command has '--sweep' here."), s_cases, $"{Command} --clients 50 --sweep{options}");
        AssertRefused(Differs("its command had another plan."), s_cases, $"{Command} {new string('x', 300)}");
    }

    [Theory, InlineData(0, "Use --force instead of --continue to start from the beginning."), InlineData(1, "Remove this line to measure its launch again.")]
    public void A_damaged_line_is_refused_with_its_number(int line, string remedy)
    {
        AppendOne(Start(), 1);
        string[] lines = File.ReadAllLines(LogFile);
        foreach ((string damaged, string reason) in (IEnumerable<(string, string)>)[("{", string.Empty), ("null", $"It holds nothing). {remedy}")])
        {
            lines[line] = damaged;
            File.WriteAllLines(LogFile, lines);
            AssertRefused($"--continue: line {line + 1} of '{LogFile}' cannot be read ({reason}", s_cases);
        }
    }

    [Fact]
    public void RequireNone_refuses_an_interrupted_measurement_and_Start_deletes_it()
    {
        SessionLog.RequireNone(Folder.FullName);
        AppendOne(Start(), 1);
        BadInput.Throws(
            $"--output: '{Folder.FullName}' has an interrupted measurement. Use --continue to continue it, --force to delete it and start anew, " +
                "or another folder.",
            () => SessionLog.RequireNone(Folder.FullName));
        Assert.Equal(1, CountContinued());
        Start().Dispose();
        Assert.Equal(0, CountContinued());
    }

    [Fact]
    public void A_folder_in_use_is_refused_with_its_process_until_the_log_ends()
    {
        using (SessionLog first = Start())
        {
            first.Append([new(s_cases[0], s_launch)]);
            foreach (Action second in (Action[])[() => Start(), () => Continue(s_cases), () => SessionLog.RequireNone(Folder.FullName)])
            {
                var exception = Assert.Throws<BenchmarkException>(second);
                Assert.True(exception.IsBadInput);
                Assert.StartsWith(
                    $"--output: '{Folder.FullName}' is in use by process {Environment.ProcessId}, since 20", exception.Message, StringComparison.Ordinal);
            }
        }

        Assert.Equal(1, CountContinued());
    }

    [Fact]
    public void Append_keeps_its_failure_when_the_log_cannot_be_written()
    {
        string file = PathOf("file");
        File.WriteAllText(file, string.Empty);
        using var log = SessionLog.Start(file, SessionBegin.Now(s_cases), SessionFacts.From(Command, s_cases));
        log.Append([new(s_cases[0], s_launch)]);
        log.Remove();
        Assert.Contains(file, log.Failure, StringComparison.Ordinal);
    }

    private static Step StepOf(int number, params SuiteCase[] cases) => new("step", cases, number);

    private static void AppendOne(SessionLog log, int number)
    {
        log.Append([new(s_cases[0], s_launch with { Number = number })]);
        log.Dispose();
    }

    private SessionLog Start(string command = Command) =>
        SessionLog.Start(Folder.FullName, SessionBegin.Now(s_cases), SessionFacts.From(command, s_cases));

    private SessionLog Continue(IReadOnlyList<SuiteCase> cases, string command = Command) =>
        SessionLog.Continue(Folder.FullName, SessionFacts.From(command, cases));

    private int CountContinued()
    {
        using SessionLog log = Continue(s_cases);
        return log.EarlierCount;
    }

    private string Differs(string difference) => $"--continue: the interrupted measurement in '{Folder.FullName}' differs: {difference}";

    private void AssertRefused(string sentence, IReadOnlyList<SuiteCase> cases, string command = Command)
    {
        var exception = Assert.Throws<BenchmarkException>(() => Continue(cases, command));
        Assert.StartsWith(sentence, exception.Message, StringComparison.Ordinal);
        Assert.True(exception.IsBadInput);
    }

    private static string Text(LaunchResult launch) => System.Text.Json.JsonSerializer.Serialize(launch, ResultJson.Readable.LaunchResult);
}
