using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>Sets that cannot begin. No process is started for them.</summary>
public sealed class SetRunnerTests
{
    private static readonly InterleavingMethod s_method = new(Sets: 2, Rounds: 1, SliceSeconds: 0.05, Seed: 1);

    [Fact]
    public async Task A_set_that_cannot_begin_is_a_failed_launch_of_each_case()
    {
        var tls = new TlsPlan { CertificateFile = "/nowhere/a.crt", CertificateKeyFile = "/nowhere/a.key" };
        Step step = StepOf(new RunPlan { Library = "Sockets", Protocol = Protocol.Ssl, Tls = tls });
        await using var runner = new SetRunner(s_method);
        Measurement measurement = await runner.MeasureAsync(step, TestContext.Current.CancellationToken);
        Assert.Equal([(1, null), (1, null)], measurement.Launches.Select(launch => (launch.Launch.Number, launch.Launch.Result)));
        Assert.All(measurement.Launches, launch => Assert.Contains("/nowhere/a.", launch.Launch.Failure, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_set_that_the_user_ends_before_it_begins_has_no_launches()
    {
        await using var runner = new SetRunner(s_method);
        Assert.Empty((await runner.MeasureAsync(StepOf(new RunPlan { Library = "Sockets" }), new CancellationToken(canceled: true))).Launches);
    }

    private static Step StepOf(RunPlan plan)
    {
        SuiteCase[] cases =
            [.. from title in (string[])["One", "Two"] select new SuiteCase(title, plan, SampleLibrary.Info, new PingPong(), Launches: 1)];
        return new Step("step", cases, 1) { Baseline = cases[0] };
    }
}
