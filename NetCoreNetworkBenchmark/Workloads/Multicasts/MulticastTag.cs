using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// What tells a message of the server from all others: whom it is for and which it is, both in a check, and its time. The receiver knows whom
/// it expects, so that need not be spelled out. In the byte order of the machine: both ends that share a clock share that too.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = Size)]
internal readonly struct MulticastTag
{
    /// <summary>Bytes that it takes at the start of a message.</summary>
    public const int Size = 16;

    /// <summary>The receiver of what is sent to a group; clients count from 1.</summary>
    public const uint Group = 0;

    private readonly uint _check;

    /// <summary>Makes a tag.</summary>
    /// <param name="receiver">The client's number, or <see cref="Group"/>.</param>
    /// <param name="sequence">The message's number in its stream, from 1; of an end the last message's.</param>
    /// <param name="time">When it was sent or due; 0 for the end of a stream.</param>
    public MulticastTag(uint receiver, uint sequence, long time)
    {
        Sequence = sequence;
        Time = time;
        _check = CheckOf(receiver, sequence, time);
    }

    public uint Sequence { get; }

    public long Time { get; }

    /// <summary>Whether it is no message of a stream but says that the stream has ended, and with which message.</summary>
    public bool IsEnd => Time == 0;

    /// <summary>Reads what stands at the start of a message, be it a tag or not.</summary>
    public static MulticastTag ReadFrom(ReadOnlySpan<byte> message) => MemoryMarshal.Read<MulticastTag>(message);

    /// <summary>Writes it at the start of a message.</summary>
    public void WriteTo(Span<byte> message) => MemoryMarshal.Write(message, in this);

    /// <summary>Whether it is for that receiver, undamaged.</summary>
    public bool IsFor(uint receiver) => _check == CheckOf(receiver, Sequence, Time);

    // Each field is multiplied by an odd number, which loses no bit, so a change within one field always changes the check.
    private static uint CheckOf(uint receiver, uint sequence, long time) =>
        (receiver * 0x9E3779B1) ^ (sequence * 0x85EBCA77) ^ ((uint)time * 0xC2B2AE3D) ^ ((uint)((ulong)time >> 32) * 0x27D4EB2F);
}
