using NetCoreNetworkBenchmark.Tests.Plans;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

[Trait("Category", "Long")]
public sealed class ContinuedSuiteTests : IDisposable
{
    private const string ToGoOn = "To continue: ";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory(
        OperatingSystem.IsWindows() ? "NetCoreNetworkBenchmark-" : PastedCommand.HostileName);

    [Fact]
    public async Task A_benchmark_that_was_killed_goes_on_with_the_launches_that_it_had()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no command that sends Ctrl+C to one process.");
        string[] arguments = Quick();
        int saved = await KillAsync(arguments, after: "[2/");
        (int refused, _, string reason) = await BenchmarkProcess.RunAsync([.. arguments, "--profile", "tuned", "--continue"]);
        Assert.Equal(2, refused);
        Assert.Contains("' differs: its command was ", reason, StringComparison.Ordinal);
        using BenchmarkProcess process = BenchmarkProcess.Start([.. arguments, "--continue"]);
        await process.PrintsAsync($"Continuing with {saved} launches");
        await process.PrintsAsync("[3/");
        (int exitCode, string output, string errors) = await process.InterruptedAsync();
        Assert.Equal(1, exitCode);
        Assert.DoesNotContain("[1/", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("[2/", errors, StringComparison.Ordinal);
        Assert.Contains("**Aborted:**", output, StringComparison.Ordinal);
        string command = Assert.Single(errors.Split('\n'), line => line.StartsWith(ToGoOn, StringComparison.Ordinal))[ToGoOn.Length..];
        Assert.Equal(["--output", _folder.FullName, "--continue"], (await PastedCommand.ArgumentsAsync(command)).TakeLast(3));
        var suite = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(Assert.Single(_folder.GetDirectories()), "results.json"));
        Assert.True(suite.Benchmarks.Sum(benchmark => benchmark.Cases.Sum(caseResult => caseResult.Launches.Count)) > saved, errors);
    }

    [Fact]
    public async Task A_benchmark_that_was_killed_and_went_on_has_the_result_of_a_whole_one()
    {
        string[] arguments = Quick();
        int saved = await KillAsync(arguments, after: "[3/");
        DirectoryInfo machine = Assert.Single(_folder.GetDirectories());
        string first = await SuiteTests.ReadAsync(machine, Path.Combine("unfinished", "launch-001-01.json"));
        (int exitCode, _, string errors) = await BenchmarkProcess.RunAsync([.. arguments, "--continue"]);
        var suite = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(machine, "results.json"));
        Assert.Equal(suite.Benchmarks.All(benchmark => benchmark.Cases.All(caseResult => caseResult.Valid)) ? 0 : 1, exitCode);
        Assert.All(suite.Benchmarks, benchmark => Assert.All(benchmark.Cases, caseResult => Assert.Single(caseResult.Launches)));
        CaseResult case1 = suite.Benchmarks[0].Cases[0];
        LaunchResult saved1 = JsonSerializer.Deserialize(first, ResultJson.Readable.LaunchResult)!;
        Assert.Equal(saved1.MessagesPerSecond, case1.Launches[0].MessagesPerSecond);
        Assert.Equal(saved1.Baseline, case1.Launches[0].Baseline);
        Assert.Equal(saved, suite.Benchmarks.Take(3).Sum(benchmark => benchmark.Cases.Count));
        Assert.Equal(suite.Benchmarks.Count - 3, errors.Split(", set ").Length - 1);
        Assert.False(Directory.Exists(Path.Combine(machine.FullName, "unfinished")));
        (int again, _, string reason) = await BenchmarkProcess.RunAsync([.. arguments, "--continue"]);
        Assert.Equal(2, again);
        Assert.Equal($"Error: --continue: '{machine.FullName}' has no interrupted benchmark. Omit --continue to start from the beginning.\n", reason);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string[] Quick() =>
        ["-b=quick", "--launches", "1", "--benchmark-duration", "0.1", "--benchmark-port", "0", "--any-machine", "-o", _folder.FullName];

    // Returns the number of launches that were saved.
    private async Task<int> KillAsync(string[] arguments, string after)
    {
        using BenchmarkProcess process = BenchmarkProcess.Start(arguments);
        await process.PrintsAsync(after);
        await BenchmarkProcess.SignalAsync("KILL", process.Id);
        await process.EndAsync();
        return Assert.Single(_folder.GetDirectories()).GetFiles("launch-*.json", SearchOption.AllDirectories).Length;
    }
}
