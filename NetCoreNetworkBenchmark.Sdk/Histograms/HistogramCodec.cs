using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;

namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// Converts a histogram to and from text that every HdrHistogram tool reads: its compressed encoding, version 2, in base64
/// (https://github.com/HdrHistogram/HdrHistogram, <c>AbstractHistogram.encodeIntoCompressedByteBuffer</c>).
/// </summary>
/// <remarks>
/// The encoding holds the counts of the buckets and no single value. For a decoded histogram, <see cref="LatencyHistogram.Max"/> is therefore
/// the highest value of the bucket of the largest value, <see cref="LatencyHistogram.Min"/> is the lowest value of the bucket of the
/// smallest, and <see cref="LatencyHistogram.Mean"/> is computed from the middles of the buckets. HdrHistogram's decoders give the same.
/// Another tool's layout is converted to the layout of <see cref="LatencyHistogram"/>: percentiles stay the same up to three significant
/// digits; four or five digits are reduced to three.
/// </remarks>
public static class HistogramCodec
{
    private const int Cookie = 0x1c849303 | 0x10;
    private const int CompressedCookie = 0x1c849304 | 0x10;
    private const int WordSizeBits = 0xf0;
    private const int HeaderSize = 40;
    private const int CompressedHeaderSize = 8;

    /// <summary>Encodes a histogram that is no longer written to.</summary>
    /// <param name="histogram">The histogram, in nanoseconds.</param>
    /// <returns>The base64 text of one line.</returns>
    public static string Encode(LatencyHistogram histogram)
    {
        using var bytes = new MemoryStream();
        bytes.Write(stackalloc byte[CompressedHeaderSize]);
        using (var zlib = new ZLibStream(bytes, CompressionLevel.SmallestSize, leaveOpen: true))
        {
            zlib.Write(Plain(histogram));
        }

        Span<byte> all = bytes.GetBuffer().AsSpan(0, (int)bytes.Length);
        BinaryPrimitives.WriteInt32BigEndian(all, CompressedCookie);
        BinaryPrimitives.WriteInt32BigEndian(all[4..], all.Length - CompressedHeaderSize);
        return Convert.ToBase64String(all);
    }

    /// <summary>Decodes a histogram of this program, or of another tool that uses nanoseconds.</summary>
    /// <param name="base64">The base64 text.</param>
    /// <returns>A new histogram. The remarks of this class describe its precision.</returns>
    /// <exception cref="FormatException">The text is not such an encoding, is damaged, or contains values that are not possible for a latency.</exception>
    public static LatencyHistogram Decode(string base64)
    {
        byte[] bytes = Convert.FromBase64String(base64);
        if (bytes.Length < CompressedHeaderSize || !IsCookie(bytes, CompressedCookie))
        {
            throw new FormatException("The text is not a compressed HdrHistogram of version 2.");
        }

        int length = BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(4));
        if (length < 0 || length > bytes.Length - CompressedHeaderSize)
        {
            throw new FormatException($"The histogram should have {length} compressed bytes, but {bytes.Length - CompressedHeaderSize} are there.");
        }

