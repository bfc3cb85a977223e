using System.Buffers.Binary;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// A request of a client to the server. The message has the same size as all others. Its first byte is the kind. If there is room, the client's
/// number and a check follow, so that a damaged request is not mistaken for another one. Requests are rare.
/// </summary>
/// <param name="Kind">The kind of the request.</param>
/// <param name="Client">The client's number; 0 if the message has no room for it.</param>
internal readonly record struct MulticastRequest(MulticastRequestKind Kind, uint Client)
{
    private const int ClientAt = 4;
    private const int CheckAt = 8;
    private const ulong Magic = 0x6D63_6173_7452_6571;

    /// <summary>Creates the message.</summary>
    /// <param name="size">The size of the message in bytes.</param>
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
    /// <returns>The request; of kind <see cref="MulticastRequestKind.None"/> if the message is not a request.</returns>
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
