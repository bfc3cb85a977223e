namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>A run by hand of several libraries, which is a comparison in slices.</summary>
[Trait("Category", "Long")]
public sealed class ComparisonRunTests : InTemporaryFolder
{
    private const string Short = "-c 4 -d 0.2 --warmup 0.1 --any-machine";

    [Fact]
    public async Task Several_libraries_are_compared_with_the_first_in_slices_of_fresh_processes()
    {
        // Enough slices for each set, since those in which the JIT compiler works are left out.
        const string Load = "-P Tcp -c 4 -d 1 --warmup 0.1 --any-machine";
        SuiteResult suite = await SuiteTests.MeasuredAsync($"-l Sockets,Epoll {Load} --launches 2 --set Epoll.accept=handoff --json -o {Folder.FullName}");
        BenchmarkResult benchmark = Assert.Single(suite.Benchmarks);
        Assert.Equal(("PingPong", "Sockets"), (benchmark.Title, benchmark.Baseline));
        Assert.Equal(["Sockets", "Epoll"], benchmark.Cases.Select(measured => measured.Library));
        Assert.All(benchmark.Cases, measured =>
        {
            Assert.Equal(2, measured.Launches.Count(launch => launch.Slices!.MessagesPerSecond.Count > 0));
            Assert.NotNull(measured.ToBaseline!.Rank);
            Assert.All(measured.Launches, launch => Assert.False(launch.Result!.OneProcess));
        });
        Assert.NotNull(benchmark.Decision);
        Assert.Equal("handoff", benchmark.Cases[1].MedianLaunch()!.Plan.Settings["accept"]);
        Assert.Contains(" --library Sockets,Epoll ", suite.Command, StringComparison.Ordinal);
        Assert.Contains(" --set Epoll.accept=handoff ", suite.Command, StringComparison.Ordinal);
        Assert.Contains(" --launches 2", suite.Command, StringComparison.Ordinal);
        Assert.Equal(suite.Command, ((SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(Folder, "results.json"))).Command);
    }

    [Fact]
    public async Task Sets_follow_each_other_until_the_intervals_are_narrow_or_the_time_is_over()
    {
        SuiteResult suite = await SuiteTests.MeasuredAsync($"-l Sockets,Epoll {Short} --rate 500 --baseline epoll --precision 50% --time 1s --json");
        BenchmarkResult benchmark = Assert.Single(suite.Benchmarks);
        Assert.Equal(("Epoll", RankedFigure.ServerCpu, 0.5), (benchmark.Baseline, benchmark.RankedBy, benchmark.Decision!.TargetHalfWidth));
        Assert.All(benchmark.Cases, measured => Assert.InRange(measured.Launches.Count, 3, int.MaxValue));
        Assert.Equal(1, suite.Interleaving!.LimitSeconds);
        Assert.EndsWith(" --precision 50% --time 1s --baseline Epoll", suite.Command, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Several_loads_of_several_libraries_are_a_benchmark_each()
    {
        SuiteResult suite = await SuiteTests.MeasuredAsync("-l Sockets,Epoll -c 1,4 -s 32,64 -d 0.2 --warmup 0.1 --any-machine --launches 1 --json");
        Assert.Equal(
            ["1 client, 32 bytes", "1 client, 64 bytes", "4 clients, 32 bytes", "4 clients, 64 bytes"],
            suite.Benchmarks.Select(benchmark => benchmark.Title["PingPong, ".Length..]));
        Assert.All(suite.Benchmarks, benchmark => Assert.Equal(["Sockets", "Epoll"], benchmark.Cases.Select(measured => measured.Library)));
        Assert.Equal((4, 64), (suite.Benchmarks[3].Cases[1].MedianLaunch()!.Plan.Clients, suite.Benchmarks[3].Cases[1].MedianLaunch()!.Plan.MessageSize));
        Assert.Equal(["--clients", "--size"], suite.Varied!);
        Assert.Contains(" --clients 1,4 ", suite.Command, StringComparison.Ordinal);
        Assert.Contains(" --size 32,64 ", suite.Command, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Several_loads_of_one_library_alternate_in_one_benchmark_which_a_comparison_recognizes()
    {
        string arguments = $"-l Epoll -P Tcp,Ssl -c 4 -d 0.2 --warmup 0.1 --any-machine --launches 1 -o {Folder.FullName}";
        SuiteResult suite = await SuiteTests.MeasuredAsync($"{arguments} --json");
        Assert.Equal(["Epoll (Tcp)", "Epoll (Tls)"], Assert.Single(suite.Benchmarks).Cases.Select(measured => measured.Library));
        Assert.Contains(" --protocol Tcp,Tls ", suite.Command, StringComparison.Ordinal);
        string page = await File.ReadAllTextAsync(PathOf("README.md"), TestContext.Current.CancellationToken);
        Assert.Contains("# By protocol\n", page, StringComparison.Ordinal);
        (int code, string compared, _) = await BenchmarkProcess.RunAsync("compare", Folder.FullName, Folder.FullName);
        Assert.Equal(0, code);
        Assert.Contains("Epoll (Tls)", compared, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rates_of_updates_are_compared()
    {
        SuiteResult suite = await SuiteTests.MeasuredAsync($"-l Epoll --rate 400 --server-loop 20,50 --client-loop 50 {Short} --json");
        Assert.Contains(" --server-loop 20,50 --client-loop 50 ", suite.Command, StringComparison.Ordinal);
        IEnumerable<CaseResult> cases = suite.Benchmarks.SelectMany(benchmark => benchmark.Cases);
        Assert.Equal([20, 50], cases.Select(measured => measured.Launches[0].Result!.Plan.ServerUpdateRate));
    }
}
