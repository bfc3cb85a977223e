using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Tests.Statistics;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

[Collection(nameof(HostNetwork))]
public sealed class LossTests : InTemporaryFolder
{
    private const string Namespaces = "/run/netns";
    private const double OfOneWay = 0.05;
    private const double OfBothWays = 1 - ((1 - OfOneWay) * (1 - OfOneWay));

    [Fact]
    [Trait("Category", "Long")]
    public async Task Unreliable_deliveries_lose_what_the_path_loses_and_reliable_ones_nothing()
    {
        (SuiteResult suite, CaseResult[] cases, string output, string errors) = await RunAsync(seconds: 0.1);
        Assert.Equal(["0 % loss, 20 ms", "0.1 % loss, 20 ms", "1 % loss, 20 ms", "5 % loss, 20 ms"], suite.Benchmarks.Select(benchmark => benchmark.Title));
        string[] wanted = ["Sockets (unreliable)", "Epoll (unreliable)", "Sockets (TCP)", "Epoll (TCP)"];
        Assert.Empty(wanted.Except(cases.Select(caseResult => caseResult.Library)));

        // A busy machine only adds to the round trip.
        Assert.InRange(cases.Min(caseResult => caseResult.Summary!.Delivery!.Microseconds.P50), 20_000, double.MaxValue);
        Assert.All(
            cases.Where(caseResult => !caseResult.Library.EndsWith("(unreliable)", StringComparison.Ordinal)),
            caseResult => Assert.Equal(0, caseResult.Summary!.Delivery!.Lost));
        Assert.All(suite.Benchmarks[0].Cases, caseResult => Assert.Equal(0, caseResult.Summary!.Delivery!.Lost));
        Assert.InRange(UnreliableWithFivePercent(suite).Sum(delivery => delivery.Lost), 1, long.MaxValue);
        Assert.All(suite.Benchmarks[3].Cases, caseResult =>
        {
            RunResult run = caseResult.MedianLaunch()!;
            Assert.Equal((NamespacePath.ServerAddress, 0.05, 10), (run.Address, run.Plan.Impairment.Loss, run.Plan.Impairment.Delay.TotalMilliseconds));
        });
        Assert.Contains("| packets lost |", output, StringComparison.Ordinal);
        Assert.DoesNotContain("Note: ", errors, StringComparison.Ordinal);

        // Another run on this machine has paths of its own.
        Assert.Empty(HostNamespace.Abandoned());
    }

    [Fact]
    [Trait("Category", "Long")]
    [Trait("Category", "Timing")]
    public async Task Path_has_the_requested_loss_and_round_trip()
    {
        (SuiteResult suite, CaseResult[] cases, _, _) = await RunAsync(seconds: 0.2);
        Assert.InRange(cases.Min(caseResult => caseResult.Summary!.Delivery!.Microseconds.P50), 20_000, 21_000);
        DeliverySummary[] unreliable = UnreliableWithFivePercent(suite);
        BinomialCount.AssertNear(OfBothWays, unreliable.Sum(delivery => delivery.Sent), unreliable.Sum(delivery => delivery.Lost));
        Assert.All(unreliable, delivery => BinomialCount.AssertNear(OfBothWays, delivery.Sent, delivery.Lost));
        Assert.All(suite.Benchmarks[3].Cases, caseResult =>
        {
            RelayDirectionCounts toServer = caseResult.MedianLaunch()!.Relay!.Counts.ToServer;
            BinomialCount.AssertNear(OfOneWay, toServer.Received, toServer.Dropped);
        });
    }

    [Fact]
    [Trait("Category", "Long")]
    [Trait("Category", "Leak")]
    public async Task Nothing_is_left_after_an_interruption_and_the_next_run_removes_what_a_killed_one_left()
    {
        Require();
        using (BenchmarkProcess interrupted = Start())
        {
            await interrupted.PrintsAsync(": measuring");
            Assert.NotEmpty(LeftOf(interrupted));
            await interrupted.InterruptedAsync();
            Assert.Empty(LeftOf(interrupted));
        }

        using BenchmarkProcess killed = Start();
        await killed.PrintsAsync(": measuring");
        killed.Kill();
        await killed.EndAsync();
        Assert.NotEmpty(LeftOf(killed));
        using BenchmarkProcess next = Start();
        await next.PrintsAsync(": measuring");
        Assert.Empty(LeftOf(killed));
        await next.InterruptedAsync();
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task Loss_benchmark_without_root_has_a_note_and_measures_datagrams_through_the_relay()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "Only root can become another user.");
        Assert.SkipUnless(SystemProgram.Find("setpriv") is not null, "The program setpriv is not installed.");

