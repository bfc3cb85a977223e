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
    private static async Task<(long Before, long After)> BeginKnownAsync(RelayedTraffic traffic, TimeSpan mostApart)
    {
        const int MostAttempts = 100;
        for (int attempt = 1; ; attempt++)
        {
            long before = Stopwatch.GetTimestamp();
            await traffic.Relay.BeginAsync();
            long after = Stopwatch.GetTimestamp();
            if (Stopwatch.GetElapsedTime(before, after) < mostApart || attempt == MostAttempts)
            {
                return (before, after);
            }
        }
    }

    private static async Task<List<Seen>> ReceiveToEndAsync(RelayedTraffic traffic)
    {
        var seen = new List<Seen>();
        for (Seen next = await traffic.ReceiveAtServerAsync(); next.Number != End; next = await traffic.ReceiveAtServerAsync())
        {
            seen.Add(next);
        }

        return seen;
    }
}
