using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

// The receiver knows the value that it expects, so it is part of the check alone. The byte order is that of the machine: two ends that share a clock share it
// too.
[StructLayout(LayoutKind.Sequential, Size = Size)]
internal readonly struct MulticastTag
{
    public const int Size = 16;

    /// <summary>The receiver of messages to a group. Clients are numbered from 1.</summary>
    public const uint Group = 0;

    private readonly uint _check;

    // The end of a stream has the number of its last message and the time 0.
    public MulticastTag(uint receiver, uint sequence, long time)
    {
        Sequence = sequence;
        Time = time;
        _check = CheckOf(receiver, sequence, time);
    }

    public uint Sequence { get; }

    public long Time { get; }

    public bool IsEnd => Time == 0;

    /// <summary>Reads the start of a message, whether or not it is a valid tag.</summary>
    public static MulticastTag ReadFrom(ReadOnlySpan<byte> message) => MemoryMarshal.Read<MulticastTag>(message);

    public void WriteTo(Span<byte> message) => MemoryMarshal.Write(message, in this);

    public bool IsFor(uint receiver) => _check == CheckOf(receiver, Sequence, Time);

    // Each field is multiplied by an odd number, which loses no bits. A change within one field therefore always changes the check.
    private static uint CheckOf(uint receiver, uint sequence, long time) =>
        (receiver * 0x9E3779B1) ^ (sequence * 0x85EBCA77) ^ ((uint)time * 0xC2B2AE3D) ^ ((uint)((ulong)time >> 32) * 0x27D4EB2F);
}
