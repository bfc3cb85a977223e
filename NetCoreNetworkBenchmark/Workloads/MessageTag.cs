using System.Runtime.Intrinsics;

namespace NetCoreNetworkBenchmark.Workloads;

/// <summary>
/// What tells one message from all others: client, sequence number, slot and check, 32 bits each. It is made, written, read and compared
/// as one vector, and so a library that copies the message with wide loads need not wait for four narrow stores.
/// </summary>
internal readonly struct MessageTag
{
    /// <summary>Bytes that it takes at the start of a message, in the byte order of the client: nobody else reads it.</summary>
    public const int Size = 16;

    private const int SequenceField = 1;
    private const int SlotField = 2;

    private readonly Vector128<uint> _fields;

    public MessageTag(uint client, uint sequence, int slot) =>
        _fields = Vector128.Create(client, sequence, (uint)slot, CheckOf(client, sequence, slot));

    private MessageTag(Vector128<uint> fields) => _fields = fields;

    public uint Sequence => _fields.GetElement(SequenceField);

    public int Slot => (int)_fields.GetElement(SlotField);

    /// <summary>Reads what stands at the start of a message, be it a tag or not.</summary>
    public static MessageTag ReadFrom(ReadOnlySpan<byte> message) => new(Vector128.Create(message).AsUInt32());

    /// <summary>Writes it at the start of a message.</summary>
    public void WriteTo(Span<byte> message) => _fields.AsByte().CopyTo(message);

    /// <summary>Whether all four fields are the same; where the other is one that was made, the check of this one is right as well.</summary>
    public bool Equals(MessageTag other) => _fields == other._fields;

    /// <summary>Whether it is one of that client's, undamaged.</summary>
    public bool IsOf(uint client) => Equals(new MessageTag(client, Sequence, Slot));

    // Each field is multiplied by an odd number, which loses no bit, so a change within one field always changes the check.
    private static uint CheckOf(uint client, uint sequence, int slot) =>
        (client * 0x9E3779B1) ^ (sequence * 0x85EBCA77) ^ ((uint)slot * 0xC2B2AE3D);
}
