using System.Buffers;

namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// LEB128-64b9B with ZigZag, the encoding of HdrHistogram's counts. Each byte carries seven bits, the lowest first. Its eighth bit indicates
/// that another byte follows. A ninth byte carries eight bits, so no number takes more. Small numbers of either sign are short.
/// </summary>
internal static class ZigZagLeb128
{
    /// <summary>The length of the longest number in bytes.</summary>
    public const int MaxBytes = 9;

    private const int LastShift = 7 * (MaxBytes - 1);

    /// <summary>Writes one number.</summary>
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

    /// <summary>Reads one number and advances past it.</summary>
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
