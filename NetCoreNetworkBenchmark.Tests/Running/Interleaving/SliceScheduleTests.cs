using NetCoreNetworkBenchmark.Microbenchmarks.Memory;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Tests.Reports;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>The order of the sets, and the launches that they give. No process is started for them.</summary>
public sealed class SliceScheduleTests
{
    private static readonly InterleavingMethod s_method = new(Sets: 2, Rounds: null, SliceSeconds: 0.05, Seed: 1);

    private static readonly SuiteCase[] s_cases =
        [Case("First", "Slow"), Case("First", "Floor"), Case("Second", "Slow"), Case("Second", "Fast")];

    private readonly List<string> _sets = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Each_benchmark_has_its_first_set_before_one_has_its_second()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf());
        Assert.Equal(["First: Slow Floor", "Second: Slow Fast", "First: Slow Floor", "Second: Slow Fast"], _sets);
        Assert.All(s_cases, found => Assert.Equal([1, 2], schedule.ResultsOf(found).Select(launch => launch.Number)));
    }

    [Fact]
    public async Task A_launch_has_the_figures_of_the_floor_in_its_set()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf());
        Assert.Equal([200, 200], schedule.ResultsOf(s_cases[0]).Select(launch => launch.Floor!.MessagesPerSecond));

        // Without the library, the first case is the floor.
        Assert.Equal(("Floor", "Slow"), (schedule.BaselineOf(s_cases[..2]).Name, schedule.BaselineOf(s_cases[2..]).Name));
        Assert.Equal(100, schedule.ResultsOf(s_cases[3])[0].Floor!.MessagesPerSecond);
    }

    [Fact]
    public async Task A_failed_case_is_a_failed_launch_and_a_failed_floor_gives_no_ratio()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf(fails: "Floor"));
        Assert.Equal((null, "It broke."), (schedule.ResultsOf(s_cases[1])[0].Result, schedule.ResultsOf(s_cases[1])[0].Failure));
        Assert.Null(schedule.ResultsOf(s_cases[0])[0].Floor);
        Assert.Equal(100, schedule.ResultsOf(s_cases[2])[0].Floor!.MessagesPerSecond);
    }

    [Fact]
    public async Task A_set_that_was_run_before_is_not_run_again()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf(earlier: (found, set) => set == 1 || found == s_cases[0]
            ? new LaunchResult(set, SampleResults.Valid, null)
            : null));

        // The second set of the first benchmark was not complete, so all of it is run again.
        Assert.Equal(["First: Slow Floor", "Second: Slow Fast"], _sets);
        Assert.All(s_cases, found => Assert.Equal([1, 2], schedule.ResultsOf(found).Select(launch => launch.Number)));
    }

    [Fact]
    public async Task Cases_that_need_too_much_memory_are_measured_in_groups_with_the_floor_in_each()
    {
        SuiteCase[] many = [Case("Test", "One"), Case("Test", "Two"), Case("Test", "Floor"), Case("Test", "Three")];
        SliceSchedule schedule = await RunAsync(ScheduleOf(many, memory: 900L << 20));
        Assert.Equal(["Test: One Two Floor", "Test: Floor Three"], _sets[..2]);
        Assert.All(many, found => Assert.Equal(2, schedule.ResultsOf(found).Count));
    }

    [Fact]
    public async Task The_expected_time_follows_the_pace_of_the_sets_so_far()
    {
        var steps = new List<SuiteStep>();
        await RunAsync(ScheduleOf(starting: steps.Add));
        Assert.Equal([("First, set 1", 1, 4), ("Second, set 1", 2, 4), ("First, set 2", 3, 4), ("Second, set 2", 4, 4)],
            steps.Select(step => (step.Name, step.Number, step.Count)));
        Assert.InRange(steps[0].ExpectedAfter, TimeSpan.FromSeconds(10), TimeSpan.FromMinutes(5));

        // The made-up sets take no time.
        Assert.InRange(steps[1].ExpectedAfter, TimeSpan.Zero, steps[0].ExpectedAfter / 2);
        Assert.Equal(TimeSpan.Zero, steps[3].ExpectedAfter);
    }

    [Fact]
    public async Task Cancelling_keeps_the_sets_so_far()
    {
        using var abort = new CancellationTokenSource();
        SliceSchedule schedule = ScheduleOf(starting: step => CancelIf(step.Number == 2, abort));
        await schedule.RunAsync(abort.Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal([1, 1, 1, 1], s_cases.Select(found => schedule.ResultsOf(found).Count));
    }

    private static void CancelIf(bool condition, CancellationTokenSource abort)
    {
        if (condition)
        {
            abort.Cancel();
        }
    }

    private static SuiteCase Case(string title, string library) => new(
        title, new RunPlan { Library = library }, new MemoryBenchmark().Info with { Name = library }, new PingPong(), Launches: 2);

    private static async Task<SliceSchedule> RunAsync(SliceSchedule schedule)
    {
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        return schedule;
    }

    private SliceSchedule ScheduleOf(
        SuiteCase[]? cases = null, string? fails = null, Func<SuiteCase, int, LaunchResult?>? earlier = null, long memory = long.MaxValue,
        Action<SuiteStep>? starting = null) => new(cases ?? s_cases, s_method, "Floor")
        {
            Memory = memory,
            Starting = starting,
            Earlier = earlier ?? ((_, _) => null),
            Measure = (of, _, _) =>
            {
                string title = (cases ?? s_cases).First(found => found.Name == of[0].Name && (cases ?? s_cases).Any(other =>
                    other.Title == found.Title && other.Name == of[^1].Name)).Title;
                _sets.Add($"{title}: {string.Join(' ', of.Select(found => found.Name))}");
                return Task.FromResult<IReadOnlyList<InterleavedOutcome>>([.. of.Select(found => OutcomeOf(found, fails))]);
            },
        };

    private static InterleavedOutcome OutcomeOf(InterleavedCase found, string? fails) => found.Name == fails
        ? new InterleavedOutcome(found, [], [], true, null, "It broke.")
        : new InterleavedOutcome(
            found, [new SliceReport(1, 100, 0, 0, 0)], [], true, SampleResults.Valid with { MessagesPerSecond = found.Name == "Floor" ? 200 : 100 }, null);
}
