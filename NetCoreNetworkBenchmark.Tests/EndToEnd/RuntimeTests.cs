namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Settings of .NET's runtime reach the processes that measure, which report their effect.</summary>
public sealed class RuntimeTests
{
    [Fact]
    public async Task A_setting_has_its_effect_in_both_processes()
    {
        RunResult result = await RelayedRun.RunAsync("-P Tcp -c 4 -d 0.3 --warmup 0.1 --runtime gcServer=1 --runtime gcConcurrent=0");
        Assert.Equal(["gcConcurrent=0", "gcServer=1"], result.Plan.Runtime.Settings.Select(setting => $"{setting.Key}={setting.Value}"));

        // On one core the runtime takes the workstation's collector.
        Assert.SkipWhen(Environment.ProcessorCount == 1, "The server's garbage collector needs two cores.");
        Assert.Equal(("Server", "Server"), (result.Server!.GarbageCollector, result.Clients.GarbageCollector));
        Assert.Contains("--runtime gcConcurrent=0 --runtime gcServer=1", result.Command, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task Values_of_a_setting_are_interleaved_and_compared_to_the_first()
    {
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            "-l Sockets -P Tcp -c 4 -d 0.2 --warmup 0.1 -p 0 --any-machine --launches 2 --json --runtime gcServer=0,1");
        Assert.True(output.Length > 0, errors);
        SuiteResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.SuiteResult)!;
        BenchmarkResult benchmark = Assert.Single(result.Benchmarks);
        Assert.Equal("Sockets (gcServer=0)", benchmark.Baseline);
        Assert.Equal(["Sockets (gcServer=0)", "Sockets (gcServer=1)"], benchmark.Cases.Select(caseResult => caseResult.Library));
        Assert.All(benchmark.Cases, caseResult => Assert.Equal(2, caseResult.Launches.Count));
        Assert.NotNull(benchmark.Cases[1].ToBaseline);
        Assert.Contains("--runtime gcServer=0,1", result.Command, StringComparison.Ordinal);
    }
}
