namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Each option of a load in a small comparison of two libraries.</summary>
public sealed class ComparedOptionTests : InTemporaryFolder
{
    private const string Payload = "PAYLOAD";

    // As many options in a row as go together: each row starts some processes.
    private static readonly string[] s_loads =
    [
        "--rate 400 --network lan --loss 1% --loss-burst 2 --delay 1ms --jitter 1ms --duplicate 1% --reorder 1% --corrupt 1% --seed 2",
        "--rate 400 --arrivals Poisson --transmission Unreliable --bandwidth 10mbit --queue 50ms --stall 20ms/200ms --client-loop 50",
        "--protocol Tcp --framing Checked --cut 20ms/200ms --reconnect 20ms --heartbeat 1s --heartbeat-misses 2 --rate 400",
        "--protocol Ssl --framing Length --size 32..64 --tls 1.3 --group x25519 --key P256 --mutual-tls --server-name localhost --runtime gcServer=0",
        "--protocol Tcp --client-library Epoll --set Epoll.accept=handoff --profile Tuned --test RoundTrip",
        "--think 5ms --messages 2 --messageload Random --address ::1 --port 0 --limit p99=10s",
        $"--payload {Payload} --pin server=0,clients=1 --server-threads 2 --client-threads 2 --delay 2ms",
        "--test Multicast --rate 200 --delay 1ms",
    ];

    // Other tests have them: what is not compared, several hosts, assemblies outside the program, certificates of files, groups of multicast, and other
    // spellings.
    private static readonly string[] s_others =
    [
        "--server-loop", "--roam", "--outage", "--neighbour", "--iterations",
        "--server-host", "--client-hosts", "--launcher", "--deploy", "--load", "--certificate", "--certificate-key", "--authority", "--multicast-interface",
        "--rate-per-client", "--rtt",
    ];

    private static string[] Common => ["--library", "--clients", "--duration", "--warmup", "--any-machine"];

    public static TheoryData<string> Loads => [.. s_loads];

    [Theory, MemberData(nameof(Loads)), Trait("Category", "Long")]
    public async Task A_load_with_the_option_is_compared(string load)
    {
        string payload = PathOf("payload");
        await File.WriteAllLinesAsync(
            payload, Enumerable.Range(0, 3).Select(number => Convert.ToBase64String(new byte[32 + number])), TestContext.Current.CancellationToken);
        SuiteResult suite = await SuiteTests.MeasuredAsync(
            $"-l Sockets,Epoll -c 4 -d 0.2 --warmup 0.1 --launches 1 --any-machine --json {load.Replace(Payload, payload, StringComparison.Ordinal)}");
        Assert.All(OptionsOf(load), option => Assert.Contains($" {option}", suite.Command, StringComparison.Ordinal));
        Assert.All(suite.Benchmarks.SelectMany(benchmark => benchmark.Cases), measured =>
        {
            LaunchResult launch = Assert.Single(measured.Launches);
            Assert.Equal(launch.Result!.Plan.Impairment.IsNone, launch.Result.Relay is null);
            Assert.NotEmpty(launch.Slices!.LateShares);
        });
    }

    [Fact]
    public void Each_option_of_a_load_is_compared_by_a_row() => Assert.Empty(
        PlanOptions.All.Where(option => !option.IsHidden).Select(option => option.Name)
            .Except([.. s_loads.SelectMany(OptionsOf), .. Common, .. s_others]));

    private static IEnumerable<string> OptionsOf(string load) => load.Split(' ').Where(word => word.StartsWith("--", StringComparison.Ordinal));
}
