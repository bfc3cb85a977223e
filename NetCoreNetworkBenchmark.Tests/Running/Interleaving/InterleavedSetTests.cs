using NetCoreNetworkBenchmark.Microbenchmarks.Memory;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Interleaving;

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

    [Fact]
    public async Task Loads_are_interleaved_and_the_order_differs_between_rounds()
    {
        var order = new List<string>();
        RecordingLoadGenerator[] drivers = [new("one", order), new("two", order), new("three", order)];
        await SetOf([.. drivers.Select(driver => Case(driver.Name) with { Place = _ => Recorded(driver) })]).RunAsync(TestContext.Current.CancellationToken);

        string[] rounds = [.. order.Chunk(3).Select(round => string.Join(' ', round))];
        Assert.Equal(Rounds, rounds.Length);
        Assert.All(rounds, round => Assert.Equal(["one", "three", "two"], round.Split(' ').Order()));
        Assert.All(order.Zip(order.Skip(1)), pair => Assert.NotEqual(pair.First, pair.Second));
        Assert.True(rounds.Distinct().Count() > 1, $"All rounds have the order '{rounds[0]}'.");
        Assert.All(drivers, driver => Assert.Equal(0, driver.Overlaps));
    }

    [Fact]
    public async Task A_case_that_breaks_is_left_out_and_the_others_go_on()
    {
        InterleavedCase broken = Case("broken") with { Place = _ => throw new BenchmarkException("There is no such server.") };
        IReadOnlyList<InterleavedOutcome> outcomes = await SetOf(Case("one"), broken).RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal((null, Rounds), (outcomes[0].Failure, outcomes[0].Slices.Count));
        Assert.Equal(("There is no such server.", 0, null), (outcomes[1].Failure, outcomes[1].Slices.Count, outcomes[1].Result));
    }

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
        Assert.Equal([null, "It did not end within its deadline of 1 s and was stopped."], outcomes.Select(outcome => outcome.Failure));
        Assert.Equal(Rounds, outcomes[0].Slices.Count);
    }

    [Fact]
    public async Task Cancelling_completes_the_round_and_keeps_its_figures()
    {
        using var abort = new CancellationTokenSource();
        var set = new InterleavedSet([Case("one"), Case("two")], s_slice, s_slice, rounds: 1_000_000, new Random(1))
        {
            Starting = round => AbortIf(round == 2, abort),
        };
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(abort.Token);
        Assert.All(outcomes, outcome => Assert.Null(outcome.Failure));
        Assert.All(outcomes, outcome => Assert.Equal(2, outcome.Slices.Count));
        Assert.All(outcomes, outcome => Assert.NotNull(outcome.Result));
    }

    private static async Task<int> RoundsInAsync(TimeSpan time, int most = 1_000)
    {
        var set = new InterleavedSet([Case("one"), Case("two")], s_slice, s_slice, most, new Random(1)) { Time = time };
        return (await set.RunAsync(TestContext.Current.CancellationToken))[0].Slices.Count;
    }

    private static void AbortIf(bool condition, CancellationTokenSource abort)
    {
        if (condition)
        {
            abort.Cancel();
        }
    }

    private static InterleavedSet SetOf(params InterleavedCase[] cases) => new(cases, s_slice, s_slice, Rounds, new Random(1));

    private static InterleavedCase Case(string name)
    {
        var workload = new PingPong();
        return new InterleavedCase(name, s_plan, new MemoryBenchmark().Info, workload, plan => Placement.InThisProcess(plan, new MemoryBenchmark(), workload));
    }

    private static ParticipantGroup Recorded(RecordingLoadGenerator driver)
    {
        ParticipantGroup group = Placement.InThisProcess(s_plan, new MemoryBenchmark(), new PingPong());
        driver.Of = group.LoadGenerators[0];
        return new ParticipantGroup { Server = group.Server, LoadGenerators = [driver], OneProcess = true };
    }
}
