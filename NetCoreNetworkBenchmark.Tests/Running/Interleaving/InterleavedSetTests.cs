using NetCoreNetworkBenchmark.Running.Interleaving;
using NetCoreNetworkBenchmark.Workloads.Bursts;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

public sealed class InterleavedSetTests
{
    private const int Rounds = 4;
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(20);

    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Clients = 4,
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = Rounds * s_slice,
        Port = 0,
        AnyMachine = true,
    };

    [Fact]
    public async Task Every_case_has_a_slice_in_every_round_and_a_result_of_all()
    {
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf([Case("one"), Case("two"), Case("three")]).RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal(["one", "two", "three"], outcomes.Select(outcome => outcome.Case.Title));
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
        await SetOf([.. generators.Select(generator => Case(generator.Name, _ => Recorded(generator)))], ManyRounds)
            .RunAsync(TestContext.Current.CancellationToken);

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
        InterleavedSet set = SetOf(
        [
            .. names.Select(name => Case(
                name, _ => Recorded(new RecordingLoadGenerator(name, []) { Events = events }, server => new SuspendableServer(server)))),
        ]);
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(TestContext.Current.CancellationToken);
        Assert.All(outcomes, outcome => Assert.Null(outcome.Failure));
        Assert.Equal(names.Select(name => $"{name} suspended").Order(), events[..names.Length].Order());
    }

    [Fact]
    public async Task A_participant_that_cannot_be_ended_is_the_fault_of_its_case_and_its_figures_are_kept()
    {
        var stubborn = new RecordingLoadGenerator("stubborn", []) { FailsToEnd = true };
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf([Case("one"), Case("two", _ => Recorded(stubborn))])
            .RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal([null, "A participant could not be ended: It is stuck."], outcomes.Select(outcome => outcome.ToLaunch(1).Failure));
        Assert.All(outcomes, outcome => Assert.Equal((Rounds, true), (outcome.Slices.Count, outcome.ToLaunch(1).IsValid)));
    }

    [Fact]
    public async Task A_case_that_breaks_is_left_out_and_the_others_go_on()
    {
        InterleavedSet set = SetOf([Case("one"), Case("broken", _ => throw new BenchmarkException("There is no such server."))]);
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal((null, Rounds), (outcomes[0].Failure, outcomes[0].Slices.Count));
        Assert.Equal(("There is no such server.", 0, null), (outcomes[1].Failure, outcomes[1].Slices.Count, outcomes[1].Result));
    }

    [Theory, InlineData(300, null, 300), InlineData(300, 50, 300), InlineData(301, 50, 350), InlineData(300, 70, 350), InlineData(300, 1_000, 4_000)]
    public void A_slice_has_whole_ticks_of_the_server(int milliseconds, int? tick, int expected) => Assert.Equal(
        TimeSpan.FromMilliseconds(expected),
        InterleavedSet.InWholeTicks(TimeSpan.FromMilliseconds(milliseconds), tick is { } length ? TimeSpan.FromMilliseconds(length) : null));

    [Fact]
    public async Task The_rounds_end_with_their_time_but_there_is_one_at_least()
    {
        Assert.Equal(1, await RoundsInAsync(TimeSpan.Zero));
        Assert.Equal(2, await RoundsInAsync(TimeSpan.FromHours(1), max: 2));

        // A round takes two slices at least. On a busy machine it takes longer.
        Assert.InRange(await RoundsInAsync(10 * s_slice), 1, 6);
    }

    [Theory, InlineData(1, 1), InlineData(2, 1), InlineData(3, 2)]
    public async Task Cancelling_completes_the_first_round_and_omits_a_later_one(int cancelled, int kept)
    {
        string[] names = ["one", "two", "three"];
        using var abort = new CancellationTokenSource();
        var order = new List<string>();
        ParticipantGroup ParticipantsOf(string name) => Recorded(new RecordingLoadGenerator(name, order)
        {
            Measuring = () => (order.Count == (names.Length * (cancelled - 1)) + 1 ? abort : null)?.Cancel(),
        });
        InterleavedSet set = SetOf([.. names.Select(name => Case(name, _ => ParticipantsOf(name)))], rounds: 1_000_000);
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(abort.Token);
        Assert.Equal(cancelled == 1 ? names.Length : (names.Length * (cancelled - 1)) + 1, order.Count);
        Assert.All(outcomes, outcome => Assert.Equal((null, kept), (outcome.Failure, outcome.Slices.Count)));
        Assert.All(outcomes, outcome => Assert.NotNull(outcome.Result));
    }

    [Theory, InlineData(false, 1), InlineData(true, 3)]
    public async Task The_cases_are_drained_side_by_side_only_if_the_set_is_cancelled(bool isCancelled, int expected)
    {
        string[] names = ["one", "two", "three"];
        using var abort = new CancellationTokenSource();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        (int draining, int max) = (0, 0);
        async Task DrainAsync()
        {
            max = Math.Max(max, Interlocked.Increment(ref draining));
            if (max == expected)
            {
                all.TrySetResult();
            }

            await all.Task.WaitAsync(LibraryUnderTest.Deadline);
            Interlocked.Decrement(ref draining);
        }

        ParticipantGroup ParticipantsOf(string name) =>
            Recorded(new RecordingLoadGenerator(name, []) { Events = [], Draining = DrainAsync }, server => new SuspendableServer(server));
        var set = new InterleavedSet([.. names.Select(name => Case(name, _ => ParticipantsOf(name)))], s_slice, s_slice, Rounds, new Random(1))
        {
            Starting = round => (round == Rounds && isCancelled ? abort : null)?.Cancel(),
        };
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(abort.Token);
        Assert.All(outcomes, outcome => Assert.Equal((null, isCancelled ? Rounds - 1 : Rounds), (outcome.Failure, outcome.Slices.Count)));
        Assert.Equal(expected, max);
    }

    [Fact]
    public async Task Times_of_a_test_that_were_measured_in_the_warm_up_are_not_in_its_result()
    {
        var workload = new Burst();
        RunPlan plan = workload.Complete(s_plan with { ParallelMessages = 10 });
        var bursts = new SuiteCase("bursts", plan, new SocketsBenchmark().Info, workload, Launches: 1);
        InterleavedSet set = SetOf([(bursts, warmed => Placement.InThisProcess(warmed, new SocketsBenchmark(), workload)), Case("other")]);
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(TestContext.Current.CancellationToken);
        RunResult result = outcomes[0].Result!;

        // At the begin of each slice, a burst of each client may already run.
        long max = (result.Clients.Measured.ClientReceived / plan.ParallelMessages) + (plan.Clients * Rounds);
        Assert.InRange(Assert.Single(result.Clients.Distributions).Latency.Count, 1, max);
    }

    private static async Task<int> RoundsInAsync(TimeSpan time, int max = 1_000)
    {
        var set = new InterleavedSet([Case("one"), Case("two")], s_slice, s_slice, max, new Random(1)) { Time = time };
        return (await set.RunAsync(TestContext.Current.CancellationToken))[0].Slices.Count;
    }

    private static InterleavedSet SetOf(IReadOnlyList<(SuiteCase Case, Func<RunPlan, ParticipantGroup> Place)> cases, int rounds = Rounds) =>
        new(cases, s_slice, s_slice, rounds, new Random(1));

    private static (SuiteCase Case, Func<RunPlan, ParticipantGroup> Place) Case(string name, Func<RunPlan, ParticipantGroup>? place = null)
    {
        var workload = new PingPong();
        return (
            new SuiteCase(name, s_plan, new SocketsBenchmark().Info, workload, Launches: 1),
            place ?? (plan => Placement.InThisProcess(plan, new SocketsBenchmark(), workload)));
    }

    private static ParticipantGroup Recorded(RecordingLoadGenerator driver, Func<IServerHost, IServerHost>? serve = null)
    {
        ParticipantGroup group = Placement.InThisProcess(s_plan, new SocketsBenchmark(), new PingPong());
        driver.Of = group.LoadGenerators[0];
        return new ParticipantGroup { Server = serve?.Invoke(group.Server) ?? group.Server, LoadGenerators = [driver], IsOneProcess = true };
    }
}
