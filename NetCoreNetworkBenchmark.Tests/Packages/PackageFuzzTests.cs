namespace NetCoreNetworkBenchmark.Tests.Packages;

/// <summary>The framer of the program against the decoder of these tests, over packages that were changed at random.</summary>
public sealed class PackageFuzzTests
{
    private const int Seed = 20_261_123;
    private const int PackagesOfAStream = 10;
    private const int Largest = 100;
    private const double WrongShare = 0.15;

    // The example of Docs/protocol.md.
    [Fact]
    public void The_decoder_takes_the_example_of_the_protocol()
    {
        var decoded = DecodedStream.Decode(Convert.FromHexString("0000000801086869" + "000000060006"), largest: 2);
        Assert.Equal("hi"u8.ToArray(), Assert.Single(decoded.Messages));
        Assert.Equal((1, PackageFaults.None, 0, false), (decoded.Heartbeats, decoded.Faults, decoded.Left, decoded.IsCut));
        Assert.Equal("0000000801086869", Convert.ToHexString(DecodedStream.Encode("hi"u8)));
    }

    [Theory]
    [InlineData("00000008010868", PackageFaults.None, true)]
    [InlineData("00000008", PackageFaults.None, true)]
    [InlineData("0000000801096869", PackageFaults.CheckCode, false)]
    [InlineData("000000060107", PackageFaults.Length, false)]
    [InlineData("000000090108", PackageFaults.Length, false)]
    [InlineData("800000080108", PackageFaults.Length, false)]
    [InlineData("000000070007", PackageFaults.HeartbeatContent, false)]
    [InlineData("000000080208", PackageFaults.Type, false)]
    [InlineData("000000050208", PackageFaults.Type | PackageFaults.Length, false)]
    public void The_decoder_names_each_fault(string bytes, PackageFaults faults, bool isCut)
    {
        var decoded = DecodedStream.Decode(Convert.FromHexString(bytes), largest: 2);
        Assert.Equal((faults, isCut, 0), (decoded.Faults, decoded.IsCut, decoded.Taken));
        Assert.Empty(decoded.Messages);
    }

    [Fact]
    public void The_framer_takes_the_same_messages_and_refuses_the_same_packages_as_the_decoder()
    {
        const int Wanted = 200_000;
        var streams = new MutatedStream(Seed, Largest, WrongShare);
        var plan = new RunPlan { Library = "Test", Framing = Framing.Checked, MessageSize = Largest };
        var ends = new SortedDictionary<string, int>();
        int mutations = 0;
        while (mutations < Wanted)
        {
            streams.Next(PackagesOfAStream);
            var expected = DecodedStream.Decode(streams.Bytes, Largest);
            var framer = new StreamFramer(plan);
            List<byte[]> taken = TakeAll(framer, streams);
            long heartbeats = framer.TakeHeartbeats();
            Assert.True(
                expected.HasMessages(taken) && expected.Heartbeats == heartbeats,
                $"{expected.Messages.Count} messages and {expected.Heartbeats} heartbeats, not {taken.Count} and {heartbeats}: {HexOf(streams)}");
            Assert.True(IsNamed(framer.Violation, expected.Faults), $"{expected.Faults}, not '{framer.Violation}': {HexOf(streams)}");
            Assert.True(expected.Faults != PackageFaults.None || expected.IsCut == framer.HasPart, $"A part is left or not: {HexOf(streams)}");
            mutations += streams.MutationsTo(expected.Taken);
            string end = framer.Violation ?? (framer.HasPart ? "cut" : "whole");
            ends[end] = ends.GetValueOrDefault(end) + 1;
        }

        // Each kind of end was tried often.
        Assert.Equal(6, ends.Count);
        Assert.All(ends, end => Assert.InRange(end.Value, Wanted / 1_000, int.MaxValue));
    }

    /// <summary>Whether the name of an error is that of one of the faults. A package with several faults is named after one of them.</summary>
    internal static bool IsNamed(string? violation, PackageFaults faults) => violation switch
    {
        null => faults == PackageFaults.None,
        "received a frame of an invalid length" => faults.HasFlag(PackageFaults.Length),
        "received a frame of an unknown type" => faults.HasFlag(PackageFaults.Type),
        "received a heartbeat with content" => faults.HasFlag(PackageFaults.HeartbeatContent),
        "received a frame with a wrong check code" => faults.HasFlag(PackageFaults.CheckCode),
        _ => false,
    };

    private static List<byte[]> TakeAll(StreamFramer framer, MutatedStream streams)
    {
        var messages = new List<byte[]>();
        ReadOnlySpan<byte> rest = streams.Bytes;
        while (!rest.IsEmpty)
        {
            int part = streams.NextPart(rest.Length);
            ReadOnlySpan<byte> received = rest[..part];
            while (framer.TryTake(ref received, out ReadOnlySpan<byte> message))
            {
                messages.Add(message.ToArray());
            }

            rest = rest[part..];
        }

        return messages;
    }

    private static string HexOf(MutatedStream streams) => Convert.ToHexString(streams.Bytes);
}
