using System.Buffers.Binary;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads;

/// <summary>
/// What is in a message: a tag that tells which one it is, then the load. A message that is too small for the tag is load alone,
/// and is told by its order.
/// </summary>
internal sealed class MessageLayout
{
    /// <summary>Bytes of the tag: client, sequence number, slot and check, 32 bits each, little-endian.</summary>
    public const int TagSize = 16;

    private readonly byte[] _template;

    public MessageLayout(RunPlan plan)
    {
        _template = new byte[plan.MessageSize];
        switch (plan.MessageLoad)
        {
            case MessageLoad.Random:
                new Random(plan.Seed).NextBytes(_template);
                break;
            case MessageLoad.Ones:
                _template.AsSpan().Fill(0xff);
                break;
            case MessageLoad.Zeros:
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(plan), plan.MessageLoad, "Not a message load.");
        }
    }

    /// <summary>Whether messages carry a tag.</summary>
    public bool IsTagged => _template.Length >= TagSize;

    /// <summary>A message with its load in place, for one client to write its tags into.</summary>
    public byte[] CreateMessage() => [.. _template];

    /// <summary>Writes the tag at the start of a message.</summary>
    public static void WriteTag(Span<byte> message, uint client, uint sequence, int slot)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(message, client);
        BinaryPrimitives.WriteUInt32LittleEndian(message[4..], sequence);
        BinaryPrimitives.WriteInt32LittleEndian(message[8..], slot);
        BinaryPrimitives.WriteUInt32LittleEndian(message[12..], CheckOf(client, sequence, slot));
    }

    /// <summary>Reads the tag back.</summary>
    /// <returns>False where the tag is damaged or is another client's.</returns>
    public static bool TryReadTag(ReadOnlySpan<byte> message, uint client, out uint sequence, out int slot)
    {
        sequence = BinaryPrimitives.ReadUInt32LittleEndian(message[4..]);
        slot = BinaryPrimitives.ReadInt32LittleEndian(message[8..]);
        return BinaryPrimitives.ReadUInt32LittleEndian(message) == client
            && BinaryPrimitives.ReadUInt32LittleEndian(message[12..]) == CheckOf(client, sequence, slot);
    }

    /// <summary>Whether size and load are what was sent. The tag is not looked at.</summary>
    public bool IsIntact(ReadOnlySpan<byte> message)
    {
        int start = IsTagged ? TagSize : 0;
        return message.Length == _template.Length && message[start..].SequenceEqual(_template.AsSpan(start));
    }

    // Each field is multiplied by an odd number, which loses no bit, so a change within one field always changes the check.
    private static uint CheckOf(uint client, uint sequence, int slot) =>
        (client * 0x9E3779B1) ^ (sequence * 0x85EBCA77) ^ ((uint)slot * 0xC2B2AE3D);
}
