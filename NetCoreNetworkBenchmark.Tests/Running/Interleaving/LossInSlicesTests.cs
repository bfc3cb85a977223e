using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>All libraries over UDP in processes that are suspended between their slices, as in the first benchmarks.</summary>
public sealed class LossInSlicesTests
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

/// <summary>All libraries with reliable delivery over UDP. In its own class: beside other tests of its class the pause would last as long as they do.</summary>
public sealed class LongPauseTests
{
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(5);

    // ENet's own time-out is 30 s at most, that of other libraries 5 and 10 s, and that of the adapters 60 s.
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(31);

    [Fact, Trait("Category", "Long")]
    public async Task No_connection_with_unanswered_messages_ends_in_a_long_pause()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        await using var pool = new AgentPool();
        var runs = new List<SlicedRun>();
        try
        {
            foreach (LibraryInfo info in LibraryUnderTest.Catalog.Infos
                .Where(info => LossInSlicesTests.IsMeasured(info) && info.Find(Protocol.Udp, Transmission.Reliable) is not null))
            {
                RunPlan plan = LossInSlicesTests.PlanOf(info.Name, rate: null) with { Transmission = Transmission.Reliable, LossDeadline = 2 * s_pause };
                runs.Add(await SlicedRun.OpenAsync(plan, info, new PingPong(), AgentsUnderTest.In(pool, plan), TestContext.Current.CancellationToken));
            }

            // Suspended soon after each other, because processes start slowly beside other tests.
            foreach (SlicedRun run in runs)
            {
                await run.WarmUpAsync(TestContext.Current.CancellationToken);
            }

            await Task.Delay(s_pause, TestContext.Current.CancellationToken);
            foreach (SlicedRun run in runs)
            {
                await run.SliceAsync(s_slice, TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
                await run.DrainAsync();
                RunResult result = await run.CollectAsync();
                Assert.True(result.Clients.Errors.Count == 0, $"{result.Library}: {string.Join(" ", result.Clients.Errors)}");
                Assert.Equal((result.Totals.Sent, 0), (result.Totals.Received, result.Totals.Lost));
            }
        }
        finally
        {
            await Task.WhenAll(runs.Select(run => run.DisposeAsync().AsTask()));
        }
    }
}
