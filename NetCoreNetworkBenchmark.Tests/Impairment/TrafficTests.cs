namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The effects of the impairments on traffic, with a clock that the test sets.</summary>
public sealed partial class TrafficTests
{
    private static readonly long s_millisecond = Stopwatch.Frequency / 1_000;
    private readonly List<int> _left = [];
    private long _now = Stopwatch.Frequency;

    [Fact]
    public void A_datagram_leaves_after_the_delay_and_not_before()
    {
        Traffic traffic = new(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(5) });
        Arrive(FlowOf(traffic), 1);
        Assert.Equal(_now + (5 * s_millisecond), traffic.DelayQueue.NextDue);
        Pass(traffic, 4);
        Assert.Empty(_left);
        Pass(traffic, 1);
        Assert.Equal([1], _left);
    }

    [Fact]
    public void Jitter_spreads_the_delay_but_keeps_the_order_of_one_client()
    {
        Traffic traffic = new(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(5), Jitter = TimeSpan.FromMilliseconds(5) });
        DatagramFlow[] clients = [FlowOf(traffic), FlowOf(traffic)];
        for (int number = 0; number < 1_000; number++)
        {
            Arrive(clients[number % 2], number);
            Pass(traffic, 1);
        }

        Pass(traffic, 10);
        Assert.Equal(Enumerable.Range(0, 1_000), _left.Order());
        Assert.NotEqual(Enumerable.Range(0, 1_000), _left);
        Assert.All([0, 1], client => Assert.Equal(_left.Where(number => number % 2 == client).Order(), _left.Where(number => number % 2 == client)));
    }

    [Theory, InlineData(1), InlineData(7)]
    public void Begin_starts_the_jitter_again(int datagramsBefore)
    {
        long DelayAfter(int count)
        {
            Traffic traffic = new(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(50), Jitter = TimeSpan.FromMilliseconds(50) });
            Array.ForEach([.. Enumerable.Range(0, count)], number => Arrive(FlowOf(traffic), number));
            Pass(traffic, 101);
            traffic.Begin(_now);
            Arrive(FlowOf(traffic), count);
            return traffic.DelayQueue.NextDue - _now;
        }

        Assert.Equal(DelayAfter(0), DelayAfter(datagramsBefore));
    }

    [Fact]
    public void Stalls_come_at_the_end_of_every_period_and_hold_both_directions()
    {
        Traffic traffic = Begun(new ImpairmentPlan { Stall = new Interruption(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100)) });
        for (int millisecond = 0; millisecond < 300; millisecond++)
        {
            Arrive(FlowOf(traffic), millisecond);
            Arrive(new DatagramFlow(traffic.ToClients, Leave), -millisecond);
            Pass(traffic, 0);
            int stalled = millisecond >= 100 && millisecond % 100 < 20 ? (millisecond % 100) + 1 : 0;
            Assert.Equal(2 * (millisecond + 1 - stalled), _left.Count);
            _now += s_millisecond;
        }

        Assert.Equal((2, 3), (traffic.DelayQueue.Stalls.CountAt(_now - 1), traffic.DelayQueue.Stalls.CountAt(_now)));
        Assert.Equal(Enumerable.Range(0, 300).Order(), _left.Where((_, index) => index % 2 == 0));
    }

    [Fact]
    public void End_lets_go_what_a_stall_or_a_hold_kept()
    {
        Traffic traffic = Begun(new ImpairmentPlan { Reorder = 1, Stall = new Interruption(TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(100)) });
        _now += 110 * s_millisecond;
        DatagramFlow client = FlowOf(traffic);
        Array.ForEach([.. Enumerable.Range(0, 3)], number => Arrive(client, number));
        Pass(traffic, 1);
        Assert.Empty(_left);
        traffic.End(_now);
        Pass(traffic, 0);
        Assert.Equal([1, 0, 2], _left);
        Assert.Equal((1, 1), (traffic.ToServer.Count(null).Reordered, traffic.DelayQueue.Stalls.CountAt(_now + Stopwatch.Frequency)));
    }

    [Fact]
    public void A_held_datagram_is_overtaken_by_the_next_of_its_own_client_only()
    {
        Traffic traffic = Begun(new ImpairmentPlan { Reorder = 1 });
        DatagramFlow first = FlowOf(traffic);
        DatagramFlow second = FlowOf(traffic);
        Arrive(first, 10);
        Arrive(second, 20);
        Arrive(first, 11);
        Pass(traffic, 0);
        Assert.Equal([11, 10], _left);
        Pass(traffic, 9);
        Assert.Equal([11, 10], _left);
        Pass(traffic, 1);
        Assert.Equal([11, 10, 20], _left);
        Assert.Equal(1, traffic.ToServer.Count(null).Reordered);
    }

    [Fact]
    public void A_second_hold_of_the_same_client_has_a_time_of_its_own()
    {
        Traffic traffic = Begun(new ImpairmentPlan { Reorder = 1 });
        DatagramFlow client = FlowOf(traffic);
        Arrive(client, 0);
        Arrive(client, 1);
        Pass(traffic, 6);
        Arrive(client, 2);
        Pass(traffic, 6);
        Assert.Equal([1, 0], _left);
        Pass(traffic, 4);
        Assert.Equal([1, 0, 2], _left);
    }

    [Fact]
    public void A_copy_is_intact_and_right_behind_the_original()
    {
        Traffic traffic = Begun(new ImpairmentPlan { Duplicate = 1, Corrupt = 1 });
        Arrive(FlowOf(traffic), 5);
        Arrive(FlowOf(traffic), 6);
        Pass(traffic, 0);
        Assert.Equal([5, 6], [_left[1], _left[3]]);
        Assert.NotEqual(5, _left[0]);
        Assert.NotEqual(6, _left[2]);
        Assert.Equal((2, 2, 4), (traffic.ToServer.Count(null).Duplicated, traffic.ToServer.Count(null).Corrupted, traffic.ToServer.Count(null).Forwarded));
    }

    [Fact]
    public void A_datagram_without_bytes_passes_although_it_cannot_be_corrupted()
    {
        int passed = 0;
        Traffic traffic = Begun(new ImpairmentPlan { Corrupt = 1 });
        new DatagramFlow(traffic.ToServer, datagram => datagram.IsEmpty && ++passed > 0).Arrive([], _now);
        Pass(traffic, 0);
        Assert.Equal((1, 0), (passed, traffic.ToServer.Count(null).Corrupted));
    }

    [Fact]
    public void The_line_is_shared_by_all_clients_and_each_direction_has_its_own()
    {
        // 4 + 28 bytes are 256 bits: a millisecond each.
        Traffic traffic = new(new ImpairmentPlan { BandwidthBitsPerSecond = 256_000 });
        Array.ForEach([.. Enumerable.Range(0, 4)], number => Arrive(FlowOf(traffic), number));
        Arrive(new DatagramFlow(traffic.ToClients, Leave), 100);
        Pass(traffic, 1);
        Assert.Equal([0, 100], _left);
        Pass(traffic, 1);
        Pass(traffic, 2);
        Assert.Equal([0, 100, 1, 2, 3], _left);
    }

    [Theory, InlineData(5, 2, 0), InlineData(5, 3, 1), InlineData(100, 4, 0), InlineData(100, 5, 1)]
    public void A_datagram_is_late_if_it_leaves_more_than_2_ms_or_2_percent_of_the_round_trip_after_it_was_due(int delay, int milliseconds, int late)
    {
        Traffic traffic = Begun(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(delay) });
        Arrive(FlowOf(traffic), 1);
        Pass(traffic, delay + milliseconds);
        Assert.Equal(late, traffic.ToServer.Count(null).Late);
    }

    [Fact]
    public void What_a_stall_held_is_not_late()
    {
        Traffic traffic = Begun(new ImpairmentPlan { Stall = new Interruption(TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(100)) });
        _now += 110 * s_millisecond;
        Arrive(FlowOf(traffic), 1);
        Pass(traffic, 40);
        Assert.Equal([1], _left);
        Assert.Equal(0, traffic.ToServer.Count(null).Late);
    }

    [Fact]
    public void A_full_queue_drops_what_would_wait_longer()
    {
        // 4 + 28 bytes are 256 bits: a millisecond each.
        Traffic traffic = Begun(new ImpairmentPlan { BandwidthBitsPerSecond = 256_000, Queue = TimeSpan.FromMilliseconds(3) });
        Array.ForEach([.. Enumerable.Range(0, 10)], number => Arrive(FlowOf(traffic), number));
        Pass(traffic, 10);
        Assert.Equal([0, 1, 2, 3], _left);
        Assert.Equal(6, traffic.ToServer.Count(null).Overflowed);
    }

    // 64 KiB take longer than a second: 2,048 datagrams with headers, and the one on the line.
    [Fact]
    public void The_queue_of_a_low_rate_holds_64_KiB()
    {
        Traffic traffic = Begun(new ImpairmentPlan { BandwidthBitsPerSecond = 1_000 });
        Array.ForEach([.. Enumerable.Range(0, 3_000)], number => Arrive(FlowOf(traffic), number));
        Assert.InRange(3_000 - traffic.ToServer.Count(null).Overflowed, 2_048, 2_049);
    }

    // The k-th packet of a full queue leaves when all bytes before it, and its own, have passed the line.
    [Fact]
    public void The_delay_of_a_packet_in_a_queue_is_its_bytes_and_those_before_it_over_the_rate()
    {
        DatagramFlow flow = FlowOf(Traffic.ForPackets(new ImpairmentPlan { BandwidthBitsPerSecond = 8_000_000 }));
        long bytes = 0;
        foreach (int size in (int[])[1_500, 40, 700, 1_500])
        {
            bytes += size;
            flow.Arrive(new byte[size], _now);
            Assert.Equal(_now + (bytes * s_millisecond / 1_000), flow.LastLeave);
        }
    }

    [Fact]
    public void The_goodput_of_a_window_is_the_window_over_the_round_trip()
    {
        const int Window = 10;
        const int RoundTrips = 10;
        var traffic = Traffic.ForPackets(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(50) });
        int returned = 0;
        DatagramFlow toServer = null!;
        var toClients = new DatagramFlow(traffic.ToClients, packet =>
        {
            toServer.Arrive(packet, _now);
            return ++returned > 0;
        });
        toServer = new DatagramFlow(traffic.ToServer, packet =>
        {
            toClients.Arrive(packet, _now);
            return true;
        });
        Array.ForEach([.. Enumerable.Range(0, Window)], number => Arrive(toServer, number));
        Array.ForEach(new int[100 * RoundTrips], _ => Pass(traffic, 1));
        Assert.Equal(Window * RoundTrips, returned);
    }

    [Fact]
    public void Packets_are_counted_with_the_bytes_that_they_have()
    {
        var traffic = Traffic.ForPackets(new ImpairmentPlan());
        traffic.Begin(_now);
        new DatagramFlow(traffic.ToServer, _ => true).Arrive(new byte[1_500], _now);
        new DatagramFlow(traffic.ToServer, _ => true).Arrive(new byte[40], _now);
        Assert.Equal(new WireTraffic(2, 1_540), traffic.ToServer.Count(null).Wire);
    }

    [Theory, InlineData(0.05, 4), InlineData(0.01, 1.5), InlineData(0.2, 10)]
    public void Bursts_have_the_share_of_losses_and_the_mean_length_of_the_model(double loss, double mean)
    {
        const int Datagrams = 1_000_000;
        var sampler = new ImpairmentSampler(new ImpairmentPlan { Loss = loss, LossBurst = mean }, seed: 7);
        bool[] lost = [.. Enumerable.Range(0, Datagrams).Select(_ => sampler.Next().IsLost)];
        int count = lost.Count(isLost => isLost);
        int bursts = lost.Where((isLost, index) => isLost && (index == 0 || !lost[index - 1])).Count();
        Assert.InRange((double)count / Datagrams, 0.97 * loss, 1.03 * loss);
        Assert.InRange((double)count / bursts, 0.97 * mean, 1.03 * mean);
    }

    [Theory, InlineData(null), InlineData(4.0)]
    public void The_same_seed_gives_the_same_fates_to_datagrams_and_to_packets(double? burst)
    {
        var plan = new ImpairmentPlan { Loss = 0.1, LossBurst = burst, Duplicate = 0.1, Corrupt = 0.1, Seed = 5 };
        int[] left = LeftOf(new Traffic(plan), 1_000, apart: 0);
        Assert.Equal(left, LeftOf(new Traffic(plan), 1_000, apart: 0));
        Assert.Equal(left, LeftOf(Traffic.ForPackets(plan), 1_000, apart: 0));
        Assert.NotEqual(left, LeftOf(new Traffic(plan with { Seed = 6 }), 1_000, apart: 0));
    }

    [Theory, InlineData(AddressFamily.InterNetwork, 28), InlineData(AddressFamily.InterNetworkV6, 48)]
    public void The_line_carries_the_headers_of_the_address_family(AddressFamily family, int headers)
    {
        // One byte per millisecond.
        var traffic = new Traffic(new ImpairmentPlan { BandwidthBitsPerSecond = 8_000 }, family);
        Arrive(FlowOf(traffic), 1);
        Assert.Equal(_now + ((sizeof(int) + headers) * s_millisecond), traffic.DelayQueue.NextDue);
    }

    [Fact]
    public void What_the_system_does_not_take_counts_as_overflowed()
    {
        Traffic traffic = Begun(new ImpairmentPlan());
        new DatagramFlow(traffic.ToServer, _ => false).Arrive([1], _now);
        Pass(traffic, 0);
        Assert.Equal((1, 0, 1), (traffic.ToServer.Count(null).Received, traffic.ToServer.Count(null).Forwarded, traffic.ToServer.Count(null).Overflowed));
    }

    private Traffic Begun(ImpairmentPlan plan)
    {
        var traffic = new Traffic(plan);
        traffic.Begin(_now);
        return traffic;
    }

    // The numbers of those that leave when so many arrive, milliseconds apart.
    private int[] LeftOf(Traffic traffic, int count, int apart)
    {
        _left.Clear();
        traffic.Begin(_now);
        DatagramFlow flow = FlowOf(traffic);
        foreach (int number in Enumerable.Range(0, count))
        {
            Arrive(flow, number);
            Pass(traffic, apart);
        }

        return [.. _left];
    }

    private DatagramFlow FlowOf(Traffic traffic) => new(traffic.ToServer, Leave);

    private void Arrive(DatagramFlow flow, int number) => flow.Arrive(BitConverter.GetBytes(number), _now);

    private bool Leave(ReadOnlySpan<byte> datagram)
    {
        _left.Add(BitConverter.ToInt32(datagram));
        return true;
    }

    // Advances the time as the loop would: calls the work that is due.
    private void Pass(Traffic traffic, int milliseconds)
    {
        _now += milliseconds * s_millisecond;
        while (traffic.ReorderBuffer.NextDue <= _now)
        {
            traffic.ReorderBuffer.OnDue(_now);
        }

        while (traffic.DelayQueue.NextDue <= _now)
        {
            traffic.DelayQueue.OnDue(_now);
        }
    }
}
