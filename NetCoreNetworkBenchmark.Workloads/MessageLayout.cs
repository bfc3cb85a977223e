using System.Runtime.Intrinsics;

namespace NetCoreNetworkBenchmark.Workloads;

// A tag that identifies the message, then the load. A message that is too small for the tag is identified by its order.
internal sealed class MessageLayout
{
    // From this size on, the comparison with one value costs less than the one with a template, which competes for the cache.
    private const int SmallestFilled = 16 * 1024;

    // Recorded messages follow each other.
    private readonly byte[] _template;
    private readonly int _smallest;
    private readonly uint _seed;

    // The size of all messages; 0 if the tag determines which part of the template is sent.
    private readonly int _onlySize;

    // The value of all bytes of a large message; null for others, and if they differ.
    private readonly byte? _fill;

    // Where each recorded message begins, and where the last one ends; null if there are none.
    private readonly int[]? _starts;

    public MessageLayout(RunPlan plan)
    {
        (_smallest, _seed) = (plan.SmallestMessage ?? plan.MessageSize, (uint)plan.Seed);
        if (plan.Payload is { } payload)
        {
            _template = [.. payload.Content.SelectMany(message => message)];
            _starts = new int[payload.Messages + 1];
            for (int message = 0; message < payload.Messages; message++)
            {
                _starts[message + 1] = _starts[message] + payload.Content[message].Length;
            }

            return;
        }

        _template = new byte[plan.MessageSize];
        _onlySize = plan.SmallestMessage is null ? plan.MessageSize : 0;
        switch (plan.MessageLoad)
        {
            case MessageLoad.Random:
                new Random(plan.Seed).NextBytes(_template);
                break;
            case MessageLoad.Ones or MessageLoad.Zeros:
                byte value = plan.MessageLoad == MessageLoad.Ones ? byte.MaxValue : byte.MinValue;
                _fill = plan.MessageSize >= SmallestFilled ? value : null;
                _template.AsSpan().Fill(value);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(plan), plan.MessageLoad, "Not a message load.");
        }
    }

    public bool IsTagged => _template.Length >= MessageTag.Size;

    public byte[] CreateMessage() => [.. _template];

    // The caller writes a tag and sends at once. All clients of a thread share this memory, which stays in the cache, as thousands of buffers would not.
    public byte[] MessageOf(WorkerStatistics worker) => Unsafe.As<byte[]>(worker.WorkloadState ??= CreateMessage());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Complete(byte[] message, MessageTag tag)
    {
        if (!IsTagged)
        {
            return message;
        }

        if (_onlySize == message.Length)
        {
            tag.WriteTo(message);
            return message;
        }

        Span<byte> part = message.AsSpan(PartOf(tag));
        tag.WriteTo(part);
        return part;
    }

    /// <summary>Checks the size and the load, not the tag.</summary>
    public bool IsIntact(ReadOnlySpan<byte> message)
    {
        ReadOnlySpan<byte> template = _template;
        if (message.Length != _onlySize)
        {
            return _onlySize == 0 && message.Length >= MessageTag.Size && HasLoad(message, template[PartOf(MessageTag.ReadFrom(message))]);
        }

        // The default message has one vector after its tag. The comparison here costs less than a call.
        return template.Length == MessageTag.Size + Vector128<byte>.Count
            ? Vector128.Create(message[MessageTag.Size..]) == Vector128.Create(template[MessageTag.Size..])
            : HasLoad(message, template);
    }

    private bool HasLoad(ReadOnlySpan<byte> message, ReadOnlySpan<byte> sent)
    {
        int start = IsTagged ? MessageTag.Size : 0;
        return message.Length == sent.Length
            && (_fill is { } fill ? !message[start..].ContainsAnyExcept(fill) : message[start..].SequenceEqual(sent[start..]));
    }

    // From the tag alone, so that the receiver knows it too.
    private Range PartOf(MessageTag tag)
    {
        if (_starts is null)
        {
            return ..(_smallest + Share(tag, _template.Length - _smallest + 1));
        }

        // Each client begins at another message.
        int messages = _starts.Length - 1;
        int message = (int)(((uint)Share(tag.First(), messages) + (ulong)tag.Sequence) % (uint)messages);
        return _starts[message].._starts[message + 1];
    }

    private int Share(MessageTag tag, int count) => (int)(((ulong)tag.Mix(_seed) * (uint)count) >> 32);
}

internal static class SequenceNumber
{
    /// <summary>Compares by serial number arithmetic (RFC 1982): correct across the wrap after 2^32 messages.</summary>
    public static bool IsAfter(uint sequence, uint other) => (int)(sequence - other) > 0;
}

// Client, sequence number, slot and check, 32 bits each. One vector: a library that copies with wide loads need not wait for four narrow stores.
internal readonly struct MessageTag
{
    // The tag has the byte order of the client, which alone reads it.
    public const int Size = 16;

    private const int ClientField = 0;
    private const int SequenceField = 1;
    private const int SlotField = 2;
    private const int CheckField = 3;

    private readonly Vector128<uint> _fields;

    public MessageTag(uint client, uint sequence, int slot) =>
        _fields = Vector128.Create(client, sequence, (uint)slot, CheckOf(client, sequence, slot));

    private MessageTag(Vector128<uint> fields) => _fields = fields;

    public uint Sequence => _fields.GetElement(SequenceField);

    public int Slot => (int)_fields.GetElement(SlotField);

    /// <summary>The message may have no valid tag.</summary>
    public static MessageTag ReadFrom(ReadOnlySpan<byte> message) => new(Vector128.Create(message).AsUInt32());

    public void WriteTo(Span<byte> message) => _fields.AsByte().CopyTo(message);

    /// <summary>If the other tag was created, and not read, the check of this one is also correct.</summary>
    public bool Equals(MessageTag other) => _fields == other._fields;

    /// <summary>The client never sends its message number 0.</summary>
    public MessageTag First() => new(_fields.GetElement(ClientField), 0, 0);

    public bool IsOf(uint client) => Equals(new MessageTag(client, Sequence, Slot));

    /// <summary>Returns a number that depends on client and sequence, uniformly distributed over 32 bits (the finalizer of MurmurHash3).</summary>
    public uint Mix(uint seed)
    {
        uint mixed = _fields.GetElement(CheckField) ^ (seed * 0x9E3779B1);
        mixed = (mixed ^ (mixed >> 16)) * 0x85EBCA6B;
        mixed = (mixed ^ (mixed >> 13)) * 0xC2B2AE35;
        return mixed ^ (mixed >> 16);
    }

    // Each field is multiplied by an odd number, which loses no bits. A change within one field therefore always changes the check.
    private static uint CheckOf(uint client, uint sequence, int slot) =>
        (client * 0x9E3779B1) ^ (sequence * 0x85EBCA77) ^ ((uint)slot * 0xC2B2AE3D);
}
