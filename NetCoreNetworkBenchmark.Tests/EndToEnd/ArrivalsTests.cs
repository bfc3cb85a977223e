namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class ArrivalsTests
{
    [Theory]
    [InlineData("-l Sockets")]
    [InlineData("-l Sockets -P Tcp")]
    public async Task Poisson_arrivals_have_the_rate_and_the_spread_of_a_Poisson_process(string library)
    {
        const double Rate = 1_000;
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"{library} -p 0 -c 10 --rate 1000 --arrivals poisson -d 2 --warmup 0.1 --any-machine --json");
        Assert.True(code is 0 or 1, errors);
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        double due = Rate * result.DurationSeconds;
        Assert.InRange(result.Messages.ClientSent, due - (6 * Math.Sqrt(due)), due + (6 * Math.Sqrt(due)));
        Assert.Equal((Arrivals.Poisson, result.Messages.ClientSent), (result.Plan.Arrivals, result.Messages.ClientReceived + result.Lost));
        Assert.Contains("--rate 1000 --arrivals Poisson", result.Command, StringComparison.Ordinal);
    }
}
