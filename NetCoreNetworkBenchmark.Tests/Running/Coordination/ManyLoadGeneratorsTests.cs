using NetCoreNetworkBenchmark.Libraries.Sockets;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Tests.Hosts;
using NetCoreNetworkBenchmark.Tests.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

/// <summary>One coordinator with many drivers. The figures of Docs/several-hosts.md are the output of these tests.</summary>
[Collection(nameof(HostNetwork))]
[Trait("Category", "Long")]
public sealed class ManyLoadGeneratorsTests
{
    private const int Agents = 64;

    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Port = 0,
        Test = "PingPong",
        Clients = 1,
        Duration = TimeSpan.FromSeconds(1),
        WarmUp = TimeSpan.FromSeconds(1),
    };

    [Fact]
    public async Task Sixty_four_agents_connect_run_in_step_and_are_merged()
    {
        RunPlan together = s_plan with { Clients = Agents };
        var participants = new ParticipantGroup
        {
            Server = new ServerAgent(together, new AgentSource(() => Start(AgentRole.Server)), credentials: null),
            LoadGenerators = [.. Enumerable.Range(0, Agents).Select(_ => new LoadGeneratorAgent(s_plan, new AgentSource(() => Start(AgentRole.Client))))],
        };
        long start = Stopwatch.GetTimestamp();
        Run run = await new Run(together, new SocketsBenchmark().Info, new PingPong(), participants).OpenAsync(TestContext.Current.CancellationToken);
        await using (run)
        {
            TimeSpan connected = Stopwatch.GetElapsedTime(start);
            await run.LoadAsync(TestContext.Current.CancellationToken);
            RunResult result = await run.FinishAsync();
            Assert.Equal(Agents, result.LoadGenerators!.Count);
            Assert.Equal(result.Messages.ClientReceived, result.LoadGenerators.Sum(driver => driver.Messages));
            Assert.Equal(result.Messages.ClientReceived, HistogramCodec.Decode(result.Clients.Latency.Histogram!).Count);
            Assert.Equal(result.Totals.Sent, result.Totals.Received);
            TimeSpan whole = Stopwatch.GetElapsedTime(start);
            TestContext.Current.TestOutputHelper!.WriteLine(FormattableString.Invariant(
                $"{Agents} agents: connected after {connected.TotalMilliseconds:N0} ms, the whole run {whole.TotalMilliseconds:N0} ms"));
        }
    }

    [Theory]
    [InlineData(4)]
    [InlineData(64)]
    [InlineData(400)]
    [InlineData(4_000)]
    public void Merge_keeps_all_counts_of_many_load_generators(int drivers)
    {
        ClientReport report = ReportOfOneDriver();
        ClientReport[] reports = [.. Enumerable.Repeat(report, drivers)];
        int bytes = JsonSerializer.SerializeToUtf8Bytes(new ResultFrame { Clients = report }, FrameJson.Default.Frame).Length;
        long start = Stopwatch.GetTimestamp();
        ClientReport merged = ClientReport.Merge(reports);
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        Assert.Equal(drivers * report.Measured.ClientReceived, merged.Measured.ClientReceived);
        Assert.Equal(drivers * HistogramCodec.Decode(report.Latency.Histogram!).Count, HistogramCodec.Decode(merged.Latency.Histogram!).Count);
        TestContext.Current.TestOutputHelper!.WriteLine(FormattableString.Invariant(
            $"{drivers} drivers: a result of {bytes:N0} bytes each, merged in {time.TotalMilliseconds:N1} ms, {time.TotalMicroseconds / drivers:N0} µs each"));
    }

    [Fact]
    public async Task All_signs_of_life_of_a_long_run_arrive_in_their_order()
    {
        const int Frames = 10_000;
        await using var pair = new ChannelPair();
        _ = pair.Other;
        long start = Stopwatch.GetTimestamp();
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        for (int number = 1; number <= Frames; number++)
        {
            var progress = new RunProgress(RunPhase.Measure, TimeSpan.FromSeconds(number), TimeSpan.FromSeconds(Frames), number);
            pair.Here.Send(new ProgressFrame(progress));
            Frame arrived = await pair.Other.ReceiveAsync(ChannelPair.Deadline, TestContext.Current.CancellationToken);
            Assert.Equal(new ProgressFrame(progress), arrived);
        }

        TestContext.Current.TestOutputHelper!.WriteLine(FormattableString.Invariant(
            $"A frame with its acknowledgement: {Stopwatch.GetElapsedTime(start).TotalMicroseconds / Frames:N0} µs, ") +
            FormattableString.Invariant($"{(Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / Frames:N0} µs CPU of both ends"));
    }

    private static AgentProcess Start(AgentRole role) => new(role, new ProcessStartInfo("dotnet", [typeof(Catalog).Assembly.Location, AgentProgram.Option]));

    // Latencies between 20 µs and 20 ms, as many different ones as a run of some seconds has.
    private static ClientReport ReportOfOneDriver()
    {
        const int Messages = 200_000;
        var histogram = new LatencyHistogram();
        var random = new Random(1);
        for (int message = 0; message < Messages; message++)
        {
            histogram.Record((long)(20_000 * Math.Pow(1_000, random.NextDouble() * random.NextDouble())));
        }

        return SampleFrames.Clients with
        {
            Measured = new MessageCounters { ClientReceived = Messages, ClientSent = Messages },
            Latency = LatencyReport.Of(histogram),
            Reconnections = null,
            Parts = [],
            Distributions = [],
            ReceivedByClient = null,
            Uncorrected = null,
        };
    }
}
