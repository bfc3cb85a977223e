namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>
/// Open loops whose server stands still over a border of the measurement. What is asserted follows from the schedule and from the order of messages, and not
/// from the speed of the machine.
/// </summary>
public sealed class OpenLoopBorderTests
{
    private const int Rate = 200;
    private const int MessageSize = 32;
    private const double Seconds = 1.5;

    [Fact, Trait("Category", "Long")]
    public async Task Answers_that_come_after_the_end_are_in_every_figure_of_the_measurement()
    {
        // The warm-up has at most a fifth of these.
        const int HeldFrom = Rate / 2;
        await using var echo = new HoldingEcho(HeldFrom * MessageSize, long.MaxValue);
        RunResult result = await RunAsync(echo, "--warmup 0.1 --iterations 3");
        long inTime = HeldFrom;
        AssertOnSchedule(result);

        // All others waited until a second after the last message.
        LatencyHistogram latencies = HistogramCodec.Decode(result.Clients.Latency.Histogram!);
        long late = latencies.RecordedBuckets().Where(bucket => bucket.Highest >= HoldingEcho.Quiet.TotalMilliseconds * 1_000_000).Sum(bucket => bucket.Count);
        Assert.InRange(late, result.Messages.ClientReceived - inTime, result.Messages.ClientReceived);
        Assert.True(result.LatencyMicroseconds!.P99 >= HoldingEcho.Quiet.TotalMicroseconds, $"p99 is {result.LatencyMicroseconds.P99} µs");
        Assert.InRange(result.Clients.Timeline!.P99Microseconds![^2], HoldingEcho.Quiet.TotalMicroseconds, double.MaxValue);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Answers_to_messages_of_the_warm_up_are_not_in_the_measurement()
    {
        // A warm-up whose rate is not steady takes its whole time. Its messages are answered when the measurement has begun.
        const double WarmUp = 0.5;
        const int MessagesOfWarmUp = (int)(Rate * WarmUp);
        await using var echo = new HoldingEcho(10 * MessageSize, (MessagesOfWarmUp + 20) * MessageSize);
        RunResult result = await RunAsync(echo, string.Create(CultureInfo.InvariantCulture, $"--warmup {WarmUp} --iterations 3"));
        AssertOnSchedule(result);
        Assert.InRange(result.Totals.Received, result.Messages.ClientReceived + MessagesOfWarmUp - 2, long.MaxValue);
    }

    private static void AssertOnSchedule(RunResult result)
    {
        // The ends of an interval may lie on both sides of a message.
        double due = Rate * result.DurationSeconds;
        Assert.InRange(result.Messages.ClientReceived, due - 2, due + 2);
        Assert.Equal((result.Messages.ClientReceived, 0), (result.Messages.ClientSent, result.Lost));
        Assert.Equal(result.Messages.ClientReceived, HistogramCodec.Decode(result.Clients.Latency.Histogram!).Count);
        Assert.Equal(result.Messages.ClientReceived, result.Clients.Timeline!.Messages!.Sum());
        Assert.Equal(result.Messages.ClientReceived, result.Clients.Iterations.Sum(iteration => iteration.Messages));
        Assert.All(result.Clients.Iterations, iteration => Assert.InRange(iteration.Messages, (Rate * iteration.Seconds) - 2, (Rate * iteration.Seconds) + 2));
        Assert.Equal(Rate, result.Schedule!.SentPerSecond, tolerance: 3.0);
    }

    private static Task<RunResult> RunAsync(HoldingEcho echo, string options) => BenchmarkProcess.AnyResultAsync(FormattableString.Invariant(
        $"--role Client -l Sockets -P Tcp -p {echo.Port} -c 4 -s {MessageSize} --rate {Rate} -d {Seconds} {options} --any-machine --json"));
}

/// <summary>
/// A server that sends back what it receives, but holds back the answers from one message on: until another message arrives, or until nothing has arrived for
/// a second. So it does not depend on the speed of the machine which answers are late.
/// </summary>
internal sealed class HoldingEcho(long holdFrom, long holdTo) : TcpServer
{
    /// <summary>The time without a message after which answers are no longer held back.</summary>
    public static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);

    private TaskCompletionSource _release = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _bytes;

    protected override async Task ServeAsync(NetworkStream connection)
    {
        byte[] buffer = new byte[1 << 16];
        var held = new Queue<byte[]>();
        Task<int> reading = connection.ReadAsync(buffer, Stopping).AsTask();
        while (true)
        {
            Task release = Volatile.Read(ref _release).Task;
            if (await Task.WhenAny(reading, release) == reading)
            {
                int count = await reading;
                if (count == 0)
                {
                    return;
                }

                held.Enqueue(buffer[..count]);
                Received(count);
                reading = connection.ReadAsync(buffer, Stopping).AsTask();
            }

            while (!IsHolding(release) && held.TryDequeue(out byte[]? answer))
            {
                await connection.WriteAsync(answer, Stopping);
            }
        }
    }

    private bool IsHolding(Task release) => !release.IsCompleted && Interlocked.Read(ref _bytes) is var bytes && bytes >= holdFrom && bytes < holdTo;

    private void Received(int count)
    {
        if (Interlocked.Add(ref _bytes, count) >= holdTo)
        {
            Volatile.Read(ref _release).TrySetResult();
        }
    }

    protected override async Task BesideAsync()
    {
        for (long before = -1; true; before = Interlocked.Read(ref _bytes))
        {
            await Task.Delay(Quiet, Stopping);
            if (before == Interlocked.Read(ref _bytes) && before >= holdFrom)
            {
                Volatile.Read(ref _release).TrySetResult();
                Volatile.Write(ref _release, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            }
        }
    }
}
