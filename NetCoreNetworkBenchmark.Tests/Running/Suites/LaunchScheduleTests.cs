using NetCoreNetworkBenchmark.Libraries.Memory;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Tests.Reports;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Running.Suites;

/// <summary>The launches that are made, and the handling of those whose control cannot be measured. No process is started for them.</summary>
public sealed class LaunchScheduleTests
{
    private static readonly SuiteCase s_case = new("Test", new RunPlan { Library = "Memory" }, new MemoryBenchmark().Info, new PingPong(), Launches: 2);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_control_that_fails_is_a_failed_launch_and_the_others_go_on()
    {
        var schedule = new LaunchSchedule([s_case], Token) { Control = _ => throw new BenchmarkException("The control is broken.") };
        await schedule.RunAsync().WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal(
            [new LaunchResult(1, null, "The control is broken."), new LaunchResult(2, null, "The control is broken.")],
            schedule.ResultsOf(s_case));
    }

    public static TheoryData<Exception> Unexpected =>
    [
        new IOException("Too many open files"),
        new InvalidOperationException("The program is broken."),
        new OperationCanceledException("Nobody wanted that."),
    ];

    [Theory]
    [MemberData(nameof(Unexpected))]
    public async Task What_nobody_expected_of_a_launch_is_its_reason_and_the_others_go_on(Exception exception)
    {
        SuiteCase broken = Case("Test", launches: 3);
        var schedule = new LaunchSchedule([broken], Token)
        {
            Measure = (found, _, _) => found.Title == "Test" ? throw exception : Task.FromResult(SampleResults.Valid),
        };
        await schedule.RunAsync().WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal(
            [new LaunchResult(1, null, exception.Message), new LaunchResult(2, null, exception.Message), new LaunchResult(3, null, exception.Message)],
            schedule.ResultsOf(broken));
    }

    [Fact]
    public async Task A_launch_that_was_made_before_is_not_made_again()
    {
        SuiteCase[] cases = [Case("First", launches: 3) with { MostExtraLaunches = 2 }, Case("Second", launches: 3), Case("Third", launches: 2)];
        double[] rates = [40, 100, 100, 100];
        var made = new List<string>();
        var steps = new List<(int Number, int Count)>();
        var schedule = new LaunchSchedule(cases, Token)
        {
            Earlier = (found, launch) => found == cases[0]
                ? new LaunchResult(launch, SampleResults.Valid with { MessagesPerSecond = rates[launch - 1] }, null)
                : null,
            Starting = step => steps.Add((step.Number, step.Count)),
            Measure = (found, _, _) => Task.FromResult(SampleResults.Valid),
            Finished = (step, launch) => made.Add($"{step.Case.Title} {launch.Number}"),
        };
        await schedule.RunAsync().WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal(["Second 1", "Third 1", "Second 2", "Third 2", "Second 3"], made);
        Assert.Equal([(2, 8), (3, 8), (5, 8), (6, 8), (8, 8)], steps);
        Assert.Equal([40, 100, 100, 100], Rates(schedule, cases[0]));
    }

    [Fact]
    public async Task A_case_whose_launches_differ_too_much_has_more_until_they_do_not()
    {
        SuiteCase unsure = Case("Unsure", launches: 3) with { MostExtraLaunches = 2 };
        SuiteCase sure = Case("Sure", launches: 10) with { MostExtraLaunches = 2 };
        SuiteCase asked = Case("As many as asked for", launches: 3);
        double[] rates = [40, 100, 100, 100, 100];
        LaunchSchedule schedule = await RunAsync([unsure, sure, asked], (found, launch) => found == sure ? 100 : rates[launch - 1]);
        Assert.Equal([40, 100, 100, 100, 100], Rates(schedule, unsure));
        Assert.Equal([1, 2, 3, 4, 5], schedule.ResultsOf(unsure).Select(launch => launch.Number));
        Assert.Equal((10, 3), (Rates(schedule, sure).Length, Rates(schedule, asked).Length));
    }

    [Fact]
    public async Task A_machine_that_disturbs_every_case_costs_an_eighth_more_launches_at_most()
    {
        SuiteCase[] cases = [.. Enumerable.Range(1, 8).Select(number => Case($"{number}", launches: 3) with { MostExtraLaunches = 2 })];
        var steps = new List<SuiteStep>();
        LaunchSchedule schedule = await RunAsync(cases, (_, launch) => launch % 2 == 0 ? 10 : 1000, steps.Add);
        Assert.Equal([4, 4, 4, 3, 3, 3, 3, 3], cases.Select(found => Rates(schedule, found).Length));
        Assert.Equal(Enumerable.Range(1, 27), steps.Select(step => step.Number));
        Assert.Equal((24, 27, TimeSpan.Zero), (steps[0].Count, steps[^1].Count, steps[^1].ExpectedAfter));
    }

    private static SuiteCase Case(string title, int launches) => s_case with { Title = title, Launches = launches, WithControl = false };

    private static double[] Rates(LaunchSchedule schedule, SuiteCase found) =>
        [.. schedule.ResultsOf(found).Select(launch => launch.Result!.MessagesPerSecond)];

    private static async Task<LaunchSchedule> RunAsync(IReadOnlyList<SuiteCase> cases, Func<SuiteCase, int, double> rate, Action<SuiteStep>? starting = null)
    {
        var made = new Dictionary<SuiteCase, int>();
        var schedule = new LaunchSchedule(cases, Token)
        {
            Starting = starting,
            Measure = (found, _, _) => Task.FromResult(
                SampleResults.Valid with { MessagesPerSecond = rate(found, made[found] = made.GetValueOrDefault(found) + 1) }),
        };
        await schedule.RunAsync().WaitAsync(LibraryUnderTest.Deadline, Token);
        return schedule;
    }
}
