using NetCoreNetworkBenchmark.Workloads.Bursts;
using NetCoreNetworkBenchmark.Workloads.FixedCounts;

namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

/// <summary>Every library under every kind of load, measured in slices with pauses between them.</summary>
public sealed class RunInSlicesTests
{
    private const int Slices = 3;

    // A thread that is counting a message when a slice ends counts it a moment later.
    private const int MaxAtTheEdge = 16;
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(20);

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.Transports();

    [Theory, MemberData(nameof(Transports)), Trait("Category", "Long")]
    public Task A_closed_loop_is_paused_and_resumed_and_loses_nothing(string name, Protocol protocol) => LosesNothingAsync(name, protocol, new PingPong());

    [Theory, MemberData(nameof(Transports)), Trait("Category", "Long")]
    public Task Bursts_are_paused_and_resumed_and_lose_nothing(string name, Protocol protocol) => LosesNothingAsync(name, protocol, new Burst());

    [Theory, MemberData(nameof(Transports)), Trait("Category", "Long")]
    public async Task An_open_loop_is_paused_and_resumed_with_its_schedule(string name, Protocol protocol)
    {
        const double Rate = 2_000;
        var pause = TimeSpan.FromSeconds(2);
        RunPlan plan = PlanOf(name, protocol) with { ParallelMessages = 1, Rate = Rate };
        (RunResult result, SliceReport[] slices) = await SlicesAsync(plan, new PingPong(), pause);
        AssertAddsUp(result, slices);
        Assert.Equal((result.Totals.Sent, 0), (result.Totals.Received, result.Lost));

        // While it is paused, nothing becomes due: a schedule that went on would send all of that at once.
        double maxSeconds = result.Clients.WarmUpSeconds + slices.Sum(slice => slice.Seconds + slice.SettleSeconds + slice.DrainSeconds);
        Assert.InRange(result.Totals.Sent, 1, Rate * (maxSeconds + (pause.TotalSeconds / 2)));
    }

    [Theory, MemberData(nameof(LibraryUnderTest.WithServerPush), MemberType = typeof(LibraryUnderTest)), Trait("Category", "Long")]
    public async Task A_stream_that_the_server_sends_is_paused_and_resumed(string name, Protocol protocol)
    {
        (RunResult result, SliceReport[] slices) = await SlicesAsync(PlanOf(name, protocol), new Multicast());
        AssertAddsUp(result, slices);
        Assert.Equal((0, 0), (result.Duplicated, result.Corrupted));

        // Over datagrams, what the clients cannot take is lost.
        Assert.True(protocol == Protocol.Udp || result.Lost == 0, $"{result.Lost} messages were lost.");
    }

