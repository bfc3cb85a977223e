namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class SuiteTests : InTemporaryFolder
{
    [Fact]
    [Trait("Category", "Long")]
    public async Task The_predefined_benchmark_writes_the_machines_page()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-b=quick --launches 1 --benchmark-duration 0.2 --benchmark-port 0 --any-machine -o {Folder.FullName} -c 1 -l Sockets");
        DirectoryInfo machine = Assert.Single(Folder.GetDirectories());
        string page = await ReadAsync(machine, "README.md");
        var suite = (SuiteResult)ResultFile.Parse(await ReadAsync(machine, "results.json"));
        Assert.Equal(["Benchmark 1", "Benchmark 2", "Benchmark 3"], suite.Benchmarks.Select(benchmark => benchmark.Title));
        Assert.All(suite.Benchmarks, benchmark => Assert.Equal(
            PredefinedLibraries(Enum.Parse<Protocol>(benchmark.Cases[0].MedianLaunch()!.Protocol)), benchmark.Cases.Select(caseResult => caseResult.Library)));
        Assert.All(suite.Benchmarks[0].Cases, caseResult => AssertLoad(caseResult, clients: 1000, messages: 1));
        Assert.All(suite.Benchmarks[1].Cases, caseResult => AssertLoad(caseResult, clients: 100, messages: 1000));

        // An ordinary user's socket buffers may be too small for the second launch: then it is invalid, as the exit code shows.
        Assert.Equal(suite.Benchmarks.All(benchmark => benchmark.Cases.All(caseResult => caseResult.Valid)) ? 0 : 1, exitCode);
        Assert.All(PredefinedLibraries(Protocol.Udp), name => Assert.Contains($"#### {name}\n", page, StringComparison.Ordinal));
        Assert.All(suite.Missing, missing => Assert.Contains($"* {missing.Library}: ", page, StringComparison.Ordinal));
        Assert.Contains($"Written to {machine.FullName}", output, StringComparison.Ordinal);
        Assert.Equal(suite.Benchmarks.Count, BenchmarkProcess.WithoutWarnings(errors).Length);
        Assert.All(suite.Benchmarks, benchmark =>
        {
            Assert.Equal("Sockets", benchmark.Baseline);
            Assert.All(benchmark.Cases.Where(c => c.Valid), c => Assert.InRange(c.ToBaseline!.Rank ?? 1, 1, benchmark.Cases.Count));
        });
        Assert.DoesNotContain('\u001b', errors);
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task Launch_past_its_deadline_is_a_failure_with_its_reason_and_the_others_continue()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-b=quick --launches 1 --benchmark-duration 600 --benchmark-deadline 0.3 --benchmark-port 0 -o {Folder.FullName}");
        string page = await ReadAsync(Assert.Single(Folder.GetDirectories()), "README.md");
        int launches = errors.Split("FAILED: It did not end within its deadline of 0.3 s and was stopped.").Length - 1;
        Assert.Equal(1, exitCode);
        Assert.InRange(launches, 2, int.MaxValue);
        Assert.Equal(launches, page.Split("**Invalid:** Launch 1 failed: It did not end within its deadline of 0.3 s and was stopped.").Length - 1);
        Assert.Contains("failed", output, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task Interrupting_the_predefined_benchmark_keeps_what_was_measured()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The processes are caseResult in Linux's /proc.");
        using BenchmarkProcess process = BenchmarkProcess.Start(
            [.. $"-b --verbose --benchmark-duration 600 --benchmark-port 0 -o {Folder.FullName}".Split(' ')]);
        await process.MeasuringAsync();
        (int exitCode, string output, string errors) = await process.InterruptedAsync();
        Assert.Equal(1, exitCode);
        Assert.Contains("**Aborted:**", output, StringComparison.Ordinal);
        Assert.Contains("**Aborted:**", await ReadAsync(Assert.Single(Folder.GetDirectories()), "README.md"), StringComparison.Ordinal);
        Assert.Contains($"To continue: NetCoreNetworkBenchmark --benchmark --output {Folder.FullName} --continue", errors, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(Assert.Single(Folder.GetDirectories()).FullName, "unfinished", "benchmark.json")));
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task Quick_benchmark_prints_a_ranking_and_writes_nothing()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no command that sends Ctrl+C to one process.");
        using BenchmarkProcess process = BenchmarkProcess.Start([.. "-b=quick --benchmark-duration 0.2 --benchmark-port 0 --any-machine".Split(' ')]);
        await process.PrintsAsync("[1/");
        (int exitCode, string output, string errors) = await process.InterruptedAsync();
        Assert.Equal(1, exitCode);
        Assert.Contains("**Aborted:**", output, StringComparison.Ordinal);
        Assert.Contains("**Benchmark 1**", output, StringComparison.Ordinal);
        Assert.Contains("TCP and TLS: -b=tcp, -b=ssl. The whole benchmark: -b", output, StringComparison.Ordinal);
        Assert.Contains("Nothing was written; --output DIR writes the result.", output, StringComparison.Ordinal);
        Assert.DoesNotContain("--continue", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Launches_of_one_plan_are_quoted_with_their_spread()
    {
        (int exitCode, string output, _) = await BenchmarkProcess.RunLineAsync(
            $"-l Sockets -p 0 -c 10 -m 2 -d 0.2 --iterations 2 --warmup 0.1 --launches 3 --any-machine --json -o {Folder.FullName}");
        var suite = (SuiteResult)ResultFile.Parse(output);
        CaseResult caseResult = Assert.Single(Assert.Single(suite.Benchmarks).Cases);
        Assert.Equal((3, 3), (suite.LaunchCount, caseResult.Launches.Count));
        Assert.All(caseResult.Launches, launch => Assert.Equal(2, launch.Result!.Clients.Iterations.Count));
        Assert.All(caseResult.Launches, launch => Assert.InRange(launch.Control!.Value, 1, double.MaxValue));
        Spread rate = caseResult.Summary!.MessagesPerSecond;
        Assert.InRange(rate.Median, rate.Lower!.Value, rate.Upper!.Value);
        Assert.Equal(caseResult.Launches.Select(launch => launch.Result!.MessagesPerSecond).Order().ElementAt(1), rate.Median);
        Assert.Equal(caseResult.Valid ? 0 : 1, exitCode);
    }

    private static string[] PredefinedLibraries(Protocol protocol) =>
        [.. LibraryUnderTest.OfProgram
            .Select(name => LibraryUnderTest.Catalog.CreateLibrary(name)!.Info)
            .Where(info => info is { CarriesMessages: true, Unavailable: null } && info.Protocols.Contains(protocol))
            .Select(info => info.Name)];

    // The committed result has one launch of each case whole.
    private static void AssertLoad(CaseResult caseResult, int clients, int messages)
    {
        RunResult result = caseResult.MedianLaunch()!;
        Assert.Equal((clients, messages, 32), (result.Plan.Clients, result.Plan.ParallelMessages, result.Plan.MessageSize));

        // On a busy machine half a second may pass before any of 100,000 messages is answered.
        Assert.All(
            [result.Costs.Server!, result.Costs.Clients!], cost => Assert.Equal(cost.Messages / cost.CpuSeconds, cost.MessagesPerCpuSecond, tolerance: 1e-3));
    }

    internal static Task<string> ReadAsync(DirectoryInfo folder, string name) =>
        File.ReadAllTextAsync(Path.Combine(folder.FullName, name), TestContext.Current.CancellationToken);
}
