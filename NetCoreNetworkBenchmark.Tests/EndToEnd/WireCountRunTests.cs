using NetCoreNetworkBenchmark.Running.Paths;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The packets of a comparison, counted by the program after the first launch of each case.</summary>
public sealed class WireCountRunTests
{
    private const string Short = "-l Sockets,Epoll -c 4 -d 0.2 --warmup 0.1 --any-machine --launches 2 --json";

    // RFC 791, RFC 9293, and the option of timestamps with its padding (RFC 7323, appendix A), which Linux sends with each segment.
    private const int SegmentHeaders = 20 + 20 + 12;

    [Fact]
    public async Task Comparison_counts_the_packets_of_each_case_once()
    {
        BenchmarkResult benchmark = BenchmarkIn(await BenchmarkProcess.RunLineAsync($"{Short} -s 100"));
        Assert.All(benchmark.Cases, measured =>
        {
            Assert.Equal([true, false], measured.Launches.Select(launch => launch.Wire is not null));
            Assert.Equal((2, 2 * 128), (measured.Wire!.PacketsPerMessage, measured.Wire.BytesPerMessage));
        });
        Assert.All(benchmark.Figures!, figures => Assert.Equal((2, 256), (figures.WirePackets, figures.WireBytes)));
    }

    [Fact, Trait("Category", "Timing")]
    public async Task Sweep_counts_the_packets_of_a_step_and_judges_them()
    {
        (_, string output, _) = await BenchmarkProcess.RunLineAsync(
            "-l Sockets -s 100 -c 4 --rate 500 -d 0.2 --warmup 0.1 --any-machine --sweep --limit p99=10s --limit loss=100% --limit wire=255B --json");
        var sweep = (SweepResult)ResultFile.Parse(output);
        Assert.Contains(sweep.Steps, step => (step.Result!.Wire?.BytesPerMessage, step.Reason) == (256, "wire was 256 B"));
    }

    // A record of TLS 1.3 has a header of 5 bytes, the type of its content and the tag of AES-GCM (RFC 8446, section 5.2).
    [Theory, InlineData("Tcp", 0), InlineData("Ssl", 5 + 1 + 16), Trait("Category", "Long")]
    public async Task Comparison_over_TCP_counts_segments_records_and_acknowledgements(string protocol, int record)
    {
        const int Size = 32;
        string? missing = NamespacePath.FindMissing();
        Assert.SkipWhen(missing is not null, $"A pair of TUN devices is not possible here: {missing}.");
        BenchmarkResult benchmark = BenchmarkIn(await BenchmarkProcess.RunLineAsync($"{Short} -P {protocol} -m 1 -s {Size}"));
        Assert.All(benchmark.Cases, measured =>
        {
            Assert.Null(measured.Launches[0].Uncounted);
            Assert.Equal(WireCounter.TunPair, measured.Wire!.CountedBy);
            Assert.All([measured.Wire.ToServer, measured.Wire.ToClients], direction =>
            {
                // A segment for each message, and what acknowledges alone. On a busy machine a segment may be retransmitted.
                Assert.InRange(direction.Packets, direction.Messages, long.MaxValue);
                long minimum = (direction.Messages * (Size + record)) + (direction.Packets * SegmentHeaders);
                Assert.InRange(direction.Bytes, minimum, minimum * 1.01);
            });
        });
        Assert.All(benchmark.Figures!, figures => Assert.InRange(figures.WireOverhead!.Value, 1 - ((double)Size / (Size + record + SegmentHeaders)), 1));
    }

    [Fact, Trait("Category", "Long")]
    public async Task Comparison_over_TCP_without_root_has_the_reason_instead_of_figures()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "Only root can become another user.");
        Assert.SkipUnless(SystemProgram.Find("setpriv") is not null, "The program setpriv is not installed.");
        BenchmarkResult benchmark = BenchmarkIn(await BenchmarkProcess.RunThroughAsync(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=/tmp"], HostRun.Words($"{Short} -P Tcp")));
        Assert.All(benchmark.Cases, measured =>
        {
            Assert.Null(measured.Wire);
            Assert.EndsWith("but only root can create network namespaces.", measured.Launches[0].Uncounted, StringComparison.Ordinal);
            Assert.Null(measured.Launches[1].Uncounted);
        });
    }

    private static BenchmarkResult BenchmarkIn((int ExitCode, string Output, string Errors) run)
    {
        Assert.True(run.Output.Length > 0, run.Errors);
        return Assert.Single(((SuiteResult)ResultFile.Parse(run.Output)).Benchmarks);
    }
}
