using System.Buffers.Binary;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

// The message has the same size as all others. Its first byte is the kind and the round. If it is large enough, the client's number and a check follow, so
// that a damaged request is not mistaken for another one.
internal readonly record struct MulticastRequest(MulticastRequestKind Kind, byte Round, uint Client)
{
    public const byte LastRound = 63;

    private const int RoundShift = 2;
    private const byte KindMask = (1 << RoundShift) - 1;
    private const int ClientAt = 4;
    private const int CheckAt = 8;
    private const ulong Magic = 0x6D63_6173_7452_6571;

    public byte[] Compose(int size)
    {
        byte[] message = new byte[size];
        message[0] = First;
        if (size >= MulticastTag.Size)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(ClientAt), Client);
            BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(CheckAt), Check);
        }

        return message;
    }

    // Of kind None if the message is not a request.
    public static MulticastRequest Read(ReadOnlySpan<byte> message)
    {
        MulticastRequestKind kind = message.IsEmpty ? MulticastRequestKind.None : (MulticastRequestKind)(message[0] & KindMask);
        if (kind is not (MulticastRequestKind.Start or MulticastRequestKind.Stop))
        {
            return default;
        }

        byte round = (byte)(message[0] >> RoundShift);
        if (message.Length < MulticastTag.Size)
        {
            return new MulticastRequest(kind, round, 0);
        }

        var request = new MulticastRequest(kind, round, BinaryPrimitives.ReadUInt32LittleEndian(message[ClientAt..]));
        return BinaryPrimitives.ReadUInt64LittleEndian(message[CheckAt..]) == request.Check ? request : default;
    }

    /// <summary>Returns whether a round comes after another one (serial number arithmetic, RFC 1982).</summary>
    public static bool IsAfter(byte round, byte other) => ((round - other) & LastRound) is > 0 and <= LastRound / 2;

    private byte First => (byte)((byte)Kind | (Round << RoundShift));

    private ulong Check => Magic ^ ((ulong)Client << 8) ^ First;
}

internal enum MulticastRequestKind : byte
{
    None,
    Start,
    Stop,
}
