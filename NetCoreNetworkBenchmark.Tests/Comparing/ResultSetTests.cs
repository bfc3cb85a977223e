namespace NetCoreNetworkBenchmark.Tests.Comparing;

public sealed class ResultSetTests
{
    [Fact]
    public void Launches_of_several_suites_are_put_together()
    {
        ResultSet set = SetOf(Suites.WithControl([1000, 2000], 10, 20), Suites.WithControl([3000], 30));
        Assert.Equal([1000, 2000, 3000], set.Control);
        Assert.Equal([(10, 1000), (20, 2000), (30, 3000)], RatesOf(set, Assert.Single(set.Cases)));
    }

    [Fact]
    public void A_launch_counts_once_in_a_copy_a_brief_form_or_a_longer_result()
    {
        RunResult[] launches = [Suites.Run(10), Suites.Run(20), Suites.Run(30)];
        SuiteResult whole = SampleSuites.SuiteOf(launches);
        ResultSet set = SetOf(SampleSuites.SuiteOf(launches[0], launches[1]), whole, whole, whole.Brief(), launches[0]);
        Assert.Equal([(10, null), (20, null), (30, null)], RatesOf(set, Assert.Single(set.Cases)));
    }

    [Fact]
    public void A_ratio_to_the_baseline_stays_if_its_result_comes_twice()
    {
        SuiteResult suite = Suites.WithBaseline(100, 50, 51, 49);
        ResultSet set = SetOf(suite, suite);
        Assert.All(set.Cases, key => Assert.Single(set.RatiosOf(key)));
    }

    [Theory, InlineData(false), InlineData(true)]
    public void The_ratio_of_a_continued_result_replaces_the_earlier_one_in_any_order_of_the_files(bool newerFirst)
    {
        SuiteResult newer = Suites.WithBaseline(100, 50, 51, 70).WithCases(measured => measured.WithLaunches(launch => launch with
        {
            Result = launch.Result!.WithClients(clients => clients with { StartedAt = clients.StartedAt.AddMinutes(launch.Number) }),
        }));
        SuiteResult older = newer.WithCases(measured => measured with
        {
            Launches = [.. measured.Launches.Take(2)],
            ToBaseline = measured.ToBaseline! with { Rate = new RatioFigure(0.5, 0.4, 0.6) },
        });
        ResultSet set = newerFirst ? SetOf(newer, older) : SetOf(older, newer);
        CaseKey key = set.Cases.First(candidate => candidate.Library == "ENet");
        Assert.Equal(newer.Benchmarks[0].Cases[0].ToBaseline!.Rate.Ratio, Assert.Single(set.RatiosOf(key)).Rate.Ratio);
        Assert.Equal([50, 51, 70], set.LaunchesOf(key).Select(launch => launch.MessagesPerSecond).Order());
    }

    [Fact]
    public void A_control_that_is_no_rate_is_none()
    {
        ResultSet set = SetOf(Suites.WithControl([1000, 0], 10, 20, 30));
        Assert.Equal([1000], set.Control);
        Assert.Equal([(10, 1000), (20, null), (30, null)], RatesOf(set, Assert.Single(set.Cases)));
    }

    [Fact]
    public void A_run_is_a_launch_without_control()
    {
        ResultSet set = SetOf(Suites.Run(10), Suites.Run(20));
        CaseKey key = Assert.Single(set.Cases);
        Assert.Equal(("PingPong, ENet", "Udp Unreliable, 1000 clients, 1 message, 32 bytes"), (key.Name, key.Load));
        Assert.Equal([(10, null), (20, null)], RatesOf(set, key));
    }

