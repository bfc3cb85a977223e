using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// The unique tag of a message of the server: its sequence number, its time, and a check that includes the receiver. The receiver knows the value
/// that it expects, so that field is not stored. The tag has the byte order of the machine: two ends that share a clock also share the byte order.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = Size)]
internal readonly struct MulticastTag
{
    /// <summary>The size of the tag in bytes at the start of a message.</summary>
    public const int Size = 16;

    /// <summary>The receiver of messages to a group. Clients are numbered from 1.</summary>
    public const uint Group = 0;

    private readonly uint _check;

    /// <summary>Initializes a tag.</summary>
    /// <param name="receiver">The client's number, or <see cref="Group"/>.</param>
    /// <param name="sequence">The number of the message in its stream, from 1; for the end of a stream, the number of the last message.</param>
    /// <param name="time">The time at which the message was sent or due; 0 for the end of a stream.</param>
    public MulticastTag(uint receiver, uint sequence, long time)
    {
        Sequence = sequence;
        Time = time;
        _check = CheckOf(receiver, sequence, time);
    }

    public uint Sequence { get; }

    public long Time { get; }

    /// <summary>Whether the tag marks the end of a stream, with the number of the last message, and not a message of the stream.</summary>
    public bool IsEnd => Time == 0;

    /// <summary>Reads the start of a message, whether or not it is a valid tag.</summary>
    public static MulticastTag ReadFrom(ReadOnlySpan<byte> message) => MemoryMarshal.Read<MulticastTag>(message);

    /// <summary>Writes the tag at the start of a message.</summary>
    public void WriteTo(Span<byte> message) => MemoryMarshal.Write(message, in this);

    /// <summary>Whether the tag is for the given receiver and is not damaged.</summary>
    public bool IsFor(uint receiver) => _check == CheckOf(receiver, Sequence, Time);

    // Each field is multiplied by an odd number, which loses no bits. A change within one field therefore always changes the check.
    private static uint CheckOf(uint receiver, uint sequence, long time) =>
        (receiver * 0x9E3779B1) ^ (sequence * 0x85EBCA77) ^ ((uint)time * 0xC2B2AE3D) ^ ((uint)((ulong)time >> 32) * 0x27D4EB2F);
}
