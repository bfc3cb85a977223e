using NetCoreNetworkBenchmark.Tests.Cli;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class BurstRunTests
{
    [Theory, MemberData(nameof(StreamRun.StreamsOneInPlain), MemberType = typeof(StreamRun))]
    public async Task Bursts_of_framed_messages_end_by_themselves_over_a_stream(string library, Protocol protocol)
    {
        RunResult run = await RunAsync($"-l {library} -P {protocol} {StreamRun.KeyOf(protocol)} --framing checked -c 3 -m 2000 -s 2 --bursts 2 -d 60");
        Assert.Equal((12_000, 12_000, 6), (run.Totals.Sent, run.Totals.Received, run.Clients.Distributions![0].Latency.Count));
        Assert.Equal((0, 0, 0), (run.Lost, run.Duplicated, run.Corrupted));
        Assert.Equal(3, run.Clients.Figures![0].Value);
        Assert.InRange(run.Clients.Figures[1].Value, double.Epsilon, run.DurationSeconds);
    }

    [Fact]
    public async Task Bursts_of_large_messages_are_sent_at_once()
    {
        RunResult run = await RunAsync("-l Sockets -P Tcp --framing checked -c 1 -m 20 -s 1000000 --bursts 2 -d 60");
        Assert.Equal((40, 2), (run.Totals.Received, run.Clients.Distributions![0].Latency.Count));
    }

    [Fact]
    public async Task Bursts_over_udp_last_for_the_duration()
    {
        RunResult run = await RunAsync("-l Sockets -c 4 -m 10 --warmup 0.1 -d 0.3");
        Assert.InRange(run.Clients.Distributions![0].Latency.Count, 1, run.Messages.ClientReceived);
        Assert.Equal(run.Totals.Sent, run.Totals.Received);
        Assert.InRange(run.Clients.Distributions[0].Latency.Microseconds!.P50, run.LatencyMicroseconds!.Min!.Value, double.MaxValue);
    }

    private static Task<RunResult> RunAsync(string load) => ProgramInFolder.ResultAsync($"-t Burst -p 0 --any-machine --json {load}");
}
