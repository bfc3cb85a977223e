namespace NetCoreNetworkBenchmark.Tests.Running.Sessions;

/// <summary>The launches of a session, and those that fail. No process is started for them.</summary>
public sealed class LaunchesTests : InTemporaryFolder
{
    private static readonly SuiteCase s_case = new("Test", new RunPlan { Library = SampleLibrary.Name }, SampleLibrary.Info, new PingPong(), Launches: 3);

    private readonly List<Step> _started = [];
    private readonly List<Step> _finished = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<Exception> Unexpected =>
    [
        new IOException("Too many open files"),
        new InvalidOperationException("The program is broken."),
        new OperationCanceledException("Nobody wanted that."),
    ];

    [Fact]
    public async Task A_control_that_fails_is_a_failed_launch_and_the_others_go_on()
    {
        int controls = 0;
        FixedLaunches launches = await RunAsync(
            new LaunchRunner
            {
                Control = (_, _) => ++controls == 2 ? throw new BenchmarkException("The control is broken.") : Task.FromResult(1000.0),
                Measure = (_, _, _) => Task.FromResult(SampleResults.Valid),
            },
            s_case);
        Assert.Equal([null, "The control is broken.", null], launches.LaunchesOf(s_case).Select(launch => launch.Failure));
    }

    [Fact]
    public async Task A_launch_that_does_not_end_before_its_deadline_fails_alone()
    {
        FixedLaunches launches = await RunAsync(
            new LaunchRunner
            {
                Deadline = _ => _started.Count == 2 ? TimeSpan.FromMilliseconds(1) : LibraryUnderTest.Deadline,
                Measure = async (_, _, token) =>
                {
                    await (_started.Count == 2 ? Task.Delay(Timeout.Infinite, token) : Task.CompletedTask);
                    return SampleResults.Valid;
                },
            },
            s_case);
        Assert.Equal(
            [null, "The run did not end within its deadline of 0 s and was stopped.", null],
            launches.LaunchesOf(s_case).Select(launch => launch.Failure));
    }

    [Fact]
    public async Task A_case_whose_first_launch_has_no_result_is_not_launched_again_and_the_others_are()
    {
        SuiteCase[] cases = [.. from title in (string[])["Broken", "Good"] select s_case with { Title = title }];
        FixedLaunches launches = await RunAsync(
            suiteCase => suiteCase.Title == "Broken" ? throw new IOException("There is no server.") : SampleResults.Valid, cases);
        Assert.Equal(["There is no server."], launches.LaunchesOf(cases[0]).Select(launch => launch.Failure));
        Assert.Equal([1, 2, 3], launches.LaunchesOf(cases[1]).Select(launch => launch.Number));
    }

    [Theory, MemberData(nameof(Unexpected))]
    public async Task An_unexpected_failure_is_the_reason_of_its_launch_and_the_others_go_on(Exception exception)
    {
        FixedLaunches launches = await RunAsync(_ => _started.Count == 2 ? throw exception : SampleResults.Valid, s_case);
        Assert.Equal([null, exception.Message, null], launches.LaunchesOf(s_case).Select(launch => launch.Failure));
    }

    [Fact]
    public async Task The_steps_count_the_launches_and_the_remaining_time_is_the_one_with_which_the_next_begins()
    {
        await RunAsync(_ => SampleResults.Valid, s_case);
        Assert.Equal([("Test, Sample, launch 1", 1, 3), ("Test, Sample, launch 2", 2, 3), ("Test, Sample, launch 3", 3, 3)],
            _started.Select(step => (step.Name, step.Place, step.Count)));
        Assert.Equal(
            [.. _started[1..].Select(step => step.Expected + step.ExpectedAfter), TimeSpan.Zero], _finished.Select(step => step.ExpectedAfter));
    }

    [Fact]
    public async Task Cases_are_measured_launch_by_launch_and_earlier_launches_are_not_repeated()
    {
        SuiteCase[] cases = [.. from title in (string[])["A", "B"] select s_case with { Title = title, Launches = 2 }];
        using var log = SessionLog.Start(Folder.FullName, SessionBegin.Now(cases), SessionFacts.From("command", cases));
        var earlier = new LaunchResult(1, SampleResults.Valid, null);
        log.Append([new CaseLaunch(cases[1], earlier)]);
        FixedLaunches launches = await RunAsync(RunnerOf(_ => SampleResults.Valid), log, cases);
        Assert.Equal(
            ["A, Sample, launch 1 (1 of 4)", "A, Sample, launch 2 (3 of 4)", "B, Sample, launch 2 (4 of 4)"],
            _started.Select(step => $"{step.Name} ({step.Place} of {step.Count})"));
        Assert.Same(earlier, launches.LaunchesOf(cases[1])[0]);
        Assert.All(cases, suiteCase => Assert.Equal([1, 2], launches.LaunchesOf(suiteCase).Select(launch => launch.Number)));
    }

    [Fact]
    public async Task The_step_during_which_the_user_ends_a_session_is_in_its_result_and_not_in_its_log()
    {
        using var abort = new CancellationTokenSource();
        IReadOnlyDictionary<string, string> facts = SessionFacts.From("command", [s_case]);
        var launches = new FixedLaunches([s_case]);
        using (SessionLog log = SessionLog.Start(Folder.FullName, SessionBegin.Now([s_case]), facts))
        {
            LaunchRunner runner = RunnerOf(_ =>
            {
                if (_started.Count == 2)
                {
                    abort.Cancel();
                }

                return SampleResults.Valid;
            });
            await new Session(launches, runner, log) { Starting = _started.Add }.RunAsync(abort.Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        }

        Assert.Equal([1, 2], launches.LaunchesOf(s_case).Select(launch => launch.Number));
        using SessionLog continued = SessionLog.Continue(Folder.FullName, facts);
        Assert.Equal(1, continued.EarlierCount);
    }

    private static LaunchRunner RunnerOf(Func<SuiteCase, RunResult> run) => new()
    {
        Control = (_, _) => Task.FromResult(1000.0),
        Measure = (suiteCase, _, _) => Task.FromResult(run(suiteCase)),
    };

    private Task<FixedLaunches> RunAsync(Func<SuiteCase, RunResult> run, params SuiteCase[] cases) => RunAsync(RunnerOf(run), cases);

    private Task<FixedLaunches> RunAsync(LaunchRunner runner, params SuiteCase[] cases) => RunAsync(runner, log: null, cases);

    private async Task<FixedLaunches> RunAsync(LaunchRunner runner, SessionLog? log, params SuiteCase[] cases)
    {
        var launches = new FixedLaunches(cases);
        var session = new Session(launches, runner, log) { Starting = _started.Add, Finished = _finished.Add };
        await session.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        return launches;
    }
}