    [Theory, MemberData(nameof(Transports)), Trait("Category", "Long")]
    public async Task A_load_that_ends_by_itself_is_measured_whole_in_each_slice(string name, Protocol protocol)
    {
        var workload = new Burst();
        RunPlan plan = workload.Complete(workload.Options.Single().Apply(PlanOf(name, protocol) with { Duration = TimeSpan.FromMinutes(1) }, "1"));
        (RunResult result, SliceReport[] slices) = await SlicesAsync(plan, workload);
        int burst = plan.Clients * plan.ParallelMessages;
        Assert.Equal(Enumerable.Repeat((long)burst, Slices), slices.Select(slice => slice.Messages));
        Assert.Equal((Slices * burst, (1 + Slices) * burst), (result.Messages.ClientReceived, result.Totals.Received));
        Assert.Equal(Slices * plan.Clients, Assert.Single(result.Clients.Distributions!).Latency.Count);
        double seconds = result.Clients.Figures!.Single(figure => figure.Name == WorkloadFigure.WholeTime).Value;
        Assert.InRange(seconds, double.Epsilon, slices.Max(slice => slice.Seconds));
        Assert.Empty(result.InvalidReasons);
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_fixed_count_is_measured_whole_in_each_slice()
    {
        const int Count = 50;
        var workload = new FixedCount();
        RunPlan plan = PlanOf("Sockets", Protocol.Tcp) with { Duration = TimeSpan.FromMinutes(1) };
        plan = workload.Complete(workload.Options.Single().Apply(plan, $"{Count}"));
        (RunResult result, SliceReport[] slices) = await SlicesAsync(plan, workload);
        Assert.Equal(Enumerable.Repeat((long)Count * plan.Clients, Slices), slices.Select(slice => slice.Messages));
        Assert.Empty(result.InvalidReasons);
    }

    [Fact]
    public async Task A_multicast_group_is_paused_and_resumed()
    {
        RunPlan plan = PlanOf("Sockets", Protocol.Udp) with { Address = "239.255.0.1", Rate = 2_000 };
        (RunResult result, SliceReport[] slices) = await SlicesAsync(plan, new Multicast());
        AssertAddsUp(result, slices);
    }

    [Fact]
    public async Task A_paused_load_sends_nothing_and_its_cost_is_apart()
    {
        RunPlan plan = PlanOf("Sockets", Protocol.Udp);
        await using SlicedRun run = await OpenAsync(plan, new PingPong());
        await run.WarmUpAsync(TestContext.Current.CancellationToken);
        SliceReport slice = await run.SliceAsync(s_slice, s_slice, TestContext.Current.CancellationToken);
        await Task.Delay(s_slice, TestContext.Current.CancellationToken);
        await run.DrainAsync();
        RunResult result = await run.CollectAsync();
        Assert.InRange(result.Messages.ClientReceived, slice.Messages, slice.Messages + MaxAtTheEdge);

        // A timer may end early.
        Assert.InRange(result.Clients.Idle!.Seconds, 0.5 * s_slice.TotalSeconds, double.MaxValue);
        Assert.InRange(result.Costs.Combined!.Seconds, slice.Seconds, double.MaxValue);
    }

    private static async Task LosesNothingAsync(string name, Protocol protocol, IWorkload workload)
    {
        (RunResult result, SliceReport[] slices) = await SlicesAsync(PlanOf(name, protocol), workload);
        AssertAddsUp(result, slices);
        Assert.Equal((result.Totals.Sent, 0), (result.Totals.Received, result.Lost));
    }

    // The pause before the last slice is longer than a busy machine takes between two of them.
    private static async Task<(RunResult Result, SliceReport[] Slices)> SlicesAsync(RunPlan plan, IWorkload workload, TimeSpan pause = default)
    {
        await using SlicedRun run = await OpenAsync(plan, workload);
        await run.WarmUpAsync(TestContext.Current.CancellationToken);
        var slices = new SliceReport[Slices];
        for (int slice = 0; slice < Slices; slice++)
        {
            await Task.Delay(slice == Slices - 1 ? pause : TimeSpan.Zero, TestContext.Current.CancellationToken);
            slices[slice] = await run.SliceAsync(s_slice, s_slice, TestContext.Current.CancellationToken);
        }

        await run.DrainAsync();
        return (await run.CollectAsync(), slices);
    }

    private static Task<SlicedRun> OpenAsync(RunPlan plan, IWorkload workload)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(plan.Library);
        INetworkBenchmark? clients = RunTests.OtherClientsFor(plan, library);
        ParticipantGroup participants = Placement.InThisProcess(plan, library, workload, clients);
        return SlicedRun.OpenAsync(plan, library.Info.DrivenBy(clients?.Info, plan.Protocol), workload, participants, TestContext.Current.CancellationToken);
    }

    private static void AssertAddsUp(RunResult result, SliceReport[] slices)
    {
        // On a busy machine, a slice of 20 ms may pass without an answer.
        Assert.Contains(slices, slice => slice.Messages > 0);
        Assert.All(slices, slice => Assert.InRange(slice.Seconds, s_slice.TotalSeconds, double.MaxValue));
        Assert.Equal(slices.Select(slice => slice.Messages), result.Clients.Iterations.Select(part => part.Messages));
        long messages = slices.Sum(slice => slice.Messages);
        Assert.InRange(result.Messages.ClientReceived, messages, messages + (Slices * MaxAtTheEdge));
        Assert.Equal((0, 0), (result.Errors, result.Totals.Unanswered));
    }

