namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class SnapshotRunTests
{
    private const string Short = "-p 0 -d 0.5 --warmup 0.2 --any-machine";

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithServerPush() => LibraryUnderTest.OneInPlain(LibraryUnderTest.WithServerPush(), "ENet");

    [Theory, MemberData(nameof(WithServerPush))]
    public async Task Every_player_receives_snapshots_whose_states_follow_from_inputs(string name, Protocol protocol)
    {
        LibraryUnderTest.Create(name);
        RunResult result = await BenchmarkProcess.AnyResultAsync(
            $"-t Snapshots --json -l {name} -P {protocol} {StreamRun.KeyOf(protocol)} -c 5 --visible all --tick 50 --client-tick 100 {Short}");
        Assert.Equal((0, 0, 0), (result.Duplicated, result.Corrupted, result.Errors));
        Assert.InRange(result.Clients.Fairness!.Fewest, 1, long.MaxValue);
        NamedLatency ages = Assert.Single(result.Clients.Distributions);
        Assert.InRange(ages.Latency.Count, 4, long.MaxValue);
        Assert.InRange(result.Server!.Received!.Value, 1, long.MaxValue);

        // The server has its own process, so that its ticks have a cost: 25 are due in half a second, and fewer run on a busy machine.
        Assert.InRange(result.Ticks!.Count, 1, 1_000);
        Assert.InRange(result.Ticks.CpuMicroseconds, 0.001, double.MaxValue);
        Assert.Equal(result.Clients.Measured.ClientReceived, result.Costs.Server!.Messages);

        // A state reaches a player with a snapshot, after the tick.
        Assert.True(ages.Latency.Microseconds!.Max > result.LatencyMicroseconds!.Min);
    }

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithBothDeliveries() =>
        LibraryUnderTest.OneInPlain(LibraryUnderTest.WithBothDeliveries(), "ENet");

    [Theory, MemberData(nameof(WithBothDeliveries)), Trait("Category", "Long")]
    public async Task Of_a_path_that_loses_datagrams_every_event_arrives_and_not_every_snapshot(string name, Protocol protocol)
    {
        LibraryUnderTest.Create(name);
        RunResult result = await BenchmarkProcess.AnyResultAsync(
            $"-t Snapshots --json -l {name} -P {protocol} -c 5 --visible all --tick 50 --client-tick 100 --events 20 --loss 10% {Short}");
        Assert.Equal((0, 0), (result.Corrupted, result.Errors));
        Assert.InRange(result.Clients.Measured.Lost, 1, long.MaxValue);
        NamedLatency events = Assert.Single(result.Clients.Distributions, distribution => distribution.Name == WorkloadFigure.LatencyOfEvent);

        // An event counts by the time at which it was due, every 50 ms for each player, so a measurement that ends late has more of them. How many of the last
        // ones are sent before the end depends on the machine. Each one that is sent arrives, or there is an error.
        const int Pairs = 5 * 4;
        int most = (int)(20 * result.Clients.DurationSeconds) + 1;
        Assert.InRange(events.Latency.Count, 1, Pairs * most);
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_sweep_of_the_players_of_several_libraries_ends_with_a_table_of_all_and_exit_code_1_if_no_number_holds()
    {
        LibraryUnderTest.Create("ENet");

        // Fewer than 100 players do not see 99 others.
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            "-t Snapshots -l Sockets,ENet --visible 99 --sweep players --limit age.p99=1ns --limit loss=100% -p 0 -d 0.4 --warmup 0.1 --any-machine");
        Assert.True(code == 1, errors);
        Assert.Contains("Highest number of clients of 2 libraries", output, StringComparison.Ordinal);
        Assert.Matches(@"\| Sockets +\| +- \|", output);
        Assert.Matches(@"ENet: At 100 clients(: age.p99 was | the clients were the limit|: The server could not hold the rate)", output);
        Assert.Contains("Sockets, 100 clients: ", errors, StringComparison.Ordinal);
        Assert.Contains("--visible 99 --sweep clients", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reliable_push_without_a_rate_is_refused_for_a_library_that_queues_without_a_limit()
    {
        LibraryUnderTest.Create("ENet");
        await ProgramInFolder.AssertFailsAsync(
            "-t Multicast -l ENet --transmission Reliable",
            "--rate: ENet queues reliable messages of Multicast without a limit. Set a rate, such as --rate 10000.");
    }
}
