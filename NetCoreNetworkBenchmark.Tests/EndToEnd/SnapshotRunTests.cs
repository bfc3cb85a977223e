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

    [Theory, MemberData(nameof(WithBothDeliveries))]
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

    [Fact]
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

    [Theory]
    [InlineData("-t PingPong --limit age.p99=1s", "--limit: age.p99=1s is not applicable to -t PingPong, which has no states. Use other limits.")]
    [InlineData("-t PingPong --limit ticks.late=1%", "--limit: ticks.late=1% is not applicable to -t PingPong, which has no ticks. Use other limits.")]
    [InlineData(
        "-t Snapshots --sweep --limit p99=5ms",
        "--sweep is not applicable to -t Snapshots: the rates are --tick and --client-tick. Use --sweep clients.")]
    [InlineData("-t Burst --sweep clients --limit p99=5ms", "--sweep is not applicable to -t Burst: the test has no rate.")]
    public Task Limits_and_sweeps_that_a_test_does_not_have_are_refused(string arguments, string error) =>
        ProgramInFolder.AssertFailsAsync($"-l Sockets {arguments}", error);

    [Theory]
    [InlineData("-c 1", "--clients: players see each other, so there must be two. Use -c 2 or more.")]
    [InlineData("-c 5 --visible 5", "--visible: a player has 4 others, and 5 were requested. Use all.")]
    [InlineData("-c 5 --visible 0", "--visible: \"0\" is not a whole number from 1 to 999,999.")]
    [InlineData("-c 5 --tick 0", "--tick: \"0\" is not a whole number from 1 to 1,000.")]
    [InlineData("-c 5 --events 51", "--events: \"51\" is not a number from 0 to 50, such as 0.5.")]
    [InlineData(
        "-c 5 --events 5 --client-tick 2",
        "--events: an event is sent with an input, so there can be no more of them than inputs. Raise --client-tick.")]
    [InlineData("-c 5 --input-size 8", "--input-size: \"8\" is not a whole number from 16 to 1,200.")]
    [InlineData("-c 5 -a 239.255.0.1", "--address: the multicast group 239.255.0.1 requires -t Multicast.")]
    public Task Snapshots_that_are_not_possible_are_refused(string arguments, string error) =>
        ProgramInFolder.AssertFailsAsync($"-t Snapshots -l Sockets {arguments}", error);

    [Fact]
    public Task Events_are_refused_for_a_library_without_reliable_delivery() => ProgramInFolder.AssertFailsAsync(
        "-t Snapshots -l Sockets -c 5 --events 1",
        "--test: Snapshots has messages that require reliable delivery, which Sockets does not have over UDP. Use the library ");

    [Fact]
    public async Task Reliable_push_without_a_rate_is_refused_for_a_library_that_queues_without_a_limit()
    {
        LibraryUnderTest.Create("ENet");
        await ProgramInFolder.AssertFailsAsync(
            "-t Multicast -l ENet --transmission Reliable",
            "--rate: ENet queues reliable messages of Multicast without a limit. Set a rate, such as --rate 10000.");
    }
}
