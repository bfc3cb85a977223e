using System.Buffers.Binary;
using System.Runtime.Intrinsics;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>The framed messages of one connection that wait to be sent, contiguous in memory, so that one call can send all. Not thread-safe.</summary>
public sealed class Outbox(RunPlan plan, bool sendsEachMessage = false)
{
    private const int SmallestBound = 64 * 1024;

    private readonly Framing _framing = plan.Framing;
    private readonly bool _sendsEachMessage = sendsEachMessage;
    private readonly bool _isAnySize = plan.Framing != Framing.Fixed;
    private readonly int _largest = StreamFramer.LargestOf(plan);
    private readonly int _bound = Math.Max(SmallestBound, 2 * (StreamFramer.LargestOf(plan) + StreamFramer.HeaderSizeOf(plan)));
    private byte[] _bytes = [];
    private int _start;
    private int _end;

    // Bytes that are left of the first message, if a part of it was sent; 0 if none was.
    private int _cut;

    /// <summary>The number of waiting bytes.</summary>
    public int Length => _end - _start;

    /// <summary>
    /// Whether more data waits than is good: 64 KiB, or two messages if those are larger. A message is still accepted, but an adapter reads no more from a
    /// peer that does not receive its answers (<see cref="IPeer.IsCongested"/>).
    /// </summary>
    public bool IsFull => Length >= _bound;

    /// <summary>The size in bytes of the header before each message; 0 if there is none.</summary>
    public int HeaderSize { get; } = StreamFramer.HeaderSizeOf(plan);

    /// <summary>
    /// The bytes for the next call; valid until the next change. They are the first waiting message with its header, or the rest of it, if each message is
    /// sent by a call of its own; otherwise, all waiting bytes.
    /// </summary>
    public ReadOnlyMemory<byte> Next => _bytes.AsMemory(_start, NextLength);

    private int NextLength => !_sendsEachMessage || Length == 0 ? Length
        : _cut > 0 ? _cut
        : _framing == Framing.Length ? StreamFramer.PrefixSize + BinaryPrimitives.ReadInt32BigEndian(_bytes.AsSpan(_start))
        : _framing == Framing.Checked ? CheckedFrame.LengthOf(_bytes.AsSpan(_start))
        : _isAnySize ? Length
        : _largest;

    /// <summary>
    /// Determines whether the framing can carry a message: not empty, not longer than the plan's message size and, without a header, not shorter.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool CanCarry(ReadOnlySpan<byte> message) =>
        !message.IsEmpty && message.Length <= _largest && (_isAnySize || message.Length == _largest);

    /// <summary>Appends a copy of a message; false if the framing cannot carry it (<see cref="CanCarry"/>).</summary>
    public bool TryAdd(ReadOnlySpan<byte> message)
    {
        if (!CanCarry(message))
        {
            return false;
        }

        int size = HeaderSize + message.Length;
        Span<byte> free = Free(size);
        Copy(message, free[HeaderSize..]);
        WriteHeader(message, free);
        _end += size;
        return true;
    }

    /// <summary>Writes what is before a message on the stream, <see cref="StreamFramer.HeaderSizeOf"/> bytes.</summary>
    public void WriteHeader(ReadOnlySpan<byte> message, Span<byte> header)
    {
        if (_framing == Framing.Length)
        {
            BinaryPrimitives.WriteInt32BigEndian(header, message.Length);
        }
        else if (_framing == Framing.Checked)
        {
            CheckedFrame.WriteHeader(header, CheckedFrame.FrameType.Message, message);
        }
    }

    /// <summary>Appends a heartbeat to what waits. Only with <see cref="Framing.Checked"/>.</summary>
    public void AddHeartbeat()
    {
        CheckedFrame.WriteHeader(Free(HeaderSize), CheckedFrame.FrameType.Heartbeat, []);
        _end += HeaderSize;
    }

    /// <summary>Removes sent bytes from <see cref="Next"/>.</summary>
    public void Sent(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Length);
        if (count == Length)
        {
            Clear();
            return;
        }

        int next = NextLength;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, next);
        _cut = next - count;
        _start += count;
    }

    /// <summary>Removes all waiting bytes.</summary>
    public void Clear() => _start = _end = _cut = 0;

    // The default message is two vectors. To copy them here costs less than a call. They are not read as one, because the first has just been written by
    // itself.
    private static void Copy(ReadOnlySpan<byte> message, Span<byte> free)
    {
        if (message.Length == 2 * Vector128<byte>.Count)
        {
            Vector128.Create(message).CopyTo(free);
            Vector128.Create(message[Vector128<byte>.Count..]).CopyTo(free[Vector128<byte>.Count..]);
            return;
        }

        message.CopyTo(free);
    }

    // Twice of what waits, as far as an array can be that long.
    internal static int CapacityFor(int capacity, int waiting, int count)
    {
        long needed = (long)waiting + count;
        return needed <= Array.MaxLength
            ? (int)Math.Min(Array.MaxLength, 2 * Math.Max(capacity, needed))
            : throw new BenchmarkException("More than 2 GiB wait to be sent on one connection. Use fewer or smaller messages in flight.");
    }

    private Span<byte> Free(int count)
    {
        if (_bytes.Length - _end < count)
        {
            int waiting = Length;
            byte[] larger = waiting <= (_bytes.Length / 2) - count ? _bytes : new byte[CapacityFor(_bytes.Length, waiting, count)];
            _bytes.AsSpan(_start, waiting).CopyTo(larger);
            (_bytes, _start, _end) = (larger, 0, waiting);
        }

        return _bytes.AsSpan(_end, count);
    }
}
