namespace NetCoreNetworkBenchmark.Tests.Results;

/// <summary>The limits of <c>--limit</c>, judged by the figures of a run and by those of several launches.</summary>
public sealed class LimitResultTests
{
    [Theory]
    [InlineData("p50=1ms", true, "p50=1ms holds: 999.935 µs.")]
    [InlineData("p99=5ms", false, "p99=5ms is broken: 7.213 ms.")]
    [InlineData("p99=7.3ms", true, "p99=7.3ms holds: 7.213 ms.")]
    [InlineData("max=5ms", false, "max=5ms is broken: 1,234.568 ms.")]
    [InlineData("loss=0.2%", true, "loss=0.2% holds: 0.2 %.")]
    [InlineData("loss=0.1%", false, "loss=0.1% is broken: 0.2 %.")]
    [InlineData("server-cpu=20us", true, "server-cpu=20us holds: 12.5 µs.")]
    [InlineData("server-cpu=10us", false, "server-cpu=10us is broken: 12.5 µs.")]
    [InlineData("server-cpu=1%", true, "server-cpu=1% holds: 0.125 %.")]
    [InlineData("server-cpu=0.1%", false, "server-cpu=0.1% is broken: 0.125 %.")]
    [InlineData("age.p99=150ms", true, "age.p99=150ms holds: 100.008 ms.")]
    [InlineData("age.max=90ms", false, "age.max=90ms is broken: 100 ms.")]
    [InlineData("ticks.late=1%", true, "ticks.late=1% holds: 0.5 %.")]
    [InlineData("ticks.late=0.1%", false, "ticks.late=0.1% is broken: 0.5 %.")]
    public void A_limit_of_a_run_holds_or_is_broken(string text, bool holds, string sentence)
    {
        LimitResult judged = Assert.Single(Limited(Run(), text).Limits!);
        Assert.Equal((holds, sentence), (judged.Holds, judged.Sentence(null)));
    }

    [Theory, InlineData("p99=5ms"), InlineData("max=5ms"), InlineData("loss=1%"), InlineData("server-cpu=10us"), InlineData("server-cpu=10%"),
        InlineData("age.p99=1s"), InlineData("ticks.late=1%")]
    public void A_limit_of_a_figure_that_is_not_known_does_not_hold(string text)
    {
        RunResult unknown = Run().WithLatency(null).WithPlan(plan => plan with { Tick = null })
            .WithClients(clients => clients with { AfterStart = default, Distributions = [] }) with
        { OneProcess = true };
        LimitResult judged = Assert.Single(Limited(unknown, text).Limits!);
        Assert.Equal((null, false, $"{text} cannot be checked, because the figure is not known."), (judged.Measured, judged.Holds, judged.Sentence(null)));
    }

    [Fact]
    public void Loss_of_server_push_is_of_the_messages_that_were_received_and_lost()
    {
        RunResult push = Limited(Run(), "loss=1%").WithClients(clients => clients with
        {
            LatencyKind = LatencyKind.OneWay,
            AfterStart = new MessageCounters { ClientSent = 1, ClientReceived = 990, GivenUp = 10 },
            Whole = new MessageCounters { ClientSent = 1, ClientReceived = 990, GivenUp = 10 },
        });
        Assert.Equal((0.01, true), (push.Limits![0].Measured, push.Limits[0].Holds));
    }

    [Fact]
    public void A_run_without_limits_has_no_judgement() => Assert.Null(SampleResults.Valid.Limits);

    [Fact]
    public void Limits_of_launches_are_of_all_messages_together_and_of_the_median_of_the_servers_CPU_time()
    {
        // Of 2,000 latencies in all, 11 are above 1 ms: p99 is below it, although it is not in one of the launches.
        RunResult[] launches = [.. new[] { (11, 2, 12.5), (0, 0, 2), (0, 1, 3) }.Select(launch => Limited(
            Run(slow: launch.Item1, lost: launch.Item2, cpuMicroseconds: launch.Item3), "p99=2ms", "loss=0.1%", "server-cpu=5us"))];
        CaseResult found = CaseSummarizer.Summarize("Toy", [.. launches.Index().Select(launch => new LaunchResult(launch.Index + 1, launch.Item, null))]);
        Assert.Equal([false, false, false], launches[0].Limits!.Select(limit => limit.Holds));
        var benchmark = new BenchmarkResult("Toys", [found, found with { Library = "Other" }]);
        IReadOnlyList<LimitResult> limits = benchmark.Figures![0].Limits!;
        Assert.Equal([true, true, true], limits.Select(limit => limit.Holds));
        Assert.Equal([0.001, 3], limits.Skip(1).Select(limit => Math.Round(limit.Measured!.Value, 9)));
        SuiteResult suite = SampleSuites.Suite.WithBenchmarks(benchmark);
        Assert.Equal("p99=2ms of Other holds: 999.935 µs.", suite.AllLimits.Skip(3).Select(judged => judged.Limit.Sentence(judged.Case)).First());
    }

    [Fact]
    public void A_limit_of_the_servers_CPU_time_is_of_the_figure_of_the_case_when_its_slices_were_compared()
    {
        BenchmarkResult benchmark = SampleSuites.Decided.Benchmarks[0].WithCases(found => found.WithRuns(run => Limited(run, "server-cpu=15us")) with
        {
            ToBest = found.IsBaseline ? found.ToBest : found.ToBest! with { ServerCpu = new RatioFigure(2 * found.ToBest.ServerCpu!.Ratio, null, null) },
        });
        Assert.All(benchmark.Figures!, figures => Assert.Equal(figures.ServerCpuMicroseconds!.Value, Assert.Single(figures.Limits!).Measured));
        Assert.Equal(["Epoll", "Sockets"], benchmark.Figures!.Where(figures => figures.Limits![0].Holds).Select(figures => figures.Library).Order());
    }

    private static RunResult Limited(RunResult run, params string[] limits) =>
        run.WithPlan(plan => plan with { Limits = [.. limits.Select(text => PlanValues.Limit("--limit", text))] });

    // 1,000 messages, of which some took longer than 1 ms.
    private static RunResult Run(int slow = 100, long lost = 2, double cpuMicroseconds = 12.5)
    {
        var histogram = new LatencyHistogram();
        for (int message = 0; message < 1_000; message++)
        {
            histogram.Record(message < slow ? 7_210_000 : 999_900);
        }

        var ages = new LatencyHistogram();
        ages.Record(100_000_000);
        return SampleResults.Valid.WithPlan(plan => plan with { Rate = 100, Tick = TimeSpan.FromMilliseconds(50) })
            .WithHistogram(HistogramCodec.Encode(histogram)).WithLost(lost)
            .WithClients(clients => clients with
            {
                Cost = clients.Cost with { Messages = 1_000 },
                AfterStart = clients.AfterStart with { ClientSent = 1_000 },
                Measured = clients.Measured with { ClientSent = 1_000, SentLate = 5 },
                Distributions = [new NamedLatency(WorkloadFigure.AgeOfState, LatencyReport.From(ages))],
            })
            .WithServer(server => server with
            {
                Cost = server.Cost! with { Seconds = 10, Messages = 1_000, UserCpuSeconds = cpuMicroseconds / 1_000, SystemCpuSeconds = 0 },
            });
    }
}
