namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>
/// The times at which the bytes of a stream leave the relay. They are never too early, on any machine. A busy machine can only add delay, so tests for
/// lateness have several attempts.
/// </summary>
public sealed class StreamRelayTimeTests
{
    private const int MaxAttempts = 10;
    private const int End = int.MaxValue;

    [Theory, InlineData(5, 2), InlineData(1, 5)]
    public async Task No_byte_arrives_earlier_than_the_delay_less_the_jitter_or_before_its_predecessor(int delay, int jitter)
    {
        const int Count = 200;
        await using var streams = new RelayedStreams(
            new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(delay), Jitter = TimeSpan.FromMilliseconds(jitter) });
        using StreamPair pair = streams.Connect();
        Task<List<Seen>> receiving = ReceiveToEndAsync(pair);
        var sent = new List<long>();
        while (sent.Count < Count)
        {
            Send(pair, sent);
            await Task.Delay(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken);
        }

        SendEnd(pair);
        List<Seen> seen = await receiving;
        double[] took = [.. seen.Zip(sent, (number, at) => Stopwatch.GetElapsedTime(at, number.At).TotalMilliseconds)];
        Assert.Equal(Enumerable.Range(0, Count), seen.Select(number => number.Number));
        Assert.All(took, milliseconds => Assert.InRange(milliseconds, Math.Max(0, delay - jitter), double.MaxValue));
        Assert.InRange(took.Max() - took.Min(), jitter / 2.0, double.MaxValue);
    }

    [Fact]
    public async Task Nothing_leaves_during_a_stall_and_what_came_meanwhile_leaves_in_order()
    {
        // On a busy machine it may be unknown which messages arrived during a stall.
        int stalled = 0;
        for (int attempt = 0; attempt < MaxAttempts && stalled == 0; attempt++)
        {
            stalled = await SendThroughStallsAsync();
        }

        Assert.NotEqual(0, stalled);
    }

    [Fact]
    public async Task Bandwidth_takes_its_time_for_every_segment() => Assert.InRange(await FillLineAsync(), 1, double.MaxValue);

    [Fact]
    [Trait("Category", "Timing")]
    public async Task Bandwidth_takes_its_time_for_every_segment_and_no_more()
    {
        const double Tolerance = 1.05;
        double min = double.MaxValue;
        for (int attempt = 0; attempt < MaxAttempts && min > Tolerance; attempt++)
        {
            min = Math.Min(min, await FillLineAsync());
        }

        Assert.InRange(min, 1, Tolerance);
    }

    [Fact]
    public async Task The_queue_of_a_full_line_is_bounded_for_all_connections_together()
    {
        // The line's queue holds at least 64 KiB; a second at this rate is less.
        const int Size = 1_000_000;
        const int MinQueue = 64 * 1024;
        const int OneRead = 64 * 1024;
        await using var streams = new RelayedStreams(new ImpairmentPlan { BandwidthBitsPerSecond = 400_000 });
        using StreamPair first = streams.Connect();
        using StreamPair second = streams.Connect();
        await streams.Relay.BeginAsync();
        Fill(first.Client, Size);
        Fill(second.Client, Size);
        await Wait.UntilAsync(async () => (await streams.Relay.CountAsync()).ToServer.Stream!.ForwardedBytes > 10_000, "some has passed");
        RelayStreamCounts counts = (await streams.Relay.CountAsync()).ToServer.Stream!;
        Assert.InRange(counts.LongestQueue, MinQueue / 2, MinQueue + OneRead);
        Assert.InRange(counts.Bytes, counts.ForwardedBytes, counts.ForwardedBytes + MinQueue + OneRead);
    }

    // How many times as long as computed the bytes take at the line's rate.
    private static async Task<double> FillLineAsync()
    {
        const int Size = 500_000;
        const long BitsPerSecond = 20_000_000;
        const int HeaderBytes = 40;
        await using var streams = new RelayedStreams(new ImpairmentPlan { BandwidthBitsPerSecond = BitsPerSecond });
        using StreamPair pair = streams.Connect();
        await streams.Relay.BeginAsync();
        long start = Stopwatch.GetTimestamp();
        pair.Client.Send(new byte[Size]);
        Assert.Equal(Size, RelayedStreams.Receive(pair.Server, Size).Length);
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        RelayDirectionCounts counts = (await streams.CountAtRestAsync()).ToServer;
        double computed = (counts.Stream!.Bytes + (HeaderBytes * counts.Received)) * 8.0 / BitsPerSecond;
        Assert.InRange(counts.Received, Math.Ceiling(Size / 1_460.0), Size);
        Assert.InRange(seconds, computed, double.MaxValue);
        return seconds / computed;
    }

    // The number of messages that were certainly sent during a stall.
    private static async Task<int> SendThroughStallsAsync()
    {
        var stall = new Interruption(TimeSpan.FromMilliseconds(60), TimeSpan.FromMilliseconds(100));
        await using var streams = new RelayedStreams(new ImpairmentPlan { Stall = stall });
        using StreamPair pair = streams.Connect();
        long before = Stopwatch.GetTimestamp();
        await streams.Relay.BeginAsync();
        long after = Stopwatch.GetTimestamp();
        Task<List<Seen>> receiving = ReceiveToEndAsync(pair);
        var sent = new List<long>();
        while (Stopwatch.GetElapsedTime(after) < stall.Period * 4.5)
        {
            Send(pair, sent);
            await Task.Delay(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken);
        }

        SendEnd(pair);
        List<Seen> seen = await receiving;
        (long Left, long End)[] stalled =
        [
            .. seen.Zip(sent, (number, at) => (number.At, StallTimes.EndOf(at, before, after, stall) ?? 0)).Where(both => both.Item2 > 0),
        ];
        Assert.Equal(Enumerable.Range(0, sent.Count), seen.Select(number => number.Number));
        Assert.All(
            stalled, both => Assert.True(both.Left >= both.End, $"One left {Stopwatch.GetElapsedTime(both.Left, both.End)} before the end of its stall."));
        Assert.True((await streams.Relay.CountAsync()).Stalls >= 4);
        return stalled.Length;
    }

    // Passes the given number of bytes to the system, or as many as it accepts.
    private static void Fill(Socket socket, int bytes)
    {
        socket.Blocking = false;
        byte[] piece = new byte[10_000];
        SocketError error = SocketError.Success;
        for (int sent = 0; sent < bytes && error == SocketError.Success;)
        {
            sent += socket.Send(piece, SocketFlags.None, out error);
        }
    }

    private static void Send(StreamPair pair, List<long> sent)
    {
        byte[] bytes = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, sent.Count);
        sent.Add(Stopwatch.GetTimestamp());
        pair.Client.Send(bytes);
    }

    private static void SendEnd(StreamPair pair)
    {
        byte[] bytes = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, End);
        pair.Client.Send(bytes);
    }

    private static Task<List<Seen>> ReceiveToEndAsync(StreamPair pair) => Task.Run(
        () =>
        {
            var seen = new List<Seen>();
            for (int number = Next(pair); number != End; number = Next(pair))
            {
                seen.Add(new Seen(number, Intact: true, Stopwatch.GetTimestamp()));
            }

            return seen;
        },
        TestContext.Current.CancellationToken);

    private static int Next(StreamPair pair) => BinaryPrimitives.ReadInt32LittleEndian(RelayedStreams.Receive(pair.Server, sizeof(int)));
}

