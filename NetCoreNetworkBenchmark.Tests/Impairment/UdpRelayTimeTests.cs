namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The times at which datagrams leave the relay. They are never too early, on any machine.</summary>
public sealed class UdpRelayTimeTests
{
    private const int End = int.MaxValue;

    [Theory, InlineData(5, 0), InlineData(5, 2), InlineData(1, 5)]
    public async Task No_datagram_arrives_earlier_than_the_delay_less_the_jitter_or_before_its_predecessor(int delay, int jitter)
    {
        const int Count = 200;
        await using var traffic = new RelayedTraffic(new ImpairmentPlan
        {
            Delay = TimeSpan.FromMilliseconds(delay),
            Jitter = TimeSpan.FromMilliseconds(jitter),
        });
        var sent = new long[Count];
        for (int number = 0; number < Count; number++)
        {
            sent[number] = Stopwatch.GetTimestamp();
            await traffic.SendAsync(number);
        }

        for (int number = 0; number < Count; number++)
        {
            Seen seen = await traffic.ReceiveAtServerAsync();
            Assert.Equal(number, seen.Number);
            TimeSpan took = Stopwatch.GetElapsedTime(sent[number], seen.At);
            Assert.True(took >= TimeSpan.FromMilliseconds(Math.Max(0, delay - jitter)), $"Number {number} took only {took}.");
        }
    }

    [Fact]
    public async Task The_delay_holds_each_way()
    {
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(4) });
        long start = Stopwatch.GetTimestamp();
        await traffic.BeginAsync();
        TimeSpan toServer = Stopwatch.GetElapsedTime(start);
        start = Stopwatch.GetTimestamp();
        await traffic.ToClientAsync(1);
        Assert.All([toServer, Stopwatch.GetElapsedTime(start)], took => Assert.True(took >= TimeSpan.FromMilliseconds(4), $"It took only {took}."));
    }

    [Fact]
    public async Task Nothing_leaves_during_a_stall_and_what_came_meanwhile_leaves_in_order()
    {
        var stall = new Interruption(TimeSpan.FromMilliseconds(60), TimeSpan.FromMilliseconds(100));
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { Stall = stall });
        (long before, long after) = await BeginKnownAsync(traffic, stall.Length / 2);
        Task<List<Seen>> receiving = ReceiveToEndAsync(traffic);
        var sent = new List<long>();
        while (Stopwatch.GetElapsedTime(after) < stall.Period * 4.5)
        {
            sent.Add(Stopwatch.GetTimestamp());
            await traffic.SendAsync(sent.Count - 1);
            await Task.Delay(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken);
        }

        await traffic.SendAsync(End);
        List<Seen> seen = await receiving;
        (long Left, long End)[] stalled =
        [
            .. seen.Zip(sent, (datagram, at) => (datagram.At, StallTimes.EndOf(at, before, after, stall) ?? 0)).Where(pair => pair.Item2 > 0),
        ];
        Assert.Equal(Enumerable.Range(0, sent.Count), seen.Select(datagram => datagram.Number));
        Assert.NotEmpty(stalled);
        Assert.All(
            stalled, pair => Assert.True(pair.Left >= pair.End, $"One left {Stopwatch.GetElapsedTime(pair.Left, pair.End)} before the end of its stall."));
        Assert.True((await traffic.Relay.CountAsync()).Stalls >= 4);
    }

    [Fact]
    public async Task Bandwidth_takes_its_time_for_every_datagram()
    {
        const int Count = 50;
        const long BitsPerSecond = 400_000;
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { BandwidthBitsPerSecond = BitsPerSecond });
        long start = Stopwatch.GetTimestamp();
        foreach (int number in Enumerable.Range(0, Count))
        {
            await traffic.SendAsync(number);
        }

        int headers = 28;
        double computed = (RelayedTraffic.Numbered(0).Length + headers) * 8.0 / BitsPerSecond;
        for (int number = 0; number < Count; number++)
        {
            Seen seen = await traffic.ReceiveAtServerAsync();
            Assert.Equal(number, seen.Number);
            Assert.True(Stopwatch.GetElapsedTime(start, seen.At).TotalSeconds >= (number + 1) * computed, $"Number {number} came too early.");
        }
    }

    // The impairment began between the two times. On a busy machine they may be too far apart to decide whether a datagram met a stall.
    private static async Task<(long Before, long After)> BeginKnownAsync(RelayedTraffic traffic, TimeSpan maxDifference)
    {
        const int MaxAttempts = 100;
        for (int attempt = 1; ; attempt++)
        {
            long before = Stopwatch.GetTimestamp();
            await traffic.Relay.BeginAsync();
            long after = Stopwatch.GetTimestamp();
            if (Stopwatch.GetElapsedTime(before, after) < maxDifference || attempt == MaxAttempts)
            {
                return (before, after);
            }
        }
    }

    private static async Task<List<Seen>> ReceiveToEndAsync(RelayedTraffic traffic)
    {
        var datagrams = new List<Seen>();
        for (Seen next = await traffic.ReceiveAtServerAsync(); next.Number != End; next = await traffic.ReceiveAtServerAsync())
        {
            datagrams.Add(next);
        }

        return datagrams;
    }
}

public sealed class KernelDropsTests
{
    [Fact]
    public void Of_counts_where_the_kernel_reports_it_and_is_null_where_it_does_not_know_the_option()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The option is Linux' own.");
        const int NoSuchOption = 9_999;
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        Assert.Equal(0, KernelDrops.Read(socket) ?? 0);
        Assert.Null(KernelDrops.Read(socket, NoSuchOption));
    }
}

