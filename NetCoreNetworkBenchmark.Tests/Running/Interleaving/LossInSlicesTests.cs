using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>All libraries over UDP in processes that are suspended between their slices, as in the first benchmarks.</summary>
public sealed class LossInSlicesTests(PausedRuns paused) : IClassFixture<PausedRuns>
{
    private const int Slices = 40;
    private const int Clients = 200;
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(5);

    // In flight over the pauses, and drained before each of them.
    [Theory, InlineData(null), InlineData(20.0 * Clients), Trait("Category", "Long")]
    public async Task No_pause_loses_a_message_and_no_drain_waits_for_one(double? rate)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        await using var pool = new AgentPool();
        IEnumerable<SuiteCase> cases =
            from info in LibraryUnderTest.Catalog.Infos
            where IsMeasured(info)
            select new SuiteCase("Pauses", PlanOf(info.Name, rate), info, new PingPong(), Launches: 1);
        var set = new InterleavedSet([.. cases.Select(load => (load, (Func<RunPlan, ParticipantGroup>)Place))], s_slice, s_slice, Slices, new Random(1));
        IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(TestContext.Current.CancellationToken);
        Assert.All(outcomes, outcome =>
        {
            Assert.Null(outcome.Failure);
            Assert.Equal((Slices, 0, 0), (outcome.Slices.Count, outcome.Result!.Totals.Lost, outcome.Result.Totals.Unanswered));
            Assert.Equal(outcome.Result.Totals.Sent, outcome.Result.Totals.Received);

            // A drain whose last message cannot come ends with the deadline of a loss.
            Assert.All(outcome.Slices, slice => Assert.InRange(slice.DrainSeconds, 0, outcome.Case.Plan.LossDeadline.TotalSeconds));
        });

        ParticipantGroup Place(RunPlan plan) => AgentsUnderTest.In(pool, plan);
    }

    [Fact, Trait("Category", "Long")]
    public async Task No_connection_with_unanswered_messages_ends_in_a_long_pause()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        foreach (SlicedRun run in await paused.AfterPauseAsync())
        {
            await run.SliceAsync(s_slice, TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
            await run.DrainAsync();
            RunResult result = await run.CollectAsync();
            Assert.True(result.Clients.Errors.Count == 0, $"{result.Library}: {string.Join(" ", result.Clients.Errors)}");
            Assert.Equal((result.Totals.Sent, 0), (result.Totals.Received, result.Totals.Lost));
        }
    }

    internal static bool IsMeasured(LibraryInfo info) =>
        info is { CarriesMessages: true, Unavailable: null } && info.Protocols.Contains(Protocol.Udp);

    internal static RunPlan PlanOf(string library, double? rate) => new()
    {
        Library = library,
        Clients = Clients,
        ParallelMessages = 1,
        Rate = rate,
        WarmUp = TimeSpan.FromMilliseconds(200),
        Duration = Slices * s_slice,
        Port = 0,
        AnyMachine = true,
    };
}

/// <summary>A run of each library with reliable delivery over UDP, suspended with messages in flight. The long pause passes beside the other tests.</summary>
public sealed class PausedRuns : IAsyncLifetime
{
    // ENet's own time-out is 30 s at most, and that of other libraries 5 and 10 s.
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(31);

    private readonly AgentPool _pool = new();
    private readonly List<SlicedRun> _runs = [];
    private Task<IReadOnlyList<SlicedRun>>? _afterPause;

    public ValueTask InitializeAsync()
    {
        if (OperatingSystem.IsLinux())
        {
            _afterPause = PauseAsync();
        }

        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        if (_afterPause is not null)
        {
            await ((Task)_afterPause).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await Task.WhenAll(_runs.Select(run => run.DisposeAsync().AsTask()));
        await _pool.DisposeAsync();
    }

    internal Task<IReadOnlyList<SlicedRun>> AfterPauseAsync() => _afterPause!;

    private async Task<IReadOnlyList<SlicedRun>> PauseAsync()
    {
        foreach (LibraryInfo info in LibraryUnderTest.Catalog.Infos
            .Where(info => LossInSlicesTests.IsMeasured(info) && info.Find(Protocol.Udp, Transmission.Reliable) is not null))
        {
            RunPlan plan = LossInSlicesTests.PlanOf(info.Name, rate: null) with { Transmission = Transmission.Reliable, LossDeadline = 2 * s_pause };
            _runs.Add(await SlicedRun.OpenAsync(plan, info, new PingPong(), AgentsUnderTest.In(_pool, plan), TestContext.Current.CancellationToken));
        }

        // Suspended soon after each other: processes start slowly beside other tests, and the adapters' time-out is 60 s.
        foreach (SlicedRun run in _runs)
        {
            await run.WarmUpAsync(TestContext.Current.CancellationToken);
        }

        await Task.Delay(s_pause, TestContext.Current.CancellationToken);
        return _runs;
    }
}
