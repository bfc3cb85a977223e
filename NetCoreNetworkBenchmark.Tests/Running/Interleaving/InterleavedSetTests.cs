using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Workloads.Bursts;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

public sealed class InterleavedSetTests
{
    private const int Rounds = 4;
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(20);

    private static readonly RunPlan s_plan = new()
    {
        Library = "Memory",
        Clients = 4,
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = Rounds * s_slice,
        Port = 0,
        AnyMachine = true,
    };

    [Fact]
    public async Task Every_case_has_a_slice_in_every_round_and_a_result_of_all()
    {
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf(Case("one"), Case("two"), Case("three")).RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal(["one", "two", "three"], outcomes.Select(outcome => outcome.Case.Name));
        Assert.All(outcomes, outcome =>
        {
            Assert.Null(outcome.Failure);
            Assert.Equal(Rounds, outcome.Slices.Count);
            Assert.Equal(outcome.Slices.Select(slice => slice.Messages), outcome.Result!.Clients.Iterations.Select(part => part.Messages));
            Assert.Equal(
                outcome.Result.Clients.Iterations.Sum(part => part.Messages) / outcome.Result.DurationSeconds, outcome.MessagesPerSecond, tolerance: 1e-6);
        });
    }

    [Theory, InlineData(2), InlineData(3)]
    public async Task Every_second_round_is_the_mirror_of_a_shuffled_one_and_no_slices_overlap(int cases)
    {
        const int ManyRounds = 12;
        var order = new List<string>();
        RecordingLoadGenerator[] generators = [.. ((string[])["one", "two", "three"])[..cases].Select(name => new RecordingLoadGenerator(name, order))];
        InterleavedCase[] recorded = [.. generators.Select(generator => Case(generator.Name) with { Place = _ => Recorded(generator) })];
        await new InterleavedSet(recorded, s_slice, s_slice, ManyRounds, new Random(1)).RunAsync(TestContext.Current.CancellationToken);

        string[][] rounds = [.. order.Chunk(cases)];
        Assert.Equal(ManyRounds, rounds.Length);
        Assert.All(rounds, round => Assert.Equal(generators.Select(generator => generator.Name).Order(), round.Order()));
        Assert.All(rounds.Chunk(2), pair => Assert.Equal(pair[0].Reverse(), pair[1]));
        Assert.All(generators, generator => Assert.Contains(generator.Name, rounds.Where((_, index) => index % 2 == 0).Select(round => round[0])));
        Assert.All(generators, generator => Assert.Equal(0, generator.Overlaps));
    }

    [Fact]
    public async Task A_case_that_is_open_is_suspended_until_all_are_so_that_it_takes_no_core_from_them()
    {
        var events = new List<string>();
        string[] names = ["one", "two", "three"];
        InterleavedCase[] recorded =
        [
            .. names.Select(name => Case(name) with
            {
                Place = _ => Recorded(new RecordingLoadGenerator(name, []) { Events = events }, server => new SuspendableServer(server)),
            }),
        ];
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf(recorded).RunAsync(TestContext.Current.CancellationToken);
        Assert.All(outcomes, outcome => Assert.Null(outcome.Failure));
        Assert.Equal(names.Select(name => $"{name} suspended").Order(), events[..names.Length].Order());
    }

    [Fact]
    public async Task A_participant_that_cannot_be_ended_is_the_fault_of_its_case_and_its_figures_are_kept()
    {
        var stubborn = new RecordingLoadGenerator("stubborn", []) { FailsToEnd = true };
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf(Case("one"), Case("two") with { Place = _ => Recorded(stubborn) })
            .RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal([null, "A participant could not be ended: It is stuck."], outcomes.Select(outcome => outcome.ToLaunch(1).Failure));
        Assert.All(outcomes, outcome => Assert.Equal((Rounds, true), (outcome.Slices.Count, outcome.ToLaunch(1).IsValid)));
    }

    [Fact]
    public async Task A_case_that_breaks_is_left_out_and_the_others_go_on()
    {
        InterleavedCase broken = Case("broken") with { Place = _ => throw new BenchmarkException("There is no such server.") };
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf(Case("one"), broken).RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal((null, Rounds), (outcomes[0].Failure, outcomes[0].Slices.Count));
        Assert.Equal(("There is no such server.", 0, null), (outcomes[1].Failure, outcomes[1].Slices.Count, outcomes[1].Result));
    }