/// <summary>A datagram as it left the relay.</summary>
/// <param name="Number">The number that most parts of the datagram contain.</param>
/// <param name="Intact">Whether every byte is as it was sent.</param>
/// <param name="At">The time of its arrival (<see cref="Stopwatch.GetTimestamp"/>).</param>
internal sealed record Seen(int Number, bool Intact, long At);

/// <summary>A relay with a client's socket on one side and the server's on the other, and numbered datagrams to send through it.</summary>
internal sealed class RelayedTraffic : IAsyncDisposable
{
    // Small enough to overflow no socket buffer.
    private const int Window = 50;
    private const int Parts = 5;
    private readonly RunRecorder _recorder = new();
    private readonly Socket _client = Bind();
    private readonly Socket _server = Bind();
    private EndPoint? _clientAtServer;

    public RelayedTraffic(ImpairmentPlan impairment)
    {
        Relay = Relay.Start(SetupOf(ServerEndPoint, _recorder, impairment));
        _client.Connect(Relay.EndPoint);
    }

    public static TimeSpan Deadline => TimeSpan.FromSeconds(60);

    public Relay Relay { get; }
    public IPEndPoint ServerEndPoint => (IPEndPoint)_server.LocalEndPoint!;

    public static RelaySetup SetupOf(IPEndPoint server, RunRecorder recorder, ImpairmentPlan? impairment = null) =>
        Setups.OfRelay(server, recorder, impairment);

    public static Socket Bind()
    {
        Socket socket = Setups.BoundUdp();
        socket.ReceiveBufferSize = 1 << 20;
        return socket;
    }

    /// <summary>A number, repeated so that one changed byte does not hide it.</summary>
    public static byte[] Numbered(int number)
    {
        byte[] datagram = new byte[Parts * sizeof(int)];
        for (int part = 0; part < Parts; part++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(datagram.AsSpan(part * sizeof(int)), number);
        }

        return datagram;
    }

    /// <summary>Makes the client known to the server, so that it can answer.</summary>
    public async Task SendHelloAsync()
    {
        await _client.SendAsync(Numbered(0));
        SocketReceiveFromResult greeting = await Bounded(token => _server.ReceiveFromAsync(new byte[64], SocketFlags.None, ServerEndPoint, token));
        _clientAtServer = greeting.RemoteEndPoint;
    }

    public async Task BeginAsync()
    {
        await SendHelloAsync();
        await Relay.BeginAsync();
    }

    /// <summary>Sends datagrams to the server, window by window, while the impairment is on.</summary>
    public Task<List<Seen>> ToServerAsync(int count) => CarryAsync(count, SendAsync, _server, counts => counts.ToServer);

    /// <summary>Sends datagrams to the client, window by window, while the impairment is on.</summary>
    public Task<List<Seen>> ToClientAsync(int count) =>
        CarryAsync(count, number => _server.SendToAsync(Numbered(number), _clientAtServer!), _client, counts => counts.ToClients);

    public Task SendAsync(int number) => _client.SendAsync(Numbered(number));

    public Task<Seen> ReceiveAtServerAsync() => ReceiveAsync(_server);

    /// <summary>The counts of one direction, read when none of its datagrams is in flight any more.</summary>
    public async Task<RelayDirectionCounts> CountAtRestAsync(long received, Func<RelayCounts, RelayDirectionCounts> direction)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            RelayDirectionCounts counts = direction(await Relay.CountAsync());
            long arrived = counts.Received + counts.Duplicated;
            if (counts.Received == received && arrived == counts.Forwarded + counts.Dropped + counts.Overflowed)
            {
                return counts;
            }

            Assert.True(Stopwatch.GetElapsedTime(start) < Deadline, $"Not at rest after {received} datagrams: {counts}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Relay.DisposeAsync();
        _client.Dispose();
        _server.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }

    // The window is over when the relay has counted all of its datagrams, and all forwarded datagrams have been received.
    private async Task<List<Seen>> CarryAsync(int count, Func<int, Task> send, Socket receiver, Func<RelayCounts, RelayDirectionCounts> direction)
    {
        var datagrams = new List<Seen>();
        for (int sent = 0; sent < count;)
        {
            for (int number = 0; number < Window && sent < count; number++)
            {
                await send(sent++);
            }

            RelayDirectionCounts counts = await CountAtRestAsync(sent, direction);
            while (datagrams.Count < counts.Forwarded)
            {
                datagrams.Add(await ReceiveAsync(receiver));
            }
        }

        Assert.Equal(0, receiver.Available);
        return datagrams;
    }

    private static async Task<Seen> ReceiveAsync(Socket receiver)
    {
        byte[] buffer = new byte[RunPlan.LargestDatagram];
        int length = await Bounded(token => receiver.ReceiveAsync(buffer, token));
        long now = Stopwatch.GetTimestamp();
        Assert.Equal(Parts * sizeof(int), length);
        int[] parts = [.. Enumerable.Range(0, Parts).Select(part => BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(part * sizeof(int))))];
        IGrouping<int, int> most = parts.GroupBy(part => part).MaxBy(group => group.Count())!;
        Assert.True(most.Count() >= Parts - 1, "More than one byte was changed.");
        int changed = buffer.Take(length).Zip(Numbered(most.Key)).Count(pair => pair.First != pair.Second);
        Assert.True(changed <= 1, "More than one byte was changed.");
        return new Seen(most.Key, changed == 0, now);
    }

    private static async Task<T> Bounded<T>(Func<CancellationToken, ValueTask<T>> receive)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        deadline.CancelAfter(Deadline);
        return await receive(deadline.Token);
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
        long end = (long)(number * stall.Period.TotalSeconds * ticks) + (long)(stall.Length.TotalSeconds * ticks);
        return number >= 1 && sent < before + end ? before + end : null;
    }
}
