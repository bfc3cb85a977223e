using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Running.Searches;

/// <summary>The search, over runs with invented results.</summary>
public sealed class RateSearchTests
{
    private const int MaxRuns = 24;

    [Theory, InlineData(1_000), InlineData(1_001), InlineData(26_500), InlineData(999_999), InlineData(730), InlineData(30)]
    public async Task The_highest_rate_is_found_within_five_percent(double knee)
    {
        SweepResult result = await SweepAsync(plan => Latencies(p50: 1, p99: plan.Rate <= knee ? 4 : 6), "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, knee * 0.95, knee);
        Assert.InRange(result.Steps.Count, 2, MaxRuns);
        Assert.Equal(result.Steps.OrderBy(point => point.Value), result.Steps);
        Assert.All(result.Steps, point => Assert.Equal(point.Value <= knee, point.Holds));
        Assert.Matches("^At [0-9,]+ msg/s: p99 was 6[.0-9]* ms[.]$", result.Conclusion);
    }

    [Fact]
    public async Task The_search_starts_at_the_rate_that_is_given_and_makes_every_run_by_the_plan()
    {
        var plans = new List<RunPlan>();
        RunPlan template = Template with { Rate = 5_000, Clients = 7 };
        await SweepAsync(plan => { plans.Add(plan); return Latencies(1, plan.Rate < 8_000 ? 1 : 9); }, template, "p99=5ms");
        Assert.Equal([5_000, 10_000, 7_500], plans.Select(plan => plan.Rate!.Value).Distinct().Take(3));
        Assert.All(plans, plan => Assert.Equal(template with { Limits = [Limit("p99=5ms")] }, plan with { Rate = 5_000 }));
        Assert.All(plans.CountBy(plan => plan.Rate!.Value), rate => Assert.Equal(rate.Key < 8_000 ? 1 : 2, rate.Value));
    }

    [Fact]
    public async Task Where_no_rate_holds_there_is_no_highest_and_the_search_ends()
    {
        SweepResult result = await SweepAsync(_ => Latencies(10, 10), "p99=5ms");
        Assert.Null(result.HighestRate);
        Assert.InRange(result.Steps.Count, 1, MaxRuns);
        Assert.Equal(10, result.Steps[0].Value);
        Assert.Contains("p99 was 10", result.Conclusion, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Where_every_rate_holds_the_search_ends_at_the_highest_rate_of_a_plan()
    {
        SweepResult result = await SweepAsync(_ => Latencies(1, 1), "p99=5ms");
        Assert.InRange(result.Steps.Count, 2, MaxRuns);
        Assert.Equal((PlanLimits.MaxRate, PlanLimits.MaxRate), (result.Steps[^1].Value, result.HighestRate));
        Assert.Equal("Every limit held at each rate that was tried.", result.Conclusion);
    }

    [Theory, InlineData("p50=5ms", "p99=50ms", 12_000), InlineData("p50=500ms", "p99=50ms", 20_000), InlineData("p50=5ms", "p99.9=10s", 12_000)]
    public async Task All_limits_must_hold(string first, string second, double knee)
    {
        SweepResult result = await SweepAsync(plan => Latencies(p50: plan.Rate <= 12_000 ? 2 : 6, p99: plan.Rate <= 20_000 ? 7 : 70), first, second);
        Assert.InRange(result.HighestRate!.Value, knee * 0.95, knee);
        Assert.Equal([first, second], result.Limits);
    }

    [Theory, InlineData(1, null, "1 message was lost."), InlineData(0, "The clients could not hold the rate.", "The clients could not hold the rate.")]
    public async Task A_lost_message_and_a_rate_that_the_clients_could_not_hold_break_the_limit(int lost, string? fault, string reason)
    {
        SweepResult result = await SweepAsync(
            plan => plan.Rate <= 3_000 ? Latencies(1, 1) : fault is null ? Latencies(1, 1).WithLost(lost) : Latencies(1, 1).WithFaults(fault), "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
        Assert.EndsWith($": {reason}", result.Conclusion, StringComparison.Ordinal);
    }

    [Theory, InlineData(1), InlineData(2)]
    public async Task A_disturbed_run_is_repeated_until_it_shows_whether_its_rate_holds(int disturbed)
    {
        var runs = new Dictionary<double, int>();
        SweepResult result = await SweepAsync(
            plan =>
            {
                int run = runs[plan.Rate!.Value] = runs.GetValueOrDefault(plan.Rate.Value) + 1;
                RunResult measured = Latencies(1, plan.Rate <= 3_000 ? 1 : 9);
                return run > disturbed ? measured : plan.Rate > 1_000 ? Disturbed(measured) : SentLate(measured);
            },
            "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
        Assert.All(result.Steps, step => Assert.Equal(step.Holds || disturbed == 2 ? disturbed + 1 : 2, runs[step.Value]));
        Assert.All(result.Steps, step => Assert.False(step.IsUndecided));
    }

    [Fact]
    public async Task A_rate_whose_every_run_is_disturbed_and_the_next_one_above_it_end_the_search_undecided_and_the_rates_before_are_kept()
    {
        int runs = 0;
        SweepResult result = await SweepAsync(
            plan => plan.Rate <= 3_000 ? Latencies(1, 1) : Disturbed(Latencies(1, 1), $"Other programs ran, {++runs}."), "p99=5ms");
        Assert.Equal((2_000, 4), (result.HighestRate, runs));
        Assert.True(result.IsUndecided);
        Assert.Equal([(1_000, true, false), (2_000, true, false), (4_000, false, true), (8_000, false, true)],
            result.Steps.Select(step => ((int)step.Value, step.Holds, step.IsUndecided)));
        Assert.Equal(
            "At 4,000 msg/s the search is undecided, since the machine was disturbed in each run. The last time: Other programs ran, 3. " +
                "Repeat the search on an idle machine, or with --any-machine.",
            result.Conclusion);
    }

    [Fact]
    public async Task Clients_that_are_the_limit_in_each_run_are_the_answer_and_no_rate_that_does_not_hold()
    {
        var runs = new Dictionary<double, int>();
        SweepResult result = await SweepAsync(
            plan =>
            {
                runs[plan.Rate!.Value] = runs.GetValueOrDefault(plan.Rate.Value) + 1;
                return plan.Rate <= 3_000 ? Latencies(1, 1) : SentLate(Latencies(1, 1));
            },
            "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
        Assert.True(result.IsUndecided);
        Assert.All(result.Steps, step => Assert.Equal(step.Holds || step.Value == 8_000 ? 1 : 3, runs[step.Value]));
        Assert.Matches("^At 3,[0-9]+ msg/s the clients were the limit: 10[.]0 % of the messages were sent late [(]limit: 1 %[)], ", result.Conclusion);
    }

    [Fact]
    public async Task Clients_that_an_overload_delays_do_not_end_the_search_for_the_rate_that_breaks_the_limit()
    {
        SweepResult result = await SweepAsync(
            plan => plan.Rate > 3_500 ? SentLate(Latencies(9, 9)) : Latencies(1, plan.Rate <= 3_000 ? 1 : 9), "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
        Assert.False(result.IsUndecided);
        Assert.EndsWith("p99 was 9 ms.", result.Conclusion.Replace("9.003", "9", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clients_that_are_the_limit_at_the_first_two_rates_end_the_search()
    {
        SweepResult result = await SweepAsync(_ => SentLate(Latencies(1, 1)), "p99=5ms");
        Assert.Equal((null, true), (result.HighestRate, result.IsUndecided));
        Assert.Equal([1_000, 2_000], result.Steps.Select(step => step.Value));
        Assert.StartsWith("At 1,000 msg/s the clients were the limit", result.Conclusion, StringComparison.Ordinal);
    }

    [Theory, InlineData(1_000, true), InlineData(2_000, true), InlineData(1_000, false), InlineData(2_000, false)]
    public async Task A_rate_that_chance_disturbed_in_each_run_is_passed_if_the_next_one_above_it_holds(double disturbed, bool isLate)
    {
        SweepResult result = await SweepAsync(
            plan => plan.Rate == disturbed ? isLate ? SentLate(Latencies(1, 1)) : Disturbed(Latencies(1, 1)) : Latencies(1, plan.Rate <= 12_000 ? 1 : 9),
            "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 11_400, 12_000);
        Assert.False(result.IsUndecided);
        Assert.EndsWith("msg/s: p99 was 9.003 ms.", result.Conclusion, StringComparison.Ordinal);
        Assert.True(Assert.Single(result.Steps, step => step.Value == disturbed).IsSpoiled);
    }

    [Theory, InlineData(1_000), InlineData(2_000)]
    public async Task A_limit_that_one_run_broke_by_chance_does_not_decide(double rate)
    {
        bool isBroken = false;
        SweepResult result = await SweepAsync(
            plan =>
            {
                bool breaks = !isBroken && plan.Rate == rate;
                isBroken |= breaks;
                return Latencies(1, breaks || plan.Rate > 3_000 ? 9 : 1);
            },
            "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
    }

    [Fact]
    public async Task The_first_rate_has_enough_messages_for_the_percentile_of_the_limit()
    {
        SweepResult result = await SweepAsync(_ => Latencies(10, 10), Template with { Duration = TimeSpan.FromSeconds(5) }, "p99.99=5ms");
        Assert.Equal(2_000, Assert.Single(result.Steps).Value);
    }

    public static TheoryData<Exception> FailuresOfRuns =>
    [
        new IOException("Too many open files"), BenchmarkException.BadInput("There is no such host."),
        new BenchmarkException("The server's process has gone."),
    ];

    [Theory, MemberData(nameof(FailuresOfRuns))]
    public async Task Failed_run_is_a_point_with_its_reason_and_the_runs_before_it_are_kept(Exception exception)
    {
        SweepResult result = await SweepAsync(plan => plan.Rate <= 3_000 ? Latencies(1, 1) : throw exception, "p99=5ms");
        Assert.Equal((false, exception.Message, null), (result.Steps[^1].Holds, result.Steps[^1].Reason, result.Steps[^1].Result));
        Assert.EndsWith($": {exception.Message.TrimEnd('.')}.", result.Conclusion, StringComparison.Ordinal);
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
    }

    [Theory, MemberData(nameof(FailuresOfRuns))]
    public async Task A_run_that_fails_once_is_repeated(Exception exception)
    {
        var failed = new HashSet<double>();
        SweepResult result = await SweepAsync(
            plan => plan.Rate > 1_000 && failed.Add(plan.Rate.Value) ? throw exception : Latencies(1, plan.Rate <= 3_000 ? 1 : 9), "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
        Assert.All(result.Steps, step => Assert.NotNull(step.Result));
    }

    [Fact]
    public Task A_fault_of_the_program_is_not_a_rate_that_does_not_hold() => Assert.ThrowsAsync<InvalidOperationException>(
        () => SweepAsync(plan => plan.Rate <= 3_000 ? Latencies(1, 1) : throw new InvalidOperationException("It is broken."), "p99=5ms"));

    [Fact]
    public async Task A_rate_whose_figure_is_not_known_does_not_hold_and_the_result_is_kept()
    {
        SweepResult result = await SweepAsync(_ => Latencies(1, 1).WithoutHistogram(), "p99=5ms");
        Assert.Null(result.HighestRate);
        Assert.EndsWith(": p99 is not known.", result.Conclusion, StringComparison.Ordinal);
        Assert.All(result.Steps, step => Assert.NotNull(step.Result));
    }

    [Theory, InlineData("loss=0.1%", "loss was 0.2 %"), InlineData("server-cpu=10us", "server-cpu was 20 µs")]
    public async Task Every_kind_of_limit_bounds_a_rate(string limit, string reason)
    {
        SweepResult result = await SweepAsync(plan => plan.Rate <= 3_000 ? With(lost: 1, cpuMicroseconds: 9) : With(lost: 2, cpuMicroseconds: 20), limit,
            "loss=1%");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
        Assert.EndsWith($" msg/s: {reason}.", result.Conclusion, StringComparison.Ordinal);

        static RunResult With(long lost, double cpuMicroseconds) => Latencies(1, 1).WithLost(lost)
            .WithClients(clients => clients with { AfterStart = clients.AfterStart with { ClientSent = 1_000 } })
            .WithServer(server => server with
            {
                Cost = server.Cost! with { Messages = 1_000, UserCpuSeconds = cpuMicroseconds / 1_000, SystemCpuSeconds = 0 },
            });
    }

    [Fact]
    public async Task Loss_by_the_relay_breaks_no_limit_and_loss_beyond_it_names_both_numbers()
    {
        SweepResult result = await SweepAsync(
            plan => Latencies(1, 1).WithLost(plan.Rate <= 3_000 ? 3_210 : 3_300) with { Relay = SampleResults.OpenLoop.Relay }, "p99=5ms");
        Assert.InRange(result.HighestRate!.Value, 2_850, 3_000);
        Assert.EndsWith(
            ": 3,300 messages were lost, more than the 3,210 datagrams that the relay dropped; --limit loss=SHARE allows a share.",
            result.Conclusion,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Bad_input_ends_the_search_at_once()
    {
        int runs = 0;
        await Assert.ThrowsAsync<BenchmarkException>(
            () => SweepAsync(_ => { runs++; throw BenchmarkException.BadInput("There is no such host."); }, "p99=5ms"));
        Assert.Equal(1, runs);
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task Ending_the_search_keeps_the_runs_that_were_whole(bool nothingMeasured)
    {
        using var abort = new CancellationTokenSource();
        SweepResult result = await SweepAsync(
            plan =>
            {
                if (plan.Rate <= 4_000)
                {
                    return Latencies(1, 1);
                }

                abort.Cancel();
                return nothingMeasured
                    ? throw new OperationCanceledException(abort.Token)
                    : Latencies(9, 9).WithFaults("The run was aborted.").WithClients(clients => clients with { Aborted = true });
            },
            Template,
            abort.Token,
            "p99=5ms");
        Assert.Equal([1_000, 2_000, 4_000], result.Steps.Select(step => step.Value));
        Assert.Equal((4_000, true, "The search was aborted."), (result.HighestRate, result.Aborted, result.Conclusion));
    }

    [Fact]
    public async Task A_run_that_a_fault_cut_short_does_not_hold()
    {
        SweepResult result = await SweepAsync(
            plan => plan.Rate <= 2_000
                ? Latencies(1, 1)
                : Latencies(1, 1).WithFaults("The host b failed.").WithClients(clients => clients with { Aborted = true }),
            "p99=5ms");
        Assert.Equal((2_000, false), (result.HighestRate, result.Aborted));
        Assert.EndsWith("The host b failed.", result.Conclusion, StringComparison.Ordinal);
    }

    [Theory, InlineData(30), InlineData(1_000), InlineData(26_500), InlineData(1e12), InlineData(0, true), InlineData(64_000, true)]
    public async Task The_forecast_never_rises_and_ends_with_the_search(double knee, bool isLate = false)
    {
        RunPlan template = Template with { Limits = [Limit("p99=5ms")], WarmUp = TimeSpan.FromSeconds(5), Duration = TimeSpan.FromSeconds(10) };
        var forecasts = new List<SearchForecast>();
        var search = new LimitSearch(SearchRuns.LoadOf(template), new SweptRate(template))
        {
            Command = "none",
            Finished = (_, forecast) => forecasts.Add(forecast),
        };
        SearchForecast first = search.Forecast;
        await search.RunAsync(
            plan => (plan.Rate <= knee ? Latencies(1, 4) : isLate ? SentLate(Latencies(1, 9)) : Latencies(1, 6)).WithPlan(_ => plan),
            TestContext.Current.CancellationToken);
        SweepResult result = search.ResultOf(isAborted: false);
        Assert.InRange(first.MaxSteps, result.Steps.Count, MaxRuns);
        Assert.InRange(first.Left.TotalSeconds, first.MaxSteps * 16.5, 2 * first.MaxSteps * 16.5);
        forecasts.Insert(0, first);
        Assert.Equal(Enumerable.Range(0, result.Steps.Count + 1), forecasts.Select(forecast => forecast.Steps));
        Assert.All(forecasts.Zip(forecasts.Skip(1)), pair =>
        {
            Assert.InRange(pair.Second.MaxSteps, pair.Second.Steps, pair.First.MaxSteps);
            Assert.InRange(pair.First.Left - pair.Second.Left, TimeSpan.FromSeconds(16.5), TimeSpan.MaxValue);
        });
        Assert.Equal(new SearchForecast(result.Steps.Count, result.Steps.Count, TimeSpan.Zero), forecasts[^1]);
    }

    private static RunPlan Template { get; } = new() { Library = SampleLibrary.Name };

    private static Task<SweepResult> SweepAsync(Func<RunPlan, RunResult> run, params string[] limits) => SweepAsync(run, Template, limits);

    private static Task<SweepResult> SweepAsync(Func<RunPlan, RunResult> run, RunPlan template, params string[] limits) =>
        SweepAsync(run, template, TestContext.Current.CancellationToken, limits);

    private static async Task<SweepResult> SweepAsync(
        Func<RunPlan, RunResult> run, RunPlan template, CancellationToken cancellationToken, params string[] limits)
    {
        template = template with { Limits = [.. limits.Select(Limit)] };
        var search = new LimitSearch(SearchRuns.LoadOf(template), new SweptRate(template)) { Command = "none" };
        await search.RunAsync(plan => run(plan).WithPlan(_ => plan), cancellationToken);
        return search.ResultOf(cancellationToken.IsCancellationRequested);
    }

    private static RunResult Disturbed(RunResult run, string reason = "Other programs ran.") =>
        run with { Verdict = run.Verdict with { Disturbances = [reason] } };

    private static RunResult SentLate(RunResult run) => run.WithFaults("The clients could not hold the rate.")
        .WithClients(clients => clients with { Measured = clients.Measured with { SentLate = clients.Measured.ClientSent / 10 } });

    private static RunLimit Limit(string text) => PlanValues.Limit("--limit", text);

    // In milliseconds: nine in ten round trips take the time p50, the others p99.
    private static RunResult Latencies(double p50, double p99)
    {
        var histogram = new LatencyHistogram();
        for (int message = 0; message < 1_000; message++)
        {
            histogram.Record((long)((message % 10 == 0 ? p99 : p50) * 1e6));
        }

        return SampleResults.Valid.WithHistogram(HistogramCodec.Encode(histogram));
    }
}
