namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Streams;

public sealed class StreamFramerTests
{
    private const int Size = 5;

    private static readonly byte[][] s_messages = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]];

    public static MatrixTheoryData<Framing, int> Cuts => new([Framing.Fixed, Framing.Length, Framing.Checked], [1, 2, 3, 4, 5, 7, 9, 10, 11, 100]);

    public static TheoryData<Framing> Framings => [Framing.Fixed, Framing.Length, Framing.Checked];

    [Theory, MemberData(nameof(Cuts))]
    public void Messages_come_out_as_they_went_in_however_the_stream_is_cut(Framing framing, int chunk)
    {
        RunPlan plan = PlanOf(framing);
        (StreamFramer framer, List<byte[]> taken) = TakeAll(plan, StreamOf(plan, s_messages), chunk);
        Assert.Equal(s_messages, taken);
        Assert.Equal((false, null), (framer.HasPart, framer.Violation));
    }

    [Theory, MemberData(nameof(Framings))]
    public void Large_messages_are_taken_where_they_were_received(Framing framing)
    {
        RunPlan plan = PlanOf(framing) with { MessageSize = StreamFramer.SmallestLarge };
        byte[][] messages = [.. Enumerable.Range(1, 5).Select(fill => Enumerable.Repeat((byte)fill, StreamFramer.SmallestLarge).ToArray())];
        byte[] stream = StreamOf(plan, messages);
        foreach (int chunk in (int[])[1_000, StreamFramer.SmallestLarge, 100_000, 2 * StreamFramer.SmallestLarge])
        {
            var framer = new StreamFramer(plan);
            var taken = new List<byte[]>();
            int received = 0;
            while (received < stream.Length)
            {
                Span<byte> receiveBuffer = framer.ReceiveBuffer;
                int count = Math.Min(Math.Min(chunk, receiveBuffer.Length), stream.Length - received);
                stream.AsSpan(received, count).CopyTo(receiveBuffer);
                received += count;
                Take(framer, receiveBuffer[..count], taken);
            }

            Assert.Equal(messages, taken);
            Assert.False(framer.HasPart);
        }
    }

    [Fact]
    public void Small_messages_need_no_buffer_of_their_own() => Assert.True(new StreamFramer(PlanOf(Framing.Checked)).ReceiveBuffer.IsEmpty);

    [Theory, InlineData(1), InlineData(3), InlineData(17), InlineData(1_000)]
    public void A_request_of_HTTP_ends_with_an_empty_line_however_the_stream_is_cut(int chunk)
    {
        byte[][] requests = ["GET / HTTP/1.1\r\nHost: a\r\n\r\n"u8.ToArray(), "GET /b HTTP/1.1\r\n\r\n"u8.ToArray()];
        (StreamFramer framer, List<byte[]> taken) = TakeAll(PlanOf(Framing.Http), [.. requests.SelectMany(bytes => bytes)], chunk);
        Assert.Equal(requests, taken);
        Assert.Equal((false, null), (framer.HasPart, framer.Violation));
    }

    [Theory, InlineData(100), InlineData(100_000)]
    public void A_request_of_HTTP_without_an_end_is_a_violation(int chunk)
    {
        var framer = new StreamFramer(PlanOf(Framing.Http));
        var messages = new List<byte[]>();
        foreach (byte[] received in Enumerable.Repeat((byte)'a', StreamFramer.MaxRequest).Chunk(chunk))
        {
            Assert.Null(framer.Violation);
            Take(framer, received, messages);
        }

        Assert.Equal("received a request without an end", framer.Violation);
        Assert.Empty(messages);
    }

    [Theory, InlineData(Framing.Length), InlineData(Framing.Checked)]
    public void A_length_before_the_message_allows_shorter_ones(Framing framing)
    {
        RunPlan plan = PlanOf(framing);
        byte[][] messages = [[1], [1, 2, 3], [1, 2, 3, 4, 5]];
        var taken = new List<byte[]>();
        Take(new StreamFramer(plan), StreamOf(plan, messages), taken);
        Assert.Equal(messages, taken);
    }

    [Theory, InlineData(0, 0, 0, 0), InlineData(0, 0, 0, Size + 1), InlineData(0xff, 0xff, 0xff, 0xff), InlineData('G', 'E', 'T', ' ')]
    public void A_length_that_cannot_be_is_a_violation_whole_or_cut(int first, int second, int third, int fourth)
    {
        byte[] bytes = [(byte)first, (byte)second, (byte)third, (byte)fourth, 1, 2, 3];
        foreach (int chunk in (int[])[1, 3, 100])
        {
            (StreamFramer framer, List<byte[]> taken) = TakeAll(PlanOf(Framing.Length), bytes, chunk);
            Assert.Equal("received a message of an invalid length", framer.Violation);
            Assert.Empty(taken);
        }
    }

    [Theory, MemberData(nameof(Framings))]
    public void A_stream_that_ends_within_a_message_has_a_part_of_it(Framing framing)
    {
        RunPlan plan = PlanOf(framing);
        var framer = new StreamFramer(plan);
        byte[] stream = StreamOf(plan, s_messages);
        Take(framer, stream.AsSpan(..^1), []);
        Assert.True(framer.HasPart);
        Take(framer, stream.AsSpan(^1..), []);
        Assert.False(framer.HasPart);
    }

    // The example of Docs/protocol.md.
    [Fact]
    public void A_package_is_its_length_its_type_its_check_code_and_its_content()
    {
        RunPlan plan = PlanOf(Framing.Checked);
        Assert.Equal("0000000801086869", Convert.ToHexString(StreamOf(plan, ["hi"u8.ToArray()])));
    }

    [Fact]
    public void The_XOR_of_all_bytes_of_a_package_is_0_at_every_size()
    {
        for (int size = 1; size <= 300; size++)
        {
            byte[] message = new byte[size];
            new Random(size).NextBytes(message);
            byte[] package = StreamOf(PlanOf(Framing.Checked) with { MessageSize = size }, [message]);
            Assert.Equal((size + 6, 0), (package.Length, package.Aggregate(0, (check, next) => check ^ next)));
        }
    }

    [Theory]
    [InlineData("000000070100", "01", "received a frame with a wrong check code")]
    [InlineData("000000070204", "01", "received a frame of an unknown type")]
    [InlineData("000000060107", "", "received a frame of an invalid length")]
    [InlineData("0000000C010D", "000000000000", "received a frame of an invalid length")]
    [InlineData("FFFFFFFF0101", "00", "received a frame of an invalid length")]
    [InlineData("000000070007", "00", "received a heartbeat with content")]
    public void A_package_that_cannot_be_is_a_violation_whole_or_cut(string header, string content, string violation)
    {
        byte[] bytes = Convert.FromHexString(header + content);
        foreach (int chunk in (int[])[1, 3, 5, 6, 100])
        {
            (StreamFramer framer, List<byte[]> taken) = TakeAll(PlanOf(Framing.Checked), [.. bytes, .. bytes], chunk);
            Assert.Equal(violation, framer.Violation);
            Assert.Empty(taken);
        }
    }

    [Fact]
    public void A_length_is_judged_when_the_whole_header_has_arrived()
    {
        var framer = new StreamFramer(PlanOf(Framing.Checked));
        Take(framer, Convert.FromHexString("FFFFFFFF01"), []);
        Assert.Null(framer.Violation);
        Take(framer, [0x01], []);
        Assert.Equal("received a frame of an invalid length", framer.Violation);
    }

    [Theory, InlineData(1), InlineData(4), InlineData(100)]
    public void A_heartbeat_is_counted_and_is_no_message(int chunk)
    {
        RunPlan plan = PlanOf(Framing.Checked);
        byte[] heartbeat = Convert.FromHexString("000000060006");
        byte[] stream = [.. heartbeat, .. StreamOf(plan, s_messages[..1]), .. heartbeat, .. heartbeat, .. StreamOf(plan, s_messages[1..]), .. heartbeat];
        (StreamFramer framer, List<byte[]> taken) = TakeAll(plan, stream, chunk);
        Assert.Equal(s_messages, taken);
        Assert.Equal((4, false, null), (framer.TakeHeartbeats(), framer.HasPart, framer.Violation));
    }

    [Fact]
    public void A_check_code_notices_each_byte_that_was_changed()
    {
        RunPlan plan = PlanOf(Framing.Checked) with { MessageSize = 1_000 };
        byte[] stream = StreamOf(plan, [[.. Enumerable.Range(0, 1_000).Select(number => (byte)number)]]);
        for (int index = 0; index < stream.Length; index++)
        {
            byte[] changed = [.. stream];
            changed[index] ^= 0x40;
            (StreamFramer framer, List<byte[]> taken) = TakeAll(plan, changed, changed.Length);
            Assert.Empty(taken);
            Assert.True(framer.Violation is not null || framer.HasPart, $"{index}");
        }
    }

    [Theory, InlineData(Framing.Length), InlineData(Framing.Checked)]
    public void Whole_messages_are_handed_on_without_allocating(Framing framing)
    {
        RunPlan plan = PlanOf(framing);
        var framer = new StreamFramer(plan);
        byte[] stream = StreamOf(plan, s_messages);
        Assert.Equal(3, CountOf(framer, stream));
        long before = GC.GetAllocatedBytesForCurrentThread();
        int count = CountOf(framer, stream);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(3, count);
    }

    [Theory]
    [InlineData(Framing.Fixed, Size, true), InlineData(Framing.Fixed, Size - 1, false), InlineData(Framing.Fixed, Size + 1, false)]
    [InlineData(Framing.Length, 1, true), InlineData(Framing.Length, Size, true), InlineData(Framing.Length, 0, false)]
    [InlineData(Framing.Length, Size + 1, false), InlineData(Framing.Checked, 1, true), InlineData(Framing.Checked, Size, true)]
    [InlineData(Framing.Checked, 0, false), InlineData(Framing.Checked, Size + 1, false)]
    public void An_outbox_refuses_what_the_framing_cannot_carry(Framing framing, int length, bool accepted)
    {
        var outbox = new Outbox(PlanOf(framing));
        Assert.Equal(accepted, outbox.TryAdd(new byte[length]));
        Assert.Equal(accepted ? StreamFramer.SizeOnStream(PlanOf(framing), length) : 0, outbox.Length);
    }

    [Fact]
    public void An_outbox_keeps_the_order_while_parts_of_it_are_sent()
    {
        RunPlan plan = PlanOf(Framing.Fixed);
        var outbox = new Outbox(plan);
        var sent = new List<byte>();
        for (int round = 0; round < 100; round++)
        {
            Assert.True(outbox.TryAdd(Enumerable.Repeat((byte)round, Size).ToArray()));
            int part = Math.Min(outbox.Length, round % 7);
            sent.AddRange(outbox.Next.Span[..part]);
            outbox.Sent(part);
        }

        sent.AddRange(outbox.Next.Span);
        outbox.Sent(outbox.Length);
        Assert.Equal(Enumerable.Range(0, 100).SelectMany(round => Enumerable.Repeat((byte)round, Size)), sent);
    }

    [Theory, MemberData(nameof(Framings))]
    public void An_outbox_gives_one_message_after_the_other_and_the_rest_of_one_that_was_cut(Framing framing)
    {
        RunPlan plan = PlanOf(framing);
        var outbox = new Outbox(plan, sendsEachMessage: true);
        byte[][] messages =
        [
            .. Enumerable.Range(1, Size).Select(number => new byte[framing == Framing.Fixed ? Size : number])
                .Select((message, index) => Filled(message, index)),
        ];
        var sent = new List<byte>();
        Assert.All(messages, message => Assert.True(outbox.TryAdd(message)));
        for (int index = 0; index < messages.Length; index++)
        {
            int size = StreamFramer.SizeOnStream(plan, messages[index].Length);
            Assert.Equal(size, outbox.Next.Length);
            int part = Math.Min(index % 7, size);
            sent.AddRange(outbox.Next.Span[..part]);
            outbox.Sent(part);
            if (part < size)
            {
                Assert.Equal(size - part, outbox.Next.Length);
                sent.AddRange(outbox.Next.Span);
                outbox.Sent(size - part);
            }
        }

        Assert.Equal((0, 0), (outbox.Length, outbox.Next.Length));
        Assert.Equal(StreamOf(plan, messages), sent);
    }

    [Fact]
    public void An_outbox_is_full_at_its_bound_and_not_after_that_was_sent()
    {
        var outbox = new Outbox(PlanOf(Framing.Fixed));
        while (!outbox.IsFull)
        {
            Assert.True(outbox.TryAdd(new byte[Size]));
        }

        Assert.InRange(outbox.Length, 64 * 1024, (64 * 1024) + Size);
        outbox.Sent(2 * Size);
        Assert.False(outbox.IsFull);
    }

    [Theory]
    [InlineData(0, 0, 36, 72), InlineData(100, 90, 20, 220), InlineData(1 << 30, 1 << 30, 1 << 20, 0x7FFFFFC7)]
    [InlineData(0x7FFFFFC7, 0x7FFFFFC0, 7, 0x7FFFFFC7)]
    public void CapacityFor_is_twice_of_what_waits_as_far_as_an_array_can_be(int capacity, int waiting, int count, int expected) =>
        Assert.Equal(expected, Outbox.CapacityFor(capacity, waiting, count));

    [Theory, InlineData(8), InlineData(int.MaxValue)]
    public void CapacityFor_refuses_more_than_an_array_can_hold(int count) => Assert.Equal(
        "More than 2 GiB wait to be sent on one connection. Use fewer or smaller messages in flight.",
        Assert.Throws<BenchmarkException>(() => Outbox.CapacityFor(0x7FFFFFC7, 0x7FFFFFC0, count)).Message);

    private static byte[] Filled(byte[] message, int value)
    {
        message.AsSpan().Fill((byte)value);
        return message;
    }

    private static RunPlan PlanOf(Framing framing) => new() { Library = "Test", Framing = framing, MessageSize = Size };

    private static byte[] StreamOf(RunPlan plan, byte[][] messages)
    {
        var outbox = new Outbox(plan);
        Assert.All(messages, message => Assert.True(outbox.TryAdd(message)));
        return outbox.Next.ToArray();
    }

    private static void Take(StreamFramer framer, ReadOnlySpan<byte> received, List<byte[]> taken)
    {
        while (framer.TryTake(ref received, out ReadOnlySpan<byte> message))
        {
            taken.Add(message.ToArray());
        }
    }

    private static (StreamFramer Framer, List<byte[]> Taken) TakeAll(RunPlan plan, byte[] stream, int chunk)
    {
        var framer = new StreamFramer(plan);
        var messages = new List<byte[]>();
        foreach (byte[] received in stream.Chunk(chunk).TakeWhile(_ => framer.Violation is null))
        {
            Take(framer, received, messages);
        }

        return (framer, messages);
    }

    private static int CountOf(StreamFramer framer, ReadOnlySpan<byte> received)
    {
        int count = 0;
        while (framer.TryTake(ref received, out _))
        {
            count++;
        }

        return count;
    }
}