    private static RunPlan PlanOf(string library, Protocol protocol) =>
        RunTests.PlanOf(library, protocol) with { Clients = 10, Duration = Slices * s_slice };
}

public sealed class StepBarrierTests
{
    [Fact]
    public async Task ArriveAsync_ends_for_all_when_the_last_load_generator_arrives()
    {
        var barrier = new StepBarrier(3);
        for (int step = 0; step < 3; step++)
        {
            Task first = barrier.ArriveAsync();
            Task second = barrier.ArriveAsync();
            Assert.False(first.IsCompleted);
            Assert.False(second.IsCompleted);
            Task third = barrier.ArriveAsync();
            await Task.WhenAll(first, second, third).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        }
    }
}

/// <summary>
/// The rates of a measurement, compared with each other and with the clock. The counts behind them are tested in <see cref="RunTests"/>, the schedule
/// and the latencies with set clocks in <see cref="LibraryContractTests"/> and <see cref="LatencyContractTests"/>.
/// </summary>
[Trait("Category", "Timing")]
public sealed class MeasuredRatesTests
{
    private const int MaxRuns = 5;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.Transports();

    [Theory, MemberData(nameof(Transports))]
    public async Task The_server_counts_what_the_clients_count(string name, Protocol protocol)
    {
        RunResult result = await RunTests.RunAsync(LibraryUnderTest.Create(name), RunTests.PlanOf(name, protocol));

        // The server starts and stops counting a moment after the clients, and the delay depends on the machine. It must count neither twice nor half.
        Assert.InRange((double)result.Messages.ServerReceived!.Value / result.Messages.ClientReceived, 0.6, 1.6);
    }

    [Theory, MemberData(nameof(Transports))]
    public async Task RunAsync_keeps_Littles_law(string name, Protocol protocol)
    {
        RunPlan plan = RunTests.PlanOf(name, protocol);
        int window = plan.Clients * plan.ParallelMessages;
        RunResult result = await RunUntilAsync(name, plan, run => Math.Abs((LittlesLaw.InFlight(run) / window) - 1) <= MaxDeviation(run));
        Assert.InRange(LittlesLaw.InFlight(result), window * (1 - MaxDeviation(result)), window * (1 + MaxDeviation(result)));

        static double MaxDeviation(RunResult run) => 0.15 + LittlesLaw.MaxDeviation(run);
    }

    [Theory, MemberData(nameof(Transports))]
    public async Task RunAsync_of_an_open_loop_sends_by_the_clock(string name, Protocol protocol)
    {
        const double Rate = 500;
        RunPlan plan = RunTests.PlanOf(name, protocol) with { ParallelMessages = 1, Rate = Rate, Duration = TimeSpan.FromSeconds(1) };
        RunResult result = await RunUntilAsync(name, plan, run => Math.Abs(run.Messages.ClientSent - (Rate * run.DurationSeconds)) <= 0.2 * Rate);

        // The messages that were due and not yet sent at either end of the measurement, if the machine pauses there for a fifth of a second.
        double expected = Rate * result.DurationSeconds;
        Assert.InRange(result.Messages.ClientSent, expected - (0.2 * Rate), expected + (0.2 * Rate));
    }

    // A pause of the machine at the very end of a measurement is in none of its figures. It does not occur at the end of every measurement.
    private static async Task<RunResult> RunUntilAsync(string name, RunPlan plan, Func<RunResult, bool> holds)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        RunResult result = await RunTests.RunAsync(library, plan);
        for (int run = 1; run < MaxRuns && !holds(result); run++)
        {
            result = await RunTests.RunAsync(library, plan);
        }

        return result;
    }
}
