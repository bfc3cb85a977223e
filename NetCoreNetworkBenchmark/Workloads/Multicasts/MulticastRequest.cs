using System.Buffers.Binary;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// A request of a client to the server. The message has the same size as all others. Its first byte is the kind and the round. If there is room, the
/// client's number and a check follow, so that a damaged request is not mistaken for another one. Requests are rare.
/// </summary>
/// <param name="Kind">The kind of the request.</param>
/// <param name="Round">The number of the start that the request belongs to, from 0 to <see cref="LastRound"/>, and then from 0 again.</param>
/// <param name="Client">The client's number; 0 if the message has no room for it.</param>
internal readonly record struct MulticastRequest(MulticastRequestKind Kind, byte Round, uint Client)
{
    /// <summary>The highest number of a round.</summary>
    public const byte LastRound = 63;

    private const int RoundShift = 2;
    private const byte KindMask = (1 << RoundShift) - 1;
    private const int ClientAt = 4;
    private const int CheckAt = 8;
    private const ulong Magic = 0x6D63_6173_7452_6571;

    /// <summary>Creates the message.</summary>
    /// <param name="size">The size of the message in bytes.</param>
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

    /// <summary>Reads a message.</summary>
    /// <returns>The request; of kind <see cref="MulticastRequestKind.None"/> if the message is not a request.</returns>
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

/// <summary>The kind of a request.</summary>
internal enum MulticastRequestKind : byte
{
    /// <summary>No request.</summary>
    None,

    /// <summary>Starts sending to this client.</summary>
    Start,

    /// <summary>Stops sending to this client. The server reports the number of the last message.</summary>
    Stop,
}
