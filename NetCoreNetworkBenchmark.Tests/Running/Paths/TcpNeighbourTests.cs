using NetCoreNetworkBenchmark.Running.Paths;

namespace NetCoreNetworkBenchmark.Tests.Running.Paths;

/// <summary>The TCP connection of another application on a path.</summary>
[Collection(nameof(HostNetwork))]
public sealed class TcpNeighbourTests
{
    // A segment of 1,448 bytes of data has 52 of IPv4 and TCP with its time stamps.
    private const double MaxGoodput = 10_000_000 * 1_448.0 / 1_500;

    // What the receiver's kernel held at the begin is counted too.
    private const double Margin = 1.1;

    private static readonly TimeSpan s_queue = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(10);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public void RoundTripOf_reads_the_microseconds_of_the_kernel()
    {
        byte[] info = new byte[TcpNeighbour.RoundTripOffset + sizeof(uint)];
        BitConverter.GetBytes(210_500u).CopyTo(info, TcpNeighbour.RoundTripOffset);
        Assert.Equal(210.5, TcpNeighbour.RoundTripOf(info).TotalMilliseconds);
    }

    [Fact]
    public void NeighbourReport_has_bits_per_second_and_percentiles()
    {
        var roundTrips = new LatencyHistogram();
        roundTrips.Record(20_000_000);
        var report = NeighbourReport.From("cubic", 1_000_000, TimeSpan.FromSeconds(2), roundTrips);
        Assert.Equal(("cubic", 4_000_000), (report.CongestionControl, report.GoodputBitsPerSecond));
        Assert.Equal(20_000, report.RoundTripMicroseconds!.P50, tolerance: 20);
        Assert.Equal(new NeighbourReport("reno", 0, null), NeighbourReport.From("reno", 0, TimeSpan.Zero, new LatencyHistogram()));
    }

    [Fact]
    public void A_report_has_a_line_of_the_neighbour()
    {
        string page = new MarkdownReport().Render(SampleResults.BesideNeighbour);
        Assert.Contains("\nTCP neighbour: 4.20 Mbit/s, round trip p50 210 ms, p99 230 ms (cubic)\n", page, StringComparison.Ordinal);
        Assert.Contains("| Packets ", page, StringComparison.Ordinal);
        Assert.DoesNotContain("neighbour", new MarkdownReport().Render(SampleResults.OpenLoop), StringComparison.OrdinalIgnoreCase);
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_neighbour_has_at_most_the_bandwidth_and_no_less_than_the_delay()
    {
        NeighbourReport report = (await MeasureAsync(long.MaxValue))!;
        Assert.Contains(
            report.CongestionControl, (string[])["cubic", (await File.ReadAllTextAsync("/proc/sys/net/ipv4/tcp_congestion_control", Token)).Trim()]);
        Assert.InRange(report.GoodputBitsPerSecond, 8_000, MaxGoodput * Margin);
        Assert.InRange(report.RoundTripMicroseconds!.P50, 2 * s_delay.TotalMicroseconds, double.MaxValue);
    }

    [Fact, Trait("Category", "Long"), Trait("Category", "Timing")]
    public async Task A_neighbour_alone_has_the_bandwidth_and_waits_no_longer_than_the_queue()
    {
        NeighbourReport report = (await MeasureAsync(long.MaxValue))!;
        Assert.InRange(report.GoodputBitsPerSecond, 0.7 * MaxGoodput, MaxGoodput * Margin);
        Assert.InRange(report.RoundTripMicroseconds!.P50, 2 * s_delay.TotalMicroseconds, Margin * ((2 * s_delay) + s_queue).TotalMicroseconds);
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_neighbour_with_a_rate_sends_no_more()
    {
        NeighbourReport report = (await MeasureAsync(bitsPerSecond: 80_000))!;
        Assert.InRange(report.GoodputBitsPerSecond, 8_000, 80_000 * Margin);
    }

    [Fact, Trait("Category", "Long")]
    public async Task A_path_has_no_neighbour_by_default() => Assert.Null(await MeasureAsync(bitsPerSecond: null, seconds: 0));

    [Theory, InlineData("Udp"), InlineData("Tcp"), Trait("Category", "Long")]
    public async Task A_run_with_a_neighbour_has_its_figures_and_leaves_nothing(string protocol)
    {
        Require();
        RunResult result = await BenchmarkProcess.AnyResultAsync(
            $"-l Sockets -P {protocol} -c 2 --rate 20 -d 1 --warmup 0.5 -p 0 --bandwidth 10mbit --queue 200ms --delay 10ms --neighbour max " +
                "--any-machine --json");
        Assert.Equal(NamespacePath.ServerAddress, result.Address);
        Assert.InRange(result.Relay!.Neighbour!.GoodputBitsPerSecond, 1, MaxGoodput * Margin);
        Assert.InRange(result.Relay.Neighbour.RoundTripMicroseconds!.P50, 2 * s_delay.TotalMicroseconds, double.MaxValue);
        Assert.Contains(" --neighbour max ", result.Command, StringComparison.Ordinal);
    }

    private static async Task<NeighbourReport?> MeasureAsync(long? bitsPerSecond, double seconds = 1)
    {
        Require();
        var impairment = new ImpairmentPlan
        {
            Delay = s_delay,
            BandwidthBitsPerSecond = 10_000_000,
            Queue = s_queue,
        };
        await using NamespacePath path = await NamespacePath.OpenAsync(impairment, Token);
        await using var relay = new PathRelay(path, clients: 1, waitsForQuiet: false, bitsPerSecond);
        await relay.BeginAsync(Token);
        await Task.Delay(TimeSpan.FromSeconds(seconds), Token);
        relay.Enter(RunPhase.Measure);
        await Task.Delay(TimeSpan.FromSeconds(2 * seconds), Token);
        relay.Enter(RunPhase.Drain);
        return (await relay.StopAsync()).Neighbour;
    }

    private static void Require()
    {
        string? missing = NamespacePath.FindMissing();
        Assert.SkipWhen(missing is not null, $"A path is not possible here: {missing}.");
    }
}
