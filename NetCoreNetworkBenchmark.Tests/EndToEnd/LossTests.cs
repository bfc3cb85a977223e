using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Tests.Statistics;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

[Collection(nameof(HostNetwork))]
public sealed class LossTests : InTemporaryFolder
{
    private const double OfOneWay = 0.04;
    private const double OfBothWays = 1 - ((1 - OfOneWay) * (1 - OfOneWay));

    [Fact, Trait("Category", "Long")]
    public async Task Unreliable_deliveries_lose_what_the_path_loses_and_reliable_ones_nothing()
    {
        (SuiteResult suite, CaseResult[] cases, string output, string errors) = await RunAsync();
        Assert.Equal(["5g", "Goodput, 5g"], suite.Benchmarks.Select(benchmark => benchmark.Title));
        string[] wanted = ["Sockets (unreliable)", "Epoll (unreliable)", "Sockets (TCP)", "Epoll (TCP)"];
        Assert.Empty(wanted.Except(cases.Select(caseResult => caseResult.Library)));
        CaseResult[] game = [.. suite.Benchmarks[0].Cases];

        // A busy machine only adds to the round trip, of twice 30 ms. The jitter adds too, because packets stay in order.
        Assert.InRange(game.Min(caseResult => caseResult.Summary!.Delivery!.Microseconds.P50), 55_000, double.MaxValue);
        DeliverySummary[] unreliable = [.. UnreliableIn(suite).Select(result => result.Summary!.Delivery!)];
        Assert.All(game.Except(UnreliableIn(suite)), caseResult => Assert.Equal(0, caseResult.Summary!.Delivery!.Lost));
        Assert.InRange(unreliable.Sum(delivery => delivery.Lost), 1, long.MaxValue);
        Assert.All(cases, caseResult =>
        {
            RunResult run = caseResult.MedianLaunch()!;
            Assert.Equal((NamespacePath.ServerAddress, "5g", 0.04), (run.Address, run.Plan.Impairment.Network, run.Plan.Impairment.Loss));
        });
        Assert.Matches(@"\| +packets lost \|", output);
        Assert.Matches(@"\| +Mbit/s \|", output);
        Assert.DoesNotContain("Note: ", errors, StringComparison.Ordinal);
    }

    [Fact, Trait("Category", "Long"), Trait("Category", "Timing")]
    public async Task Path_has_the_requested_loss_and_round_trip()
    {
        (SuiteResult suite, _, _, _) = await RunAsync();

        // Each way the jitter of 20 ms adds to the delay, because packets stay in order.
        Assert.InRange(suite.Benchmarks[0].Cases.Min(caseResult => caseResult.Summary!.Delivery!.Microseconds.P50), 60_000, 101_000);
        Assert.All(UnreliableIn(suite), result =>
            BinomialCount.AssertNear(OfBothWays, result.Summary!.Delivery!.Sent, result.Summary.Delivery.Lost));
    }

    /// <summary>One run over TCP, of which packets are lost: the fates are those of the seed, and the command repeats it.</summary>
    [Fact, Trait("Category", "Long")]
    public async Task A_run_over_TCP_loses_packets_and_no_message()
    {
        Require();
        RunResult result = await BenchmarkProcess.AnyResultAsync(
            "-l Sockets -P Tcp -c 5 --rate 500 -d 1 --warmup 0.1 -p 0 --network 4g --delay 5ms --loss-burst 2 --any-machine --json");
        Assert.Equal(0, result.Totals.Lost);
        Assert.InRange(result.Relay!.Counts.ToServer.Dropped, 1, result.Relay.Counts.ToServer.Received);
        Assert.Equal(("4g", 0.04, 2, 5), (
            result.Plan.Impairment.Network, result.Plan.Impairment.Loss, result.Plan.Impairment.LossBurst, result.Plan.Impairment.Delay.TotalMilliseconds));
        Assert.Contains(" --network 4g --delay 5ms --jitter 20ms --loss 4% --loss-burst 2 --seed 1", result.Command, StringComparison.Ordinal);
    }

    private static CaseResult[] UnreliableIn(SuiteResult suite) =>
        [.. suite.Benchmarks[0].Cases.Where(caseResult => caseResult.Library.EndsWith("(unreliable)", StringComparison.Ordinal))];

    private async Task<(SuiteResult Suite, CaseResult[] Cases, string Output, string Errors)> RunAsync()
    {
        Require();
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-b=networks -l Sockets,Epoll,ENet --network 5g --launches 1 --benchmark-duration 1 --any-machine -o {Folder.FullName}");
        string file = Path.Combine(Assert.Single(Folder.GetDirectories()).FullName, "results.json");
        var suite = (SuiteResult)ResultFile.Parse(await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
        CaseResult[] cases = [.. suite.Benchmarks.SelectMany(benchmark => benchmark.Cases)];
        Assert.All(cases, caseResult => Assert.True(caseResult.Summary is not null, $"{caseResult.Library}: {string.Join(' ', caseResult.InvalidReasons)}"));
        return (suite, cases, output, errors);
    }

    internal static void Require()
    {
        string? missing = NamespacePath.FindMissing();
        Assert.SkipWhen(missing is not null, $"A lossy path is not possible here: {missing}.");
    }
}

/// <summary>The real program with a relay in its traffic: server, clients and relay in processes of their own.</summary>
internal static class RelayedRun
{
    /// <summary>The raw sockets: one message is one datagram.</summary>
    public const string Library = "Sockets";

    /// <summary>Runs a load on any machine and returns its result, valid or not.</summary>
    public static Task<RunResult> RunAsync(string arguments, string library = Library) =>
        BenchmarkProcess.AnyResultAsync($"-l {library} -p 0 --any-machine --json {arguments}");

    /// <summary>Asserts that the relay has counted all traffic except datagrams that the kernel dropped before the relay.</summary>
    public static RelayCounts AssertSeesAll(RunResult result)
    {
        RelayCounts relay = result.Relay!.Counts;
        Assert.Equal(0, result.Errors);
        Assert.Equal(result.Totals.Sent, relay.ToServer.Received + (relay.ToServer.Missed ?? 0));
        Assert.Equal((0, 0), (relay.ToServer.Overflowed, relay.ToClients.Overflowed));
        return relay;
    }

    /// <summary>
    /// The datagrams that the kernel dropped on the way to the relay, to the server and back to the relay: none, unless the machine is so busy
    /// that one of them cannot read for half a second.
    /// </summary>
    public static long LostBeside(RunResult result, RelayCounts relay) =>
        result.Totals.Sent - relay.ToServer.Received + (relay.ToServer.Forwarded - relay.ToClients.Received);
}
