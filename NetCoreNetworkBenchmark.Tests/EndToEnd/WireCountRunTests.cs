namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The packets of a comparison, counted by the program after the first launch of each case.</summary>
public sealed class WireCountRunTests
{
    private const string Short = "-l Sockets,Epoll -c 4 -d 0.2 --warmup 0.1 --any-machine --launches 2 --json";

    [Fact]
    public async Task Comparison_counts_the_packets_of_each_case_once()
    {
        (_, string output, _) = await BenchmarkProcess.RunLineAsync($"{Short} -s 100");
        BenchmarkResult benchmark = Assert.Single(((SuiteResult)ResultFile.Parse(output)).Benchmarks);
        Assert.All(benchmark.Cases, measured =>
        {
            Assert.Equal([true, false], measured.Launches.Select(launch => launch.Wire is not null));
            Assert.Equal((2, 2 * 128), (measured.Wire!.PacketsPerMessage, measured.Wire.BytesPerMessage));
        });
        Assert.All(benchmark.Figures!, figures => Assert.Equal((2, 256), (figures.WirePackets, figures.WireBytes)));
    }

    [Fact]
    public async Task Comparison_over_TCP_has_the_reason_instead_of_figures()
    {
        (_, string output, _) = await BenchmarkProcess.RunLineAsync($"{Short} -P Tcp");
        BenchmarkResult benchmark = Assert.Single(((SuiteResult)ResultFile.Parse(output)).Benchmarks);
        Assert.All(benchmark.Cases, measured =>
        {
            Assert.Null(measured.Wire);
            Assert.StartsWith("A relay without rights ", measured.Launches[0].Uncounted, StringComparison.Ordinal);
            Assert.Null(measured.Launches[1].Uncounted);
        });
    }
}
