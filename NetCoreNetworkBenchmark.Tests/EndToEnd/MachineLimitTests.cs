namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Limits that the system sets for the processes of a run, as the result reports them.</summary>
public sealed class MachineLimitTests
{
    // The sides have processes of their own then.
    private const string Separate = "TieredPGO=1";
    private static readonly TimeSpan s_stop = TimeSpan.FromSeconds(0.6);

    [Fact]
    [Trait("Category", "Long")]
    public async Task A_run_that_a_CPU_quota_throttled_is_invalid_by_name()
    {
        // So little that the load needs more on a machine that others use too.
        using TestGroup group = TestGroup.WithCpuQuota(cores: 0.2);
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            group.Launcher, "-l", "Sockets", "-p", "0", "-c", "1", "--warmup", "0.1", "-d", "1", "--json");
        Assert.True(output.Length > 0, errors);
        var result = (RunResult)ResultFile.Parse(output);
        Assert.Equal((1, false, true), (exitCode, result.Valid, result.Verdict.Disturbed));
        Assert.Equal((0.2, 1), (result.Environment.CpuQuota, result.Environment.Cores));
        Assert.InRange(result.Costs.Together!.ThrottledShare!.Value, double.Epsilon, 1);
        string reason = Assert.Single(result.InvalidReasons, sentence => sentence.Contains("throttled", StringComparison.Ordinal));
        Assert.StartsWith($"The process was throttled in {result.Costs.Together.ThrottledPeriods} of ", reason, StringComparison.Ordinal);
        Assert.Contains(result.Fitness.Warnings, warning => warning.Contains("has a CPU quota of 0.2 cores", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task A_side_that_is_stopped_while_it_measures_voids_the_run_by_name()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals stop processes on Linux.");
        using BenchmarkProcess run = BenchmarkProcess.Start(
            "-l", "Sockets", "-p", "0", "-c", "4", "-m", "1", "--warmup", "0.1", "-d", "600", "--any-machine", "--verbose", "--json", "--runtime", Separate);
        foreach (int side in await run.MeasuringChildrenAsync(2))
        {
            await BenchmarkProcess.SignalAsync("STOP", side);
            await Task.Delay(s_stop, TestContext.Current.CancellationToken);
            await BenchmarkProcess.SignalAsync("CONT", side);
        }

        (int exitCode, string output, string errors) = await run.InterruptedAsync();
        Assert.True(output.Length > 0, errors);
        var result = (RunResult)ResultFile.Parse(output);
        Assert.Equal((1, false), (exitCode, result.Valid));
        foreach ((string side, ProcessCost? cost) in (ReadOnlySpan<(string, ProcessCost?)>)[("server", result.Costs.Server), ("clients", result.Costs.Clients)])
        {
            Assert.InRange(cost!.StoppedSeconds!.Value, s_stop.TotalSeconds - 0.1, result.DurationSeconds);
            Assert.Contains(result.InvalidReasons, reason => reason.StartsWith($"The {side}'", StringComparison.Ordinal)
                && reason.Contains(" did not run for ", StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData("COMPlus_TieredCompilation", "0", "not tiered", Traits = ["Category", "Long"])]
    [InlineData("DOTNET_TieredCompilation", "00", "not tiered")]
    [InlineData("COMPlus_TieredPGO", "0", "tiered, without profile")]
    [InlineData("COMPlus_NoSuchSetting", "1", "tiered, with profile", Traits = ["Category", "Long"])]
    public async Task The_runtime_that_ran_is_the_one_that_is_recorded(string name, string value, string jit)
    {
        EnvironmentInfo environment = await EnvironmentOfAsync(new() { [name] = value });
        Assert.Equal(jit, environment.Jit);
        Assert.Equal(value, environment.RuntimeSettings[name]);
    }

    [Fact]
    public async Task Settings_that_the_plan_gives_the_processes_are_those_of_the_recorded_runtime()
    {
        EnvironmentInfo environment = await EnvironmentOfAsync([], "--runtime", "TieredCompilation=0", "--runtime", "gcConcurrent=0");
        Assert.Equal(("not tiered", "Workstation"), (environment.Jit, environment.GarbageCollector));
        Assert.Equal("0", environment.RuntimeSettings["DOTNET_TieredCompilation"]);
    }

    private static async Task<EnvironmentInfo> EnvironmentOfAsync(Dictionary<string, string> environment, params string[] options)
    {
        (_, string output, string errors) = await BenchmarkProcess.RunWithAsync(
            environment, ["-l", "Sockets", "-p", "0", "-c", "1", "--warmup", "0.1", "-d", "0.1", "--any-machine", "--json", .. options]);
        Assert.True(output.Length > 0, errors);
        return ((RunResult)ResultFile.Parse(output)).Environment;
    }
}
