namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class ArrivalsTests
{
    [Theory, InlineData("-l Sockets"), InlineData("-l Sockets -P Tcp"), Trait("Category", "Long")]
    public async Task Poisson_arrivals_have_the_rate_and_the_spread_of_a_Poisson_process(string library)
    {
        const double Rate = 1_000;
        RunResult result = await RunAsync($"{library} -p 0 -c 10 --rate 1000 --arrivals poisson -d 2");
        double due = Rate * result.DurationSeconds;
        Assert.InRange(result.Messages.ClientSent, due - (6 * Math.Sqrt(due)), due + (6 * Math.Sqrt(due)));
        Assert.Equal((Arrivals.Poisson, result.Messages.ClientSent), (result.Plan.Arrivals, result.Messages.ClientReceived + result.Lost));
        Assert.Contains("--rate 1000 --arrivals Poisson", result.Command, StringComparison.Ordinal);
    }

    [Theory, InlineData("-l Sockets"), InlineData("-l Sockets -P Tcp --arrivals poisson"), Trait("Category", "Long")]
    public async Task A_rate_that_rises_has_figures_for_each_step(string options)
    {
        RunResult result = await RunAsync($"{options} -p 0 -c 4 --rate 200..400/0.5s -d 1.5");
        RateStep[] steps = [.. result.Clients.Iterations.Select(part => part.Step!)];
        Assert.Equal([200, 300, 400], steps.Select(step => step.Rate));
        Assert.All(result.Clients.Iterations, part =>
        {
            double due = part.Step!.Rate * part.Seconds;
            double tolerance = result.Plan.Arrivals == Arrivals.Even ? 5 : 6 * Math.Sqrt(due);
            Assert.Equal(due, part.Step.Sent, tolerance);
            Assert.Equal((part.Step.Sent - part.Step.Lost, part.Messages), (part.Step.Latency.Count, part.Step.Latency.Count));
        });
        Assert.Equal((result.Messages.ClientSent, result.Clients.Latency.Count), (steps.Sum(step => step.Sent), steps.Sum(step => step.Latency.Count)));
        Assert.Contains(" --rate 200..400/0.5s ", result.Command, StringComparison.Ordinal);
        Assert.Contains("step", result.Knee, StringComparison.Ordinal);
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_server_that_stands_still_falls_behind_from_that_step_on()
    {
        // The first two steps have more messages than are answered.
        const int MessageSize = 32;
        await using var echo = new HoldingEcho(150 * MessageSize, long.MaxValue);
        RunResult result = await RunAsync($"--role Client -l Sockets -P Tcp -p {echo.Port} -c 4 -s {MessageSize} --rate 200..400/0.5s -d 1.5");
        RateStep[] steps = [.. result.Clients.Iterations.Select(part => part.Step!)];
        Assert.InRange(steps[0].Answered + steps[1].Answered, 1, 150);
        Assert.Equal((0, 0), (steps[2].Answered, steps.Sum(step => step.Lost)));
        Assert.NotNull(RateKnee.ReasonOf(result.Clients.Iterations, 2));
        Assert.Contains(" msg/s on (step ", result.Knee, StringComparison.Ordinal);
        Assert.DoesNotContain(result.InvalidReasons, reason => reason.Contains("lost", StringComparison.Ordinal));
    }

    private static Task<RunResult> RunAsync(string arguments) => BenchmarkProcess.AnyResultAsync($"{arguments} --warmup 0.1 --any-machine --json");
}