/// <summary>The accuracy of a delay. No other test may run at the same time.</summary>
[Collection(nameof(TruthTests))]
[Trait("Category", "Timing")]
public sealed class StreamRelayDelayTests
{
    private const int MaxAttempts = 60;

    [Fact]
    public async Task The_delay_is_exact_to_a_tenth_of_a_millisecond_each_way()
    {
        const double Delay = 3;
        const double Tolerance = 0.1;
        await using var without = new RelayedStreams(new ImpairmentPlan());
        await using var with = new RelayedStreams(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(Delay) });
        using StreamPair undelayedPair = without.Connect();
        using StreamPair delayedPair = with.Connect();
        (double undelayed, double delayed) = (double.MaxValue, double.MaxValue);
        for (int attempt = 0; attempt < MaxAttempts && (attempt == 0 || delayed - undelayed - Delay > Tolerance); attempt++)
        {
            // A busy machine can only add delay, so the least of several medians is the most accurate.
            undelayed = Math.Min(undelayed, MedianOneWay(undelayedPair));
            double median = MedianOneWay(delayedPair);
            Assert.InRange(median, Delay, double.MaxValue);
            delayed = Math.Min(delayed, median);
        }

        TestContext.Current.TestOutputHelper?.WriteLine(FormattableString.Invariant($"one way {delayed:0.000} ms, undelayed {undelayed:0.000} ms"));
        Assert.InRange(delayed - undelayed - Delay, -Tolerance, Tolerance);
    }

    // The milliseconds from a send to the receive at the other end of the relay.
    private static double MedianOneWay(StreamPair pair)
    {
        const int Count = 21;
        var took = new List<double>();
        for (int number = 0; number < Count; number++)
        {
            (Socket sender, Socket receiver) = number % 2 == 0 ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
            long start = Stopwatch.GetTimestamp();
            sender.Send([1]);
            Assert.Single(RelayedStreams.Receive(receiver, 1));
            took.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        return took.Order().ElementAt(Count / 2);
    }
}

