using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Tests.Running.Sessions;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>The order of the sets, and the launches that they give. No process is started for them.</summary>
public sealed class PreciseSetsTests : InTemporaryFolder
{
    private static readonly InterleavingMethod s_method = new(Sets: 2, Rounds: null, SliceSeconds: 0.05, Seed: 1);

    private static readonly SuiteCase[] s_cases =
        [Case("First", "Slow"), Case("First", "Baseline"), Case("Second", "Slow"), Case("Second", "Fast")];

    private readonly List<Step> _started = [];
    private readonly List<Step> _finished = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private IEnumerable<string> Sets => _started.Select(step => $"{step.Cases[0].Title}: {string.Join(' ', step.Cases.Select(found => found.Name))}");

    [Fact]
    public async Task Each_benchmark_has_its_first_set_before_one_has_its_second()
    {
        PreciseSets sets = await RunAsync(SetsOf());
        Assert.Equal(["First: Slow Baseline", "Second: Slow Fast", "First: Slow Baseline", "Second: Slow Fast"], Sets);
        Assert.All(s_cases, found => Assert.Equal([1, 2], sets.LaunchesOf(found).Select(launch => launch.Number)));
    }

    [Fact]
    public async Task A_launch_has_the_figures_of_the_baseline_in_its_set()
    {
        PreciseSets sets = await RunAsync(SetsOf());
        Assert.Equal([200, 200], sets.LaunchesOf(s_cases[0]).Select(launch => launch.Baseline!.MessagesPerSecond));

        // Without the library, the first case is the baseline.
        Assert.Equal(("Baseline", "Slow"), (sets.BaselineOf(s_cases[..2]).Name, sets.BaselineOf(s_cases[2..]).Name));
        Assert.Equal(100, sets.LaunchesOf(s_cases[3])[0].Baseline!.MessagesPerSecond);
    }

    [Fact]
    public async Task A_failed_case_is_a_failed_launch_and_a_failed_baseline_gives_no_ratio()
    {
        PreciseSets sets = await RunAsync(SetsOf(), step => LaunchesOf(step, fails: "Baseline"));
        Assert.Equal((null, "It broke."), (sets.LaunchesOf(s_cases[1])[0].Result, sets.LaunchesOf(s_cases[1])[0].Failure));
        Assert.Null(sets.LaunchesOf(s_cases[0])[0].Baseline);
        Assert.Equal(100, sets.LaunchesOf(s_cases[2])[0].Baseline!.MessagesPerSecond);
    }

    [Fact]
    public async Task A_set_that_was_measured_before_is_not_measured_again()
    {
        var begin = new SessionBegin(DateTimeOffset.UnixEpoch, SampleResults.Valid.Fitness);
        using var log = SessionLog.Start(Folder.FullName, begin, SessionFacts.From("command", s_cases));
        log.Append([.. s_cases.Select(found => new CaseLaunch(found, new LaunchResult(1, SampleResults.Valid, null)))]);
        log.Append([new CaseLaunch(s_cases[0], new LaunchResult(2, SampleResults.Valid, null))]);
        PreciseSets sets = await RunAsync(SetsOf(), log: log);

        // The second set of the first benchmark was not complete, so all of it is measured again.
        Assert.Equal(["First: Slow Baseline", "Second: Slow Fast"], Sets);
        Assert.All(s_cases, found => Assert.Equal([1, 2], sets.LaunchesOf(found).Select(launch => launch.Number)));
        _started.Clear();
        sets = await RunAsync(SetsOf(), log: log);
        Assert.Empty(_started);

        // The time of sets that were measured before is not known.
        Assert.InRange(sets.DecisionOf(s_cases[..2])!.Seconds, 4, 3_600);
    }

    [Fact]
    public async Task A_case_that_failed_does_not_keep_a_benchmark_from_its_end()
    {
        SuiteCase[] cases = [.. from name in (string[])["Fast", "Baseline", "Slow"] select Case("Test", name) with { TargetHalfWidth = 0.05 }];
        await RunAsync(SetsOf(cases, seconds: 3_600), step => LaunchesOf(step, fails: step.Number > 1 ? "Slow" : null));
        Assert.Equal(2, _started.Count);
    }

