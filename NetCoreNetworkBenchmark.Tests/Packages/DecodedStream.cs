namespace NetCoreNetworkBenchmark.Tests.Packages;

/// <summary>
/// The packages of a stream with <c>--framing Checked</c>. Written from Docs/protocol.md and not from the program: it has nothing in common with
/// the code under test.
/// </summary>
internal sealed class DecodedStream
{
    private const int HeaderSize = 6;

    private DecodedStream() { }

    /// <summary>The contents of the messages, in their order.</summary>
    public List<byte[]> Messages { get; } = [];
    public int Heartbeats { get; private set; }

    /// <summary>The errors of the first package that is not valid. Nothing after it was decoded.</summary>
    public PackageFaults Faults { get; private set; }
    public int Taken { get; private set; }
    public int Left { get; private set; }

    /// <summary>Whether the stream ends within a package that could become valid.</summary>
    public bool IsCut => Faults == PackageFaults.None && Left > 0;

    public static DecodedStream Decode(ReadOnlySpan<byte> stream, int largest)
    {
        var decoded = new DecodedStream();
        while (decoded.TakeOne(stream[decoded.Taken..], largest))
        {
            // The next package.
        }

        decoded.Left = stream.Length - decoded.Taken;
        return decoded;
    }

    public static byte[] Encode(ReadOnlySpan<byte> message) => Encode(type: 1, message);

    public static byte[] Encode(byte type, ReadOnlySpan<byte> content)
    {
        int length = HeaderSize + content.Length;
        byte[] package = [(byte)(length >> 24), (byte)(length >> 16), (byte)(length >> 8), (byte)length, type, 0, .. content];
        package[5] = Xor(package);
        return package;
    }

    public static byte Xor(ReadOnlySpan<byte> bytes)
    {
        byte sum = 0;
        foreach (byte one in bytes)
        {
            sum ^= one;
        }

        return sum;
    }

    public bool HasMessages(List<byte[]> messages) =>
        Messages.Count == messages.Count && Messages.Zip(messages).All(pair => pair.First.AsSpan().SequenceEqual(pair.Second));

    private bool TakeOne(ReadOnlySpan<byte> rest, int largest)
    {
        if (rest.Length < HeaderSize)
        {
            return false;
        }

        uint length = ((uint)rest[0] << 24) | ((uint)rest[1] << 16) | ((uint)rest[2] << 8) | rest[3];
        byte type = rest[4];
        Faults = FaultsOf(type, length, largest);
        if (Faults != PackageFaults.None || rest.Length < length)
        {
            return false;
        }

        ReadOnlySpan<byte> package = rest[..(int)length];
        if (Xor(package) != 0)
        {
            Faults = PackageFaults.CheckCode;
            return false;
        }

        Taken += package.Length;
        if (type == 0)
        {
            Heartbeats++;
        }
        else
        {
            Messages.Add(package[HeaderSize..].ToArray());
        }

        return true;
    }

    private static PackageFaults FaultsOf(byte type, uint length, int largest)
    {
        if (type == 0)
        {
            return length == HeaderSize ? PackageFaults.None : PackageFaults.HeartbeatContent;
        }

        PackageFaults faults = length > HeaderSize && length <= HeaderSize + (uint)largest ? PackageFaults.None : PackageFaults.Length;
        return type == 1 ? faults : faults | PackageFaults.Type;
    }
}