/// <summary>The times at which a relay stalls, as far as a test can determine them.</summary>
internal static class StallTimes
{
    /// <summary>
    /// The end of the stall in which something was certainly sent, for any time between the two at which the relay may have begun its
    /// impairment.
    /// </summary>
    /// <returns>Null if it may have been sent outside of a stall.</returns>
    public static long? EndOf(long sent, long before, long after, Interruption stall)
    {
        double ticks = Stopwatch.Frequency;
        long number = (long)((sent - after) / (stall.Period.TotalSeconds * ticks));
        long begin = (long)(number * stall.Period.TotalSeconds * ticks);
        long end = begin + (long)(stall.Length.TotalSeconds * ticks);
        return number >= 1 && sent < before + end ? before + end : null;
    }
}

/// <summary>
/// A connection that only waits does not keep the relay's thread awake. The system reports a socket whose peer is gone again and again,
/// for any events that it is watched for.
/// </summary>
public sealed class StreamRelayIdleTests
{
    // A thread that does not sleep makes a turn within some microseconds; a sleeping thread wakes only for its ticks.
    private const long MaxTurns = 1_000;
    private static readonly TimeSpan s_observed = TimeSpan.FromMilliseconds(300);

    [Fact]
    public Task One_that_has_ended_on_one_side() => StaysAsleepAsync(new ImpairmentPlan(), pair =>
    {
        pair.Client.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedStreams.Receive(pair.Server, 1));
    });

    [Fact]
    public Task One_whose_receiver_does_not_read() => StaysAsleepAsync(new ImpairmentPlan(), pair => Fill(pair.Client));

    [Fact]
    public Task One_whose_sender_is_gone_and_whose_receiver_does_not_read() => StaysAsleepAsync(new ImpairmentPlan(), pair =>
    {
        EndFromServer(pair);
        Fill(pair.Client);
        pair.Client.Dispose();
    });

    [Fact]
    public Task One_whose_end_is_still_on_its_way() => StaysAsleepAsync(new ImpairmentPlan { Delay = TimeSpan.FromSeconds(1) }, pair =>
    {
        EndFromServer(pair);
        pair.Client.Send(new byte[100]);
        pair.Client.Dispose();
    });

    private static void EndFromServer(StreamPair pair)
    {
        pair.Server.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedStreams.Receive(pair.Client, 1));
    }

    // Passes bytes to the system until both the relay and the sockets' buffers are full.
    private static void Fill(Socket socket)
    {
        socket.Blocking = false;
        byte[] piece = new byte[256 * 1024];
        for (bool isTaken = true; isTaken;)
        {
            isTaken = socket.Poll(TimeSpan.FromMilliseconds(200), SelectMode.SelectWrite);
            socket.Send(piece, SocketFlags.None, out _);
        }
    }

    private static async Task StaysAsleepAsync(ImpairmentPlan plan, Action<StreamPair> arrange)
    {
        await using var relay = new StreamRelayLoop(plan);
        var turns = new Turns();
        await relay.OnLoopAsync(() => relay.Loop.Add(turns));
        using StreamPair pair = relay.Connect();
        arrange(pair);
        long before = turns.Count;
        await Task.Delay(s_observed, TestContext.Current.CancellationToken);
        Assert.InRange(turns.Count - before, 0, MaxTurns);
    }

    /// <summary>Counts how often a loop checks for due work, which it does before every wait.</summary>
    private sealed class Turns : IDueWork
    {
        private long _count;

        public long Count => Interlocked.Read(ref _count);

        public long NextDue
        {
            get
            {
                Interlocked.Increment(ref _count);
                return long.MaxValue;
            }
        }

        public void OnDue(long now) => throw new UnreachableException();
    }
}