    [Theory]
    [InlineData(300, null, 300)]
    [InlineData(300, 50, 300)]
    [InlineData(301, 50, 350)]
    [InlineData(300, 70, 350)]
    [InlineData(300, 1_000, 4_000)]
    public void A_slice_has_whole_ticks_of_the_server(int milliseconds, int? tick, int expected) => Assert.Equal(
        TimeSpan.FromMilliseconds(expected),
        InterleavedSet.InWholeTicks(TimeSpan.FromMilliseconds(milliseconds), tick is { } length ? TimeSpan.FromMilliseconds(length) : null));

    [Fact]
    public async Task The_rounds_end_with_their_time_but_there_is_one_at_least()
    {
        Assert.Equal(1, await RoundsInAsync(TimeSpan.Zero));
        Assert.Equal(2, await RoundsInAsync(TimeSpan.FromHours(1), most: 2));

        // A round takes two slices at least. On a busy machine it takes longer.
        Assert.InRange(await RoundsInAsync(10 * s_slice), 1, 6);
    }

    [Fact]
    public async Task A_step_past_its_deadline_fails_its_case_and_the_others_go_on()
    {
        var never = new RecordingLoadGenerator("never", []) { Hangs = true };
        var set = new InterleavedSet([Case("one"), Case("two") with { Place = _ => Recorded(never) }], s_slice, s_slice, Rounds, new Random(1))
        {
            Deadline = TimeSpan.FromSeconds(1),
        };
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal(
            [null, "The warm-up did not end within its deadline of 1 s and was stopped. No answer came from never."],
            outcomes.Select(outcome => outcome.Failure));
        Assert.Equal(Rounds, outcomes[0].Slices.Count);
    }

    [Fact]
    public async Task Cancelling_completes_the_round_and_keeps_its_figures()
    {
        using var abort = new CancellationTokenSource();
        var set = new InterleavedSet([Case("one"), Case("two")], s_slice, s_slice, rounds: 1_000_000, new Random(1))
        {
            Starting = round =>
            {
                if (round == 2)
                {
                    abort.Cancel();
                }
            },
        };
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(abort.Token);
        Assert.All(outcomes, outcome => Assert.Null(outcome.Failure));
        Assert.All(outcomes, outcome => Assert.Equal(2, outcome.Slices.Count));
        Assert.All(outcomes, outcome => Assert.NotNull(outcome.Result));
    }

    [Fact]
    public async Task Times_of_a_test_that_were_measured_in_the_warm_up_are_not_in_its_result()
    {
        var workload = new Burst();
        RunPlan plan = workload.Complete(s_plan with { ParallelMessages = 10 });
        InterleavedCase bursts = new(
            "bursts", plan, new MemoryBenchmark().Info, workload, warmed => Placement.InThisProcess(warmed, new MemoryBenchmark(), workload));
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf(bursts, Case("other")).RunAsync(TestContext.Current.CancellationToken);
        RunResult result = outcomes[0].Result!;

        // At the begin of each slice, a burst of each client may already run.
        long most = (result.Clients.Measured.ClientReceived / plan.ParallelMessages) + (plan.Clients * Rounds);
        Assert.InRange(Assert.Single(result.Clients.Distributions).Latency.Count, 1, most);
    }

    private static async Task<int> RoundsInAsync(TimeSpan time, int most = 1_000)
    {
        var set = new InterleavedSet([Case("one"), Case("two")], s_slice, s_slice, most, new Random(1)) { Time = time };
        return (await set.RunAsync(TestContext.Current.CancellationToken))[0].Slices.Count;
    }

    private static InterleavedSet SetOf(params InterleavedCase[] cases) => new(cases, s_slice, s_slice, Rounds, new Random(1));

    private static InterleavedCase Case(string name)
    {
        var workload = new PingPong();
        return new InterleavedCase(name, s_plan, new MemoryBenchmark().Info, workload, plan => Placement.InThisProcess(plan, new MemoryBenchmark(), workload));
    }

    private static ParticipantGroup Recorded(RecordingLoadGenerator driver, Func<IServerHost, IServerHost>? serve = null)
    {
        ParticipantGroup group = Placement.InThisProcess(s_plan, new MemoryBenchmark(), new PingPong());
        driver.Of = group.LoadGenerators[0];
        return new ParticipantGroup { Server = serve?.Invoke(group.Server) ?? group.Server, LoadGenerators = [driver], OneProcess = true };
    }
}

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
        SuiteCase[] cases = [.. from name in (string[])["Fast", "Baseline", "Slow"] select Case("Test", name) with { Aim = 0.05 }];
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
        SuiteCase[] cases = [Case("First", "Secure") with { Aim = 0.05 }, Case("Second", "Baseline")];
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
               select Case(benchmark, library) with { Aim = 1e-9 },
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
        title, new RunPlan { Library = library }, new MemoryBenchmark().Info with { Name = library }, new PingPong(), Launches: 2);

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