    [Fact]
    public async Task A_benchmark_whose_first_set_fails_in_every_case_has_no_further_set()
    {
        PreciseSets sets = await RunAsync(
            SetsOf(),
            step => [.. step.Cases.SelectMany(found => LaunchesOf(
                step with { Cases = [found], Baseline = found }, fails: step.Cases.Any(other => other.Name == "Fast") ? found.Name : "Slow"))]);
        Assert.Equal([2, 2, 1, 1], s_cases.Select(measured => sets.LaunchesOf(measured).Count));
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
        await RunAsync(
            new PreciseSets(cases, s_method with { LimitSeconds = 65 }, "Other")
            {
                Memory = long.MaxValue,
                Clock = clock,
            },
            step =>
            {
                clock.Time += 10 * clock.TimestampFrequency;
                int change = step.Cases[0].Name == "Steady" ? _started.Count : 40 * _started.Count;
                return LaunchesOf(step, messagesOf: name => name == "Other" ? 100 : 100 + change);
            },
            taken: TimeSpan.FromSeconds(10));
        Assert.Equal(
            ["Steady, set 1", "Varying, set 1", "Steady, set 2", "Varying, set 2", "Varying, set 3", "Steady, set 3"], _started.Select(step => step.Name));
        Assert.Equal([55, 45, 35, 25, 15, 0], _finished.Select(step => (int)step.ExpectedAfter.TotalSeconds));
        Assert.Equal([true, true, true, true, true, false], _finished.Select(step => step.MayEndBefore));
    }

    [Fact]
    public async Task Cases_that_need_too_much_memory_are_measured_in_groups_with_the_baseline_in_each()
    {
        SuiteCase[] many = [Case("Test", "One"), Case("Test", "Two"), Case("Test", "Baseline"), Case("Test", "Three")];
        PreciseSets sets = await RunAsync(SetsOf(many, memory: 900L << 20));
        Assert.Equal(["Test: One Two Baseline", "Test: Baseline Three"], Sets.Take(2));
        Assert.All(many, found => Assert.Equal(2, sets.LaunchesOf(found).Count));
    }

    [Fact]
    public async Task The_expected_time_follows_the_pace_of_the_sets_so_far()
    {
        await RunAsync(SetsOf());
        Assert.Equal([("First, set 1", 1, 4), ("Second, set 1", 2, 4), ("First, set 2", 3, 4), ("Second, set 2", 4, 4)],
            _started.Select(step => (step.Name, step.Place, step.Count)));
        Assert.InRange(_started[0].ExpectedAfter, TimeSpan.FromSeconds(10), TimeSpan.FromMinutes(5));

        // The made-up sets take no time.
        Assert.Equal([TimeSpan.Zero, TimeSpan.Zero, TimeSpan.Zero], _started[1..].Select(step => step.ExpectedAfter));
    }

    private static SuiteCase Case(string title, string library) => new(
        title, new RunPlan { Library = library }, SampleLibrary.Info with { Name = library }, new PingPong(), Launches: 2);

    private static PreciseSets SetsOf(SuiteCase[]? cases = null, long memory = long.MaxValue, double? seconds = null) =>
        new(cases ?? s_cases, s_method with { LimitSeconds = seconds }, "Baseline") { Memory = memory };

    private async Task<PreciseSets> RunAsync(
        PreciseSets sets, Func<Step, IReadOnlyList<CaseLaunch>>? launchesOf = null, SessionLog? log = null, TimeSpan? taken = null)
    {
        var session = new Session(sets, new MadeUpRunner(launchesOf ?? (step => LaunchesOf(step)), taken), log)
        {
            Starting = _started.Add,
            Finished = _finished.Add,
        };
        await session.RunAsync(Token).WaitAsync(LibraryUnderTest.Deadline, Token);
        return sets;
    }

    private static IReadOnlyList<CaseLaunch> LaunchesOf(Step step, string? fails = null, Func<string, int>? messagesOf = null) =>
        SetRunner.LaunchesOf(step, [.. step.Cases.Select(found => OutcomeOf(found, fails, messagesOf?.Invoke(found.Name) ?? 100))]);

    private static InterleavedOutcome OutcomeOf(SuiteCase found, string? fails, int messages) => found.Name == fails
        ? new InterleavedOutcome(found, [], [], true, null, "It broke.")
        : new InterleavedOutcome(
            found, [new SliceReport(1, messages, 0, 0, 0)], [], true, SampleResults.Valid.WithRate(found.Name == "Baseline" ? 200 : 100), null);
}
