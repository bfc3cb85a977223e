using System.Buffers.Binary;

namespace FramedChat;

/// <summary>
/// A package: its whole length in 4 bytes, the most significant first; its type in 1 byte; its check code in 1 byte, with which the XOR of all bytes is 0; and
/// the content. A heartbeat has no content.
/// </summary>
internal static class Package
{
    /// <summary>The size in bytes of the largest content.</summary>
    public const int LargestContent = 1024;

    private const int HeaderSize = 6;
    private const int TypeOffset = 4;
    private const int CheckOffset = 5;
    private const byte HeartbeatType = 0;
    private const byte MessageType = 1;

    /// <summary>A heartbeat, as it is sent.</summary>
    public static ReadOnlyMemory<byte> Heartbeat { get; } = Create(HeartbeatType, []);

    /// <summary>Returns a message, as it is sent.</summary>
    /// <param name="content">The content, of 1 byte to <see cref="LargestContent"/>.</param>
    public static byte[] OfMessage(ReadOnlySpan<byte> content) => Create(MessageType, content);

    /// <summary>Reads the next package.</summary>
    /// <returns>The content of a message; empty for a heartbeat.</returns>
    /// <exception cref="InvalidDataException">The bytes are not a package, so the stream cannot be divided any more.</exception>
    /// <exception cref="EndOfStreamException">The stream has ended.</exception>
    public static async Task<byte[]> ReadAsync(Stream stream, CancellationToken cancellationToken)
    {
        byte[] header = new byte[HeaderSize];
        await stream.ReadExactlyAsync(header, cancellationToken).ConfigureAwait(false);
        long size = (long)BinaryPrimitives.ReadUInt32BigEndian(header) - HeaderSize;
        bool isPossible = header[TypeOffset] switch
        {
            HeartbeatType => size == 0,
            MessageType => size is > 0 and <= LargestContent,
            _ => throw new InvalidDataException("it sent a package of an unknown type"),
        };
        if (!isPossible)
        {
            throw new InvalidDataException("it sent a package of a length that cannot be");
        }

        byte[] content = new byte[size];
        await stream.ReadExactlyAsync(content, cancellationToken).ConfigureAwait(false);
        return XorOf(header, content) == 0 ? content : throw new InvalidDataException("it sent a package with a wrong check code");
    }

    private static byte[] Create(byte type, ReadOnlySpan<byte> content)
    {
        byte[] package = [0, 0, 0, 0, type, 0, .. content];
        BinaryPrimitives.WriteInt32BigEndian(package, package.Length);
        package[CheckOffset] = XorOf(package, []);
        return package;
    }

    private static byte XorOf(byte[] first, byte[] second) => first.Concat(second).Aggregate((byte)0, (sum, next) => (byte)(sum ^ next));
}
