using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>The order of the sets, and the launches that they give. No process is started for them.</summary>
public sealed class SliceScheduleTests
{
    private static readonly InterleavingMethod s_method = new(Sets: 2, Rounds: null, SliceSeconds: 0.05, Seed: 1);

    private static readonly SuiteCase[] s_cases =
        [Case("First", "Slow"), Case("First", "Baseline"), Case("Second", "Slow"), Case("Second", "Fast")];

    private readonly List<string> _sets = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Each_benchmark_has_its_first_set_before_one_has_its_second()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf());
        Assert.Equal(["First: Slow Baseline", "Second: Slow Fast", "First: Slow Baseline", "Second: Slow Fast"], _sets);
        Assert.All(s_cases, found => Assert.Equal([1, 2], schedule.ResultsOf(found).Select(launch => launch.Number)));
    }

    [Fact]
    public async Task A_launch_has_the_figures_of_the_baseline_in_its_set()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf());
        Assert.Equal([200, 200], schedule.ResultsOf(s_cases[0]).Select(launch => launch.Baseline!.MessagesPerSecond));

        // Without the library, the first case is the baseline.
        Assert.Equal(("Baseline", "Slow"), (schedule.BaselineOf(s_cases[..2]).Name, schedule.BaselineOf(s_cases[2..]).Name));
        Assert.Equal(100, schedule.ResultsOf(s_cases[3])[0].Baseline!.MessagesPerSecond);
    }

    [Fact]
    public async Task A_failed_case_is_a_failed_launch_and_a_failed_baseline_gives_no_ratio()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf(fails: "Baseline"));
        Assert.Equal((null, "It broke."), (schedule.ResultsOf(s_cases[1])[0].Result, schedule.ResultsOf(s_cases[1])[0].Failure));
        Assert.Null(schedule.ResultsOf(s_cases[0])[0].Baseline);
        Assert.Equal(100, schedule.ResultsOf(s_cases[2])[0].Baseline!.MessagesPerSecond);
    }

    [Fact]
    public async Task A_set_that_was_run_before_is_not_run_again()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf(earlier: (found, set) => set == 1 || found == s_cases[0]
            ? new LaunchResult(set, SampleResults.Valid, null)
            : null));

        // The second set of the first benchmark was not complete, so all of it is run again.
        Assert.Equal(["First: Slow Baseline", "Second: Slow Fast"], _sets);
        Assert.All(s_cases, found => Assert.Equal([1, 2], schedule.ResultsOf(found).Select(launch => launch.Number)));
    }

    [Fact]
    public async Task A_case_that_failed_does_not_keep_a_benchmark_from_its_end()
    {
        SuiteCase[] cases = [.. from name in (string[])["Fast", "Baseline", "Slow"] select Case("Test", name) with { TargetHalfWidth = 0.05 }];
        int sets = 0;
        await RunAsync(new SliceSchedule(cases, s_method with { LimitSeconds = 3_600 }, "Baseline")
        {
            Memory = long.MaxValue,
            Measure = (group, _, _) =>
            {
                sets++;
                return Task.FromResult<IReadOnlyList<InterleavedOutcome>>([.. group.Select(source => OutcomeOf(source, fails: sets > 1 ? "Slow" : null))]);
            },
        });
        Assert.Equal(2, sets);
    }

    [Fact]
    public async Task A_benchmark_that_cannot_be_measured_does_not_end_the_others_and_has_no_further_sets()
    {
        SuiteCase[] cases = [Case("First", "Secure") with { TargetHalfWidth = 0.05 }, Case("Second", "Baseline")];
        SliceSchedule schedule = await RunAsync(new SliceSchedule(cases, s_method with { LimitSeconds = 3_600 }, "Baseline")
        {
            Memory = long.MaxValue,
            Measure = (group, _, _) => group[0].Name == "Secure"
                ? throw new InvalidOperationException("no credentials")
                : Task.FromResult<IReadOnlyList<InterleavedOutcome>>([.. group.Select(source => OutcomeOf(source, fails: null))]),
        });
        Assert.Equal(["no credentials"], schedule.ResultsOf(cases[0]).Select(launch => launch.Failure));
        Assert.All(schedule.ResultsOf(cases[1]), launch => Assert.NotNull(launch.Result));
    }

    [Fact]
    public async Task A_benchmark_whose_first_set_fails_in_every_case_has_no_further_set()
    {
        SliceSchedule schedule = await RunAsync(new SliceSchedule(s_cases, s_method, "Baseline")
        {
            Memory = long.MaxValue,
            Measure = (group, _, _) => Task.FromResult<IReadOnlyList<InterleavedOutcome>>(
                [.. group.Select(source => OutcomeOf(source, fails: group.Any(other => other.Name == "Fast") ? source.Name : "Slow"))]),
        });
        Assert.Equal([2, 2, 1, 1], s_cases.Select(measured => schedule.ResultsOf(measured).Count));
    }

    [Fact]
    public async Task The_time_of_a_benchmark_has_that_of_the_sets_that_were_run_before()
    {
        SliceSchedule schedule = await RunAsync(ScheduleOf(earlier: (_, set) => new LaunchResult(set, SampleResults.Valid, null)));
        Assert.Empty(_sets);
        Assert.InRange(schedule.DecisionOf(s_cases[..2])!.Seconds, 4, 3_600);
    }

    [Fact]
    public async Task Further_sets_begin_with_the_widest_interval_and_only_if_they_end_in_time()
    {
        SuiteCase[] cases =
        [
            .. from benchmark in (string[])["Steady", "Varying"]
               from library in (string[])[benchmark, "Other"]
               select Case(benchmark, library) with { TargetHalfWidth = 1e-9 },
        ];
        var clock = new SetClock();
        var sets = new List<string>();
        var left = new List<(TimeSpan, bool)>();
        await RunAsync(new SliceSchedule(cases, s_method with { LimitSeconds = 65 }, "Other")
        {
            Memory = long.MaxValue,
            Clock = clock,
            Starting = step => sets.Add(step.Name),
            Finished = (step, _) => left.Add((step.ExpectedAfter, step.MayEndBefore)),
            Measure = (group, _, _) =>
            {
                clock.Time += 10 * clock.TimestampFrequency;
                int change = group[0].Name == "Steady" ? sets.Count : 40 * sets.Count;
                return Task.FromResult<IReadOnlyList<InterleavedOutcome>>(
                    [.. group.Select(source => OutcomeOf(source, fails: null, source.Name == "Other" ? 100 : 100 + change))]);
            },
        });
        Assert.Equal(["Steady, set 1", "Varying, set 1", "Steady, set 2", "Varying, set 2", "Varying, set 3", "Steady, set 3"], sets);
        Assert.Equal(
            [55, 45, 35, 25, 15, 0], left.Select(after => (int)after.Item1.TotalSeconds));
        Assert.Equal([true, true, true, true, true, false], left.Select(after => after.Item2));
    }

    [Fact]
    public async Task Cases_that_need_too_much_memory_are_measured_in_groups_with_the_baseline_in_each()
    {
        SuiteCase[] many = [Case("Test", "One"), Case("Test", "Two"), Case("Test", "Baseline"), Case("Test", "Three")];
        SliceSchedule schedule = await RunAsync(ScheduleOf(many, memory: 900L << 20));
        Assert.Equal(["Test: One Two Baseline", "Test: Baseline Three"], _sets[..2]);
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
        SliceSchedule schedule = ScheduleOf(starting: step =>
        {
            if (step.Number == 2)
            {
                abort.Cancel();
            }
        });
        await schedule.RunAsync(abort.Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        Assert.Equal([1, 1, 1, 1], s_cases.Select(found => schedule.ResultsOf(found).Count));
    }

    private static SuiteCase Case(string title, string library) => new(
        title, new RunPlan { Library = library }, SampleLibrary.Info with { Name = library }, new PingPong(), Launches: 2);

    private static async Task<SliceSchedule> RunAsync(SliceSchedule schedule)
    {
        await schedule.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        return schedule;
    }

    private SliceSchedule ScheduleOf(
        SuiteCase[]? cases = null, string? fails = null, Func<SuiteCase, int, LaunchResult?>? earlier = null, long memory = long.MaxValue,
        Action<SuiteStep>? starting = null) => new(cases ?? s_cases, s_method, "Baseline")
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

    private static InterleavedOutcome OutcomeOf(InterleavedCase found, string? fails, int messages = 100) => found.Name == fails
        ? new InterleavedOutcome(found, [], [], true, null, "It broke.")
        : new InterleavedOutcome(
            found, [new SliceReport(1, messages, 0, 0, 0)], [], true, SampleResults.Valid.WithRate(found.Name == "Baseline" ? 200 : 100), null);
}
