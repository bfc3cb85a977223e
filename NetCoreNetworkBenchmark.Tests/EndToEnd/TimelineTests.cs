namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The course of a real measurement, compared with the figures of the whole.</summary>
public sealed class TimelineTests
{
    private const string InOneProcess = "-l Sockets -p 0 -c 2 --warmup 0.2 --any-machine --json";

    [Fact]
    public async Task Both_sides_have_parts_with_all_figures()
    {
        RunResult result = await RelayedRun.RunAsync("-c 20 --rate 4000 --warmup 0.1 -d 0.5 --delay 1ms");
        AssertWhole(result.Clients.Timeline!);
        AssertWhole(result.Server!.Timeline!);
    }

    [Fact]
    [Trait("Category", "Timing")]
    public async Task The_parts_of_both_sides_add_up_to_the_whole_and_show_the_stalls()
    {
        RunResult result = await RelayedRun.RunAsync("-c 20 --rate 4000 --warmup 0.5 -d 3 --stall 400ms/1s");
        SideTimeline clients = result.Clients.Timeline!;
        SideTimeline server = result.Server!.Timeline!;

        // What a thread counts while the measurement ends is in one of the two counts only.
        Assert.Equal(result.Messages.ClientReceived, clients.Messages!.Sum(), tolerance: 200.0);
        Assert.Equal(result.Messages.ServerReceived!.Value, server.Messages!.Sum(), tolerance: 200.0);
        Assert.Equal(result.DurationSeconds, clients.Seconds[^1], tolerance: 0.2);
        Assert.Equal(result.Costs.Clients!.CpuSeconds, clients.CpuSeconds.Sum(), tolerance: 0.1);
        Assert.Equal(result.Costs.Server!.CpuSeconds, server.CpuSeconds.Sum(), tolerance: 0.1);
        AssertWhole(clients);
        AssertWhole(server);

        // Three stalls of 0.4 s have at least two whole parts of 0.1 s each, in which the server receives nothing. Messages were due in them, and waited.
        Assert.InRange(server.Messages!.Count(messages => messages == 0), 3, 15);
        Assert.InRange(clients.P99Microseconds!.Count(latency => latency > 200_000), 3, 15);
        Assert.All(clients.Messages!.SkipLast(1), messages => Assert.InRange(messages, 300, 500));
    }

    [Fact]
    public async Task In_one_process_the_timeline_is_that_of_the_process()
    {
        RunResult result = await BenchmarkProcess.ResultAsync($"{InOneProcess} -d 0.3");
        Assert.Null(result.Server!.Timeline);
        AssertWhole(result.Clients.Timeline!);
    }

    [Fact]
    [Trait("Category", "Timing")]
    public async Task In_one_process_the_timeline_is_as_long_as_the_measurement()
    {
        RunResult result = await BenchmarkProcess.ResultAsync($"{InOneProcess} -d 1");
        Assert.Equal(result.DurationSeconds, result.Clients.Timeline!.Seconds[^1], tolerance: 0.2);
    }

    private static void AssertWhole(SideTimeline side)
    {
        int parts = Assert.Single(new[]
        {
            side.Seconds.Count, side.Messages!.Count, side.CpuSeconds.Count, side.PauseMilliseconds.Count, side.PoolQueue.Count, side.PoolThreads.Count,
        }.Distinct());
        Assert.InRange(parts, 1, int.MaxValue);
    }
}
