namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

/// <summary>
/// The rates of a measurement, compared with each other and with the clock. The counts behind them are tested in <see cref="RunTests"/>, the schedule
/// and the latencies with set clocks in <see cref="LibraryContractTests"/> and <see cref="LatencyContractTests"/>.
/// </summary>
[Trait("Category", "Timing")]
public sealed class MeasuredRatesTests
{
    private const int MostRuns = 5;

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
        RunResult result = await RunUntilAsync(name, plan, run => Math.Abs((LittlesLaw.InFlight(run) / window) - 1) <= MostOff(run));
        Assert.InRange(LittlesLaw.InFlight(result), window * (1 - MostOff(result)), window * (1 + MostOff(result)));

        static double MostOff(RunResult run) => 0.15 + LittlesLaw.MostOff(run);
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
        for (int run = 1; run < MostRuns && !holds(result); run++)
        {
            result = await RunTests.RunAsync(library, plan);
        }

        return result;
    }
}
