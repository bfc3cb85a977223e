using System.Buffers.Binary;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// What a client asks of the server. A message like all others in size, with the kind in its first byte and, where there is room, the client's
/// number and a check: a damaged request is not to be taken for another one. Rare.
/// </summary>
/// <param name="Kind">What is asked for.</param>
/// <param name="Client">The client's number; 0 where the message had no room for it.</param>
internal readonly record struct MulticastRequest(MulticastRequestKind Kind, uint Client)
{
    private const int ClientAt = 4;
    private const int CheckAt = 8;
    private const ulong Magic = 0x6D63_6173_7452_6571;

    /// <summary>Makes the message.</summary>
    /// <param name="size">Bytes of a message.</param>
    public byte[] Compose(int size)
    {
        byte[] message = new byte[size];
        message[0] = (byte)Kind;
        if (size >= MulticastTag.Size)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(ClientAt), Client);
            BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(CheckAt), Check);
        }

        return message;
    }

    /// <summary>Reads a message.</summary>
    /// <returns>The request; of kind <see cref="MulticastRequestKind.None"/> where the message is none.</returns>
    public static MulticastRequest Read(ReadOnlySpan<byte> message)
    {
        MulticastRequestKind kind = message.IsEmpty ? MulticastRequestKind.None : (MulticastRequestKind)message[0];
        if (kind is not (MulticastRequestKind.Start or MulticastRequestKind.Stop))
        {
            return default;
        }

        if (message.Length < MulticastTag.Size)
        {
            return new MulticastRequest(kind, 0);
        }

        var request = new MulticastRequest(kind, BinaryPrimitives.ReadUInt32LittleEndian(message[ClientAt..]));
        return BinaryPrimitives.ReadUInt64LittleEndian(message[CheckAt..]) == request.Check ? request : default;
    }

    private ulong Check => Magic ^ ((ulong)Client << 8) ^ (byte)Kind;
}

/// <summary>The kinds of request.</summary>
internal enum MulticastRequestKind : byte
{
    /// <summary>No request.</summary>
    None,

    /// <summary>Send to this client from now on.</summary>
    Start,

    /// <summary>Send no more to it, and say what the last message was.</summary>
    Stop,
}
