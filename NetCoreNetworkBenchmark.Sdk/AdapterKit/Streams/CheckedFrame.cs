using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// A package of <see cref="Plans.Framing.Checked"/>: its length in 4 bytes, the most significant first; its type in 1 byte; its check code in 1 byte; and
/// the content. The length is that of the whole package. The check code is such that the XOR of all bytes of the package is 0 (Docs/protocol.md).
/// </summary>
internal static class CheckedFrame
{
    /// <summary>The size in bytes of what is before the content.</summary>
    public const int HeaderSize = 6;

    private const int TypeOffset = 4;
    private const int CheckOffset = 5;

    /// <summary>The type of a package, as it is on the stream.</summary>
    public enum PackageType : byte
    {
        /// <summary>The sender lives. There is no content.</summary>
        Heartbeat = 0,

        /// <summary>The content is a message.</summary>
        Message = 1,
    }

    /// <summary>Writes what is before the content.</summary>
    /// <param name="header">The memory for it, which need not be next to the content.</param>
    /// <param name="type">The type.</param>
    /// <param name="content">The content.</param>
    public static void WriteHeader(Span<byte> header, PackageType type, ReadOnlySpan<byte> content)
    {
        BinaryPrimitives.WriteInt32BigEndian(header, HeaderSize + content.Length);
        header[TypeOffset] = (byte)type;
        header[CheckOffset] = (byte)(XorOf(header[..CheckOffset]) ^ XorOf(content));
    }

    /// <summary>Reads the length of a package, with its header.</summary>
    public static int LengthOf(ReadOnlySpan<byte> header) => BinaryPrimitives.ReadInt32BigEndian(header);

    /// <summary>Returns the error in a header, in a few words for an error's name; null if there is none.</summary>
    /// <param name="header">The first bytes of a package.</param>
    /// <param name="largest">The size in bytes of the largest content.</param>
    public static string? FindFault(ReadOnlySpan<byte> header, int largest)
    {
        long content = (long)LengthOf(header) - HeaderSize;
        return header[TypeOffset] switch
        {
            (byte)PackageType.Heartbeat => content == 0 ? null : "received a heartbeat with content",
            (byte)PackageType.Message => content > 0 && content <= largest ? null : "received a frame of an invalid length",
            _ => "received a frame of an unknown type",
        };
    }

    /// <summary>Returns the type of a package; null if its check code is wrong.</summary>
    /// <param name="package">The whole package, in whose header there is no fault.</param>
    public static PackageType? TypeOf(ReadOnlySpan<byte> package) => XorOf(package) == 0 ? (PackageType)package[TypeOffset] : null;

    // Vectors, then words, then bytes: a package of a few bytes is smaller than a vector.
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
