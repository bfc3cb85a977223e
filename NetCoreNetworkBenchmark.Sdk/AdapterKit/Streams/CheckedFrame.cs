using System.Buffers.Binary;
using System.Numerics;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

// A frame of Framing.Checked: its length in 4 bytes, the most significant first; its type in 1 byte; its check code in 1 byte; and the content. The length is
// that of the whole frame. The XOR of all bytes of the frame is 0 (Docs/protocol.md).
internal static class CheckedFrame
{
    public const int HeaderSize = 6;

    private const int TypeOffset = 4;
    private const int CheckOffset = 5;

    public enum FrameType : byte
    {
        /// <summary>Has no content.</summary>
        Heartbeat = 0,

        Message = 1,
    }

    // The header need not be next to the content.
    public static void WriteHeader(Span<byte> header, FrameType type, ReadOnlySpan<byte> content)
    {
        BinaryPrimitives.WriteInt32BigEndian(header, HeaderSize + content.Length);
        header[TypeOffset] = (byte)type;
        header[CheckOffset] = (byte)(XorOf(header[..CheckOffset]) ^ XorOf(content));
    }

    public static int LengthOf(ReadOnlySpan<byte> header) => BinaryPrimitives.ReadInt32BigEndian(header);

    // Null if there is no error in the header.
    public static string? FindFault(ReadOnlySpan<byte> header, int largest)
    {
        long content = (long)LengthOf(header) - HeaderSize;
        return header[TypeOffset] switch
        {
            (byte)FrameType.Heartbeat => content == 0 ? null : "received a heartbeat with content",
            (byte)FrameType.Message => content > 0 && content <= largest ? null : "received a frame of an invalid length",
            _ => "received a frame of an unknown type",
        };
    }

    // Null if the check code is wrong. FindFault has found none in the header.
    public static FrameType? TypeOf(ReadOnlySpan<byte> frame) => XorOf(frame) == 0 ? (FrameType)frame[TypeOffset] : null;

    // Vectors, then words, then bytes: a frame of a few bytes is smaller than a vector.
    private static byte XorOf(ReadOnlySpan<byte> bytes)
    {
        ulong sum = 0;
        if (bytes.Length >= Vector<byte>.Count)
        {
            ReadOnlySpan<Vector<ulong>> vectors = MemoryMarshal.Cast<byte, Vector<ulong>>(bytes);
            Vector<ulong> all = Vector<ulong>.Zero;
            foreach (Vector<ulong> vector in vectors)
            {
                all ^= vector;
            }

            for (int index = 0; index < Vector<ulong>.Count; index++)
            {
                sum ^= all[index];
            }

            bytes = bytes[(vectors.Length * Vector<byte>.Count)..];
        }

        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
        {
            sum ^= word;
        }

        foreach (byte rest in bytes[(words.Length * sizeof(ulong))..])
        {
            sum ^= rest;
        }

        sum ^= sum >> 32;
        sum ^= sum >> 16;
        return (byte)(sum ^ (sum >> 8));
    }
}