        // The user has no folder of its own, and the runtime wants one.
        string home = $"HOME={Folder.FullName}";
        using BenchmarkProcess process = BenchmarkProcess.StartThrough(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", home],
            "-b=loss", "--launches", "1", "--benchmark-duration", "0.1", "--verbose", "-o", "/tmp/no-folder-of-mine", "--force", "--json");
        string note = await process.PrintsAsync("Note: ");
        Assert.Equal(
            "Note: -b=loss cannot lose packets here, because only root can create network namespaces. " +
                "TCP is omitted, and the UDP libraries run through the relay of --loss and --delay.",
            note);
        await process.PrintsAsync(": measuring");
        var suite = (SuiteResult)ResultFile.Parse((await process.InterruptedAsync()).Output);
        Assert.Contains(new MissingLibrary("TCP under loss", "only root can create network namespaces"), suite.Missing);
        Assert.DoesNotContain(suite.Benchmarks.SelectMany(b => b.Cases), c => c.Library.EndsWith("(TCP)", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("-b=loss --server-host a", "--server-host: -b=loss requires both sides on this machine. Use another part.")]
    [InlineData("-b=loss --client-hosts a,b", "--client-hosts: -b=loss requires both sides on this machine. Use another part.")]
    [InlineData("regress . -b=loss", "--benchmark: regress cannot divide the cases of loss into slices. Use another part.")]
    public async Task Loss_benchmark_is_refused_where_its_path_is_not_possible(string arguments, string reason)
    {
        string line = arguments.Replace(" . ", $" {AppContext.BaseDirectory} ", StringComparison.Ordinal);
        await ProgramInFolder.AssertRefusedAsync(
            $"Error: {reason}\n", $"{line} -o {Folder.FullName}".Split(' ', StringSplitOptions.RemoveEmptyEntries));
    }

    private static DeliverySummary[] UnreliableWithFivePercent(SuiteResult suite) =>
    [
        .. from caseResult in suite.Benchmarks[3].Cases
           where caseResult.Library.EndsWith("(unreliable)", StringComparison.Ordinal)
           select caseResult.Summary!.Delivery!,
    ];

    private async Task<(SuiteResult Suite, CaseResult[] Cases, string Output, string Errors)> RunAsync(double seconds)
    {
        Require();
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            FormattableString.Invariant($"-b=loss --launches 1 --benchmark-duration {seconds} --any-machine -o {Folder.FullName}"));
        string file = Path.Combine(Assert.Single(Folder.GetDirectories()).FullName, "results.json");
        var suite = (SuiteResult)ResultFile.Parse(await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
        CaseResult[] cases = [.. suite.Benchmarks.SelectMany(benchmark => benchmark.Cases)];
        Assert.All(cases, caseResult => Assert.True(caseResult.Summary is not null, $"{caseResult.Library}: {string.Join(' ', caseResult.InvalidReasons)}"));
        return (suite, cases, output, errors);
    }

    private BenchmarkProcess Start() => BenchmarkProcess.Start(
        "-b=loss", "--launches", "1", "--benchmark-duration", "0.5", "--any-machine", "--verbose", "-o", Folder.FullName, "--force");

    private static void Require()
    {
        string? missing = NamespacePath.FindMissing(loses: true);
        Assert.SkipWhen(missing is not null, $"A lossy path is not possible here: {missing}.");
    }

    private static string[] Left() => Directory.Exists(Namespaces) ? Directory.GetFiles(Namespaces, "netbench-*") : [];

    private static string[] LeftOf(BenchmarkProcess process) => [.. Left().Where(file => file.Contains($"-{process.Id}-", StringComparison.Ordinal))];
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
        if (relay is { ToServer.Stream: { } toServer, ToClients.Stream: { } toClients })
        {
            AssertSeesAll(result, toServer);
            AssertSeesAll(result, toClients);
            return relay;
        }

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

    // TLS adds its own bytes to those of the messages.
    private static void AssertSeesAll(RunResult result, RelayStreamCounts bytes)
    {
        long ofMessages = result.Totals.Sent * result.Plan.MessageSize;
        Assert.Equal(bytes.Bytes, bytes.ForwardedBytes);
        Assert.InRange(bytes.Bytes, ofMessages, result.Protocol == nameof(Protocol.Tcp) ? ofMessages : long.MaxValue);
    }
}