    [Fact]
    public void Invalid_launches_are_left_out_and_a_case_of_such_alone_is_named()
    {
        ResultSet set = SetOf(SampleSuites.Suite, Suites.Run(0));
        CaseKey key = Assert.Single(set.Cases);
        Assert.Equal("Benchmark 1, ENet", key.Name);
        Assert.Equal([SampleResults.Valid.MessagesPerSecond, 27_000, 18_000], set.LaunchesOf(key).Select(launch => launch.MessagesPerSecond));
        Assert.Equal(["Benchmark 1, Sockets", "Benchmark 2, ENet", "PingPong, ENet"], set.Unusable.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Whatever_changes_the_load_makes_another_case()
    {
        ResultSet set = SetOf(
            Suites.Run(10), Suites.Run(10).OfLibrary("Sockets"), With(plan => plan with { Test = "Other" }), With(plan => plan with { Clients = 2 }),
            With(plan => plan with { Protocol = Protocol.Tcp }), With(plan => plan with { Transmission = Transmission.Reliable }),
            With(plan => plan with { ParallelMessages = 2 }), With(plan => plan with { MessageSize = 64 }), With(plan => plan with { Rate = 26_500 }),
            With(plan => plan with { Impairment = SampleResults.OpenLoop.Plan.Impairment }));
        Assert.Equal(10, set.Cases.Count);
        Assert.All(set.Cases, key => Assert.Single(set.LaunchesOf(key)));
        Assert.Contains("Udp Unreliable, 1000 clients, 26500 msg/s, 32 bytes", set.Cases.Select(key => key.Load));
        Assert.Contains("Udp Unreliable, 1000 clients, 1 message, 32 bytes, --loss 1%", set.Cases.Select(key => key.Load));

        static RunResult With(Func<RunPlan, RunPlan> change) => Suites.Run(10).WithPlan(change);
    }

    [Fact]
    public void An_option_of_a_test_makes_another_case_unless_it_is_the_default()
    {
        var fanOut = new WorkloadOption("--fan-out", "receivers", (plan, _) => plan) { Default = "2" };
        PlanOption[] options = [.. PlanOptions.All, PlanOption.ForTest("PingPong", fanOut)];
        RunResult WithFanOut(int receivers) => Suites.Run(10).WithPlan(plan => plan.WithWorkloadOption("--fan-out", $"{receivers}"));
        ResultSet set = new("set", [Suites.Run(10), WithFanOut(2), WithFanOut(3), WithFanOut(4)], options);
        Assert.Equal(3, set.Cases.Count);
        Assert.Contains("Udp Unreliable, 1000 clients, 1 message, 32 bytes, --fan-out 3", set.Cases.Select(key => key.Load));
    }

    [Fact]
    public void Settings_threads_and_cores_follow_the_load()
    {
        CaseKey key = Assert.Single(SetOf(Suites.Run(10).WithPlan(plan => plan with
        {
            Settings = new Dictionary<string, string> { ["batch"] = "call" },
            ServerThreads = 2,
            Pinning = new PinningPlan { ServerCores = [0, 1], ClientCores = [2] },
        })).Cases);
        Assert.Equal("Udp Unreliable, 1000 clients, 1 message, 32 bytes, batch=call 2 server threads server on 0-1 clients on 2", key.Load);
    }

    [Fact]
    public void The_latencies_of_a_case_are_those_of_its_median_launch()
    {
        SuiteResult suite = SampleSuites.SuiteOf(Launch(10, 5), Launch(30, 50, 60), Launch(20, 7, 8, 9));
        LatencyReport latency = LatencyIn(SetOf(suite))!;
        Assert.Equal((7, 9, 3), (HistogramCodec.Decode(latency.Histogram!).Min, HistogramCodec.Decode(latency.Histogram!).Max, latency.Count));
        Assert.Equal(latency, LatencyIn(SetOf(suite.Brief())));
    }

    [Fact]
    public void The_latencies_of_several_results_are_merged()
    {
        LatencyReport latency = LatencyIn(SetOf(Launch(10, 1000, 2000), Launch(20, 3000), Launch(30, 4000).WithFaults("It is not valid.")))!;
        LatencyHistogram merged = HistogramCodec.Decode(latency.Histogram!);
        Assert.Equal((3, 1000, 3001, 3), (merged.Count, merged.Min, merged.Max, latency.Count));
        Assert.Equal((1, 2, 2, 3), (latency.Microseconds!.Min, latency.Microseconds!.Mean, latency.Microseconds!.P50, latency.Microseconds!.Max));
    }

    [Fact]
    public void Without_histograms_the_latencies_are_those_of_the_median_result()
    {
        RunResult[] runs = [Launch(10, 1000), Launch(20, 2000).WithoutHistogram(), Launch(30, 3000)];
        LatencyReport latency = LatencyIn(SetOf(runs))!;
        Assert.Equal((2, 1, null), (latency.Microseconds!.P50, latency.Count, latency.Histogram));
        Assert.Null(LatencyIn(SetOf(Suites.Run(10).WithLatency(null))));
    }

    [Fact]
    public void Other_results_hold_no_runs()
    {
        Assert.False(SetOf(SampleResults.Server, SampleSearches.Sweep, SampleResults.Comparison).HasRuns);
        Assert.True(SetOf(SampleResults.Invalid).HasRuns);
    }

    private static IEnumerable<(double Rate, double? Control)> RatesOf(ResultSet set, CaseKey key) =>
        set.LaunchesOf(key).Select(launch => (launch.MessagesPerSecond, launch.Control));

    private static LatencyReport? LatencyIn(ResultSet set) => set.LatencyOf(Assert.Single(set.Cases));

    private static RunResult Launch(double rate, params long[] nanoseconds)
    {
        var histogram = new LatencyHistogram();
        Array.ForEach(nanoseconds, histogram.Record);
        return Suites.Run(rate).WithClients(clients => clients with { Latency = LatencyReport.From(histogram) });
    }

    private static ResultSet SetOf(params Result[] results) => new("set", results);
}
