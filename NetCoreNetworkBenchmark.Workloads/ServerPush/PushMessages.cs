using System.Buffers.Binary;

namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

// The message has the same size as all others. Its first byte is the kind and the round. If it is large enough, the client's number and a check follow, so
// that a damaged request is not mistaken for another one.
internal readonly record struct PushRequest(PushRequestKind Kind, byte Round, uint Client)
{
    public const byte LastRound = 63;

    private const int RoundShift = 2;
    private const byte KindMask = (1 << RoundShift) - 1;
    private const int ClientAt = 4;
    private const int CheckAt = 8;
    private const ulong Magic = 0x6D63_6173_7452_6571;

    public byte[] Compose(int size)
    {
        byte[] message = new byte[size];
        message[0] = First;
        if (size >= PushTag.Size)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(ClientAt), Client);
            BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(CheckAt), Check);
        }

        return message;
    }

    // Of kind None if the message is not a request.
    public static PushRequest Read(ReadOnlySpan<byte> message)
    {
        PushRequestKind kind = message.IsEmpty ? PushRequestKind.None : (PushRequestKind)(message[0] & KindMask);
        if (kind is not (PushRequestKind.Start or PushRequestKind.Stop))
        {
            return default;
        }

        byte round = (byte)(message[0] >> RoundShift);
        if (message.Length < PushTag.Size)
        {
            return new PushRequest(kind, round, 0);
        }

        var request = new PushRequest(kind, round, BinaryPrimitives.ReadUInt32LittleEndian(message[ClientAt..]));
        return BinaryPrimitives.ReadUInt64LittleEndian(message[CheckAt..]) == request.Check ? request : default;
    }

    /// <summary>Compares by serial number arithmetic (RFC 1982).</summary>
    public static bool IsAfter(byte round, byte other) => ((round - other) & LastRound) is > 0 and <= LastRound / 2;

    private byte First => (byte)((byte)Kind | (Round << RoundShift));

    private ulong Check => Magic ^ ((ulong)Client << 8) ^ First;
}

internal enum PushRequestKind : byte
{
    None,
    Start,
    Stop,
}

// The receiver, which is known, is part of the check alone. The byte order is the machine's: two ends that share a clock share it too.
[StructLayout(LayoutKind.Sequential, Size = Size)]
internal readonly struct PushTag
{
    public const int Size = 16;

    /// <summary>Clients are numbered from 1.</summary>
    public const uint Group = 0;

    private readonly uint _check;

    // The end of a stream has the number of its last message and the time 0.
    public PushTag(uint receiver, uint sequence, long time)
    {
        Sequence = sequence;
        Time = time;
        _check = CheckOf(receiver, sequence, time);
    }

    public uint Sequence { get; }

    public long Time { get; }

    public bool IsEnd => Time == 0;

    /// <summary>The message may have no valid tag.</summary>
    public static PushTag ReadFrom(ReadOnlySpan<byte> message) => MemoryMarshal.Read<PushTag>(message);

    public void WriteTo(Span<byte> message) => MemoryMarshal.Write(message, in this);

    public bool IsFor(uint receiver) => _check == CheckOf(receiver, Sequence, Time);

    // Each field is multiplied by an odd number, which loses no bits. A change within one field therefore always changes the check.
    private static uint CheckOf(uint receiver, uint sequence, long time) =>
        (receiver * 0x9E3779B1) ^ (sequence * 0x85EBCA77) ^ ((uint)time * 0xC2B2AE3D) ^ ((uint)((ulong)time >> 32) * 0x27D4EB2F);
}