        using var zlib = new ZLibStream(new MemoryStream(bytes, CompressedHeaderSize, length), CompressionMode.Decompress);
        return Inflate(zlib);
    }

    private static ReadOnlySpan<byte> Plain(LatencyHistogram histogram)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.Write(stackalloc byte[HeaderSize]);
        ReadOnlySpan<long> counts = histogram.Counts;
        while (!counts.IsEmpty)
        {
            int zeros = counts.IndexOfAnyExcept(0);
            int run = zeros < 0 ? counts.Length : zeros;
            ZigZagLeb128.Write(writer, run > 1 ? -run : counts[0]);
            counts = counts[Math.Max(1, run)..];
        }

        byte[] bytes = writer.WrittenSpan.ToArray();
        BinaryPrimitives.WriteInt32BigEndian(bytes, Cookie);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(4), bytes.Length - HeaderSize);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(12), BucketLayout.Latency.Digits);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(16), BucketLayout.Latency.Lowest);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(24), BucketLayout.Latency.Highest);
        BinaryPrimitives.WriteDoubleBigEndian(bytes.AsSpan(32), 1);
        return bytes;
    }

    private static LatencyHistogram Inflate(ZLibStream zlib)
    {
        try
        {
            // No byte is read beyond those that are needed: HdrHistogram.NET leaves out zlib's check sum, which would be the end of the stream.
            byte[] header = new byte[HeaderSize];
            zlib.ReadExactly(header);
            BucketLayout layout = ReadLayout(header);
            byte[] payload = new byte[PayloadLength(header, layout)];
            zlib.ReadExactly(payload);
            return ReadCounts(payload, layout);
        }
        catch (Exception exception) when (exception is InvalidDataException or EndOfStreamException)
        {
            throw new FormatException("The compressed data of the histogram is damaged or cut off.", exception);
        }
    }

    // The skipped fields describe the position of the counts in the encoder's memory, and the scale of a histogram of floating-point numbers.
    private static BucketLayout ReadLayout(ReadOnlySpan<byte> header) => IsCookie(header, Cookie)
        ? new BucketLayout(
            lowest: BinaryPrimitives.ReadInt64BigEndian(header[16..]),
            highest: BinaryPrimitives.ReadInt64BigEndian(header[24..]),
            digits: BinaryPrimitives.ReadInt32BigEndian(header[12..]))
        : throw new FormatException("The compressed data is not an HdrHistogram of version 2.");

    private static int PayloadLength(ReadOnlySpan<byte> header, BucketLayout layout)
    {
        int length = BinaryPrimitives.ReadInt32BigEndian(header[4..]);
        return length >= 0 && length <= (long)layout.Length * ZigZagLeb128.MaxBytes
            ? length
            : throw new FormatException($"{layout.Length} counts of a histogram cannot have {length} bytes.");
    }

    private static LatencyHistogram ReadCounts(ReadOnlySpan<byte> payload, BucketLayout layout)
    {
        var histogram = new LatencyHistogram();
        int index = 0;
        while (!payload.IsEmpty)
        {
            long count = ZigZagLeb128.Read(ref payload);

            // A negative number is a run of zeros. The difference cannot overflow; the negation could.
            if (count < 0 ? count < index - layout.Length : index == layout.Length)
            {
                throw new FormatException($"The histogram has more counts than the {layout.Length} of its range.");
            }

            if (count > 0)
            {
                histogram.Add(layout.At(index, count));
            }

            index += count < 0 ? (int)-count : 1;
        }

        return histogram;
    }

    // Other tools may write another word size, which has no meaning in version 2.
    private static bool IsCookie(ReadOnlySpan<byte> bytes, int cookie) =>
        (BinaryPrimitives.ReadInt32BigEndian(bytes) & ~WordSizeBits) == (cookie & ~WordSizeBits);
}

/// <summary>
/// LEB128-64b9B with ZigZag, the encoding of HdrHistogram's counts. Each byte carries seven bits, the lowest first. Its eighth bit indicates
/// that another byte follows. A ninth byte carries eight bits, so no number takes more. Small numbers of either sign are short.
/// </summary>
internal static class ZigZagLeb128
{
    public const int MaxBytes = 9;

    private const int LastShift = 7 * (MaxBytes - 1);

    public static void Write(IBufferWriter<byte> writer, long number)
    {
        Span<byte> bytes = writer.GetSpan(MaxBytes);
        ulong rest = (ulong)((number << 1) ^ (number >> 63));
        int length = 0;
        while (rest > 0x7f && length < MaxBytes - 1)
        {
            bytes[length++] = (byte)(rest | 0x80);
            rest >>= 7;
        }

        bytes[length++] = (byte)rest;
        writer.Advance(length);
    }

    /// <exception cref="FormatException">The bytes end within the number.</exception>
    public static long Read(ref ReadOnlySpan<byte> bytes)
    {
        ulong number = 0;
        int shift = 0;
        byte next;
        do
        {
            if (bytes.IsEmpty)
            {
                throw new FormatException("The counts of the histogram end within a number.");
            }

            next = bytes[0];
            bytes = bytes[1..];
            number |= (ulong)(shift == LastShift ? next : next & 0x7f) << shift;
            shift += 7;
        }
        while (next > 0x7f && shift <= LastShift);
        return (long)(number >> 1) ^ -(long)(number & 1);
    }
}
