using NetCoreNetworkBenchmark.Microbenchmarks.Memory;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

/// <summary>The launches that are made, and the handling of those whose control cannot be measured. No process is started for them.</summary>
public sealed class LaunchScheduleTests
{
    private static readonly SuiteCase s_case = new("Test", new RunPlan { Library = "Memory" }, new MemoryBenchmark().Info, new PingPong(), Launches: 2);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_control_that_fails_is_a_failed_launch_and_the_others_go_on()
    {
        var schedule = new LaunchSchedule(s_case) { Control = _ => throw new BenchmarkException("The control is broken.") };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal([new LaunchResult(1, null, "The control is broken."), new LaunchResult(2, null, "The control is broken.")], schedule.ResultsOf(s_case));
    }

    public static TheoryData<Exception> Unexpected =>
    [
        new IOException("Too many open files"),
        new InvalidOperationException("The program is broken."),
        new OperationCanceledException("Nobody wanted that."),
    ];

    [Theory, MemberData(nameof(Unexpected))]
    public async Task An_unexpected_failure_is_the_reason_of_its_launch_and_the_others_go_on(Exception exception)
    {
        LaunchSchedule schedule = await RunAsync(launch => launch == 2 ? throw exception : SampleResults.Valid);
        Assert.Equal([null, exception.Message, null], schedule.ResultsOf(s_case with { Launches = 3 }).Select(launch => launch.Failure));
    }

    [Fact]
    public async Task The_steps_count_the_launches_and_end_with_nothing_left()
    {
        var steps = new List<SuiteStep>();
        await RunAsync(_ => SampleResults.Valid, steps.Add);
        Assert.Equal([("Test, Memory, launch 1", 1, 3), ("Test, Memory, launch 2", 2, 3), ("Test, Memory, launch 3", 3, 3)],
            steps.Select(step => (step.Name, step.Number, step.Count)));
        Assert.Equal(TimeSpan.Zero, steps[^1].ExpectedAfter);
    }

    [Fact]
    public async Task Finished_reports_the_remaining_time_with_which_the_next_step_begins()
    {
        var begins = new List<TimeSpan>();
        var ends = new List<TimeSpan>();
        var schedule = new LaunchSchedule(s_case with { Launches = 3 })
        {
            Control = _ => Task.FromResult(1000.0),
            Starting = step => begins.Add(step.Expected + step.ExpectedAfter),
            Finished = (step, _) => ends.Add(step.ExpectedAfter),
            Measure = (_, _, _) => Task.FromResult(SampleResults.Valid),
        };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal([.. begins[1..], TimeSpan.Zero], ends);
    }

    [Fact]
    public async Task Cases_are_interleaved_launch_by_launch_and_earlier_launches_are_not_repeated()
    {
        SuiteCase[] cases = [.. from title in (string[])["A", "B"] select s_case with { Title = title }];
        var measured = new List<string>();
        var earlier = new LaunchResult(1, SampleResults.Valid, null);
        var schedule = new LaunchSchedule(cases)
        {
            Control = _ => Task.FromResult(1000.0),
            Starting = step => measured.Add($"{step.Name} ({step.Number} of {step.Count})"),
            Earlier = (suiteCase, launch) => (suiteCase.Title, launch) == ("B", 1) ? earlier : null,
            Measure = (_, _, _) => Task.FromResult(SampleResults.Valid),
        };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal(["A, Memory, launch 1 (1 of 4)", "A, Memory, launch 2 (3 of 4)", "B, Memory, launch 2 (4 of 4)"], measured);
        Assert.Same(earlier, schedule.ResultsOf(cases[1])[0]);
        Assert.All(cases, suiteCase => Assert.Equal([1, 2], schedule.ResultsOf(suiteCase).Select(launch => launch.Number)));
    }

    private static async Task<LaunchSchedule> RunAsync(Func<int, RunResult> measure, Action<SuiteStep>? starting = null)
    {
        int launches = 0;
        var schedule = new LaunchSchedule(s_case with { Launches = 3 })
        {
            Control = _ => Task.FromResult(1000.0),
            Starting = starting,
            Measure = (_, _, _) => Task.FromResult(measure(++launches)),
        };
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        return schedule;
    }
}
