using NetCoreNetworkBenchmark.Comparing;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios.Options;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Comparing;

public sealed class ResultSetTests
{
    [Fact]
    public void Launches_of_several_suites_are_put_together()
    {
        ResultSet set = SetOf(Suites.WithControl([1000, 2000], 10, 20), Suites.WithControl([3000], 30));
        Assert.Equal([1000, 2000, 3000], set.Control);
        Assert.Equal(
            [new ComparableLaunch(10, 1000), new ComparableLaunch(20, 2000), new ComparableLaunch(30, 3000)],
            set.LaunchesOf(Assert.Single(set.Cases)));
    }

    [Fact]
    public void A_control_that_is_no_rate_is_none()
    {
        SuiteResult suite = Suites.WithControl([1000, 0], 10, 20, 30);
        ResultSet set = SetOf(suite);
        Assert.Equal([1000], set.Control);
        Assert.Equal(
            [new ComparableLaunch(10, 1000), new ComparableLaunch(20, null), new ComparableLaunch(30, null)],
            set.LaunchesOf(Assert.Single(set.Cases)));
    }

    [Fact]
    public void A_run_is_a_launch_without_control()
    {
        ResultSet set = SetOf(Suites.Run(10), Suites.Run(20));
        CaseKey key = Assert.Single(set.Cases);
        Assert.Equal(("PingPong, ENet", "Udp Unreliable, 1000 clients, 1 messages, 32 bytes"), (key.Name, key.Load));
        Assert.Equal([new ComparableLaunch(10, null), new ComparableLaunch(20, null)], set.LaunchesOf(key));
    }

    [Fact]
    public void Invalid_launches_are_left_out_and_a_case_of_such_alone_is_named()
    {
        ResultSet set = SetOf(SampleResults.Suite, Suites.Run(0));
        CaseKey key = Assert.Single(set.Cases);
        Assert.Equal("Benchmark 1, ENet", key.Name);
        Assert.Equal([26_410.348455, 27_000, 18_000], set.LaunchesOf(key).Select(launch => launch.MessagesPerSecond));
        Assert.Equal(["Benchmark 1, Sockets", "Benchmark 2, ENet", "PingPong, ENet"], set.Unusable.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Whatever_changes_the_load_makes_another_case()
    {
        RunResult run = Suites.Run(10);
        ResultSet set = SetOf(
            run,
            run with { Library = "Sockets" },
            run with { Test = "Other" },
            run with { Protocol = "Tcp" },
            run with { Transmission = "Reliable" },
            run with { Clients = 2 },
            run with { ParallelMessages = 2 },
            run with { MessageSize = 64 },
            run with { Schedule = SampleResults.OpenLoop.Schedule },
            run with { Impairment = SampleResults.OpenLoop.Impairment });
        Assert.Equal(10, set.Cases.Count);
        Assert.All(set.Cases, key => Assert.Single(set.LaunchesOf(key)));
        Assert.Contains("Udp Unreliable, 1000 clients, 26500 msg/s, 32 bytes", set.Cases.Select(key => key.Load));
        Assert.Contains("Udp Unreliable, 1000 clients, 1 messages, 32 bytes, --loss 1% --seed 1", set.Cases.Select(key => key.Load));
    }

    [Fact]
    public void An_option_that_no_result_reports_is_found_in_the_command()
    {
        ScenarioOption[] options = [.. ScenarioOptions.All, ScenarioOption.ForTest("PingPong", "--fan-out", "receivers", "2", (plan, _) => plan)];
        RunResult run = Suites.Run(10);
        RunResult WithFanOut(int receivers) => run with { Command = $"{run.Command} --fan-out {receivers}" };
        ResultSet set = new("set", [run, WithFanOut(2), WithFanOut(3), WithFanOut(4)], options);
        Assert.Equal(3, set.Cases.Count);
        Assert.Contains("Udp Unreliable, 1000 clients, 1 messages, 32 bytes, --fan-out 3", set.Cases.Select(key => key.Load));
    }

    [Fact]
    public void Settings_threads_and_cores_follow_the_load()
    {
        CaseKey key = Assert.Single(SetOf(Suites.Run(10) with
        {
            Settings = new Dictionary<string, string> { ["batch"] = "call" },
            ServerThreads = 2,
            Pinning = new PinningResult(new SidePinning([0, 1], [0]), new SidePinning([2], [2])),
        }).Cases);
        Assert.Equal("Udp Unreliable, 1000 clients, 1 messages, 32 bytes, batch=call 2 server threads server on 0-1 clients on 2", key.Load);
    }

    [Fact]
    public void Other_results_hold_no_runs()
    {
        Assert.False(SetOf(SampleResults.Server, SampleResults.Sweep, SampleResults.Comparison).HasRuns);
        Assert.True(SetOf(SampleResults.Invalid).HasRuns);
    }

    private static ResultSet SetOf(params Result[] results) => new("set", results);
}
