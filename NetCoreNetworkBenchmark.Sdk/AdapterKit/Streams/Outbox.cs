using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// The framed messages of one connection that wait to be sent. They are contiguous in memory, so that one call can send all of them. Not thread-safe.
/// </summary>
public sealed class Outbox(RunPlan plan)
{
    private const int SmallestBound = 64 * 1024;

    private readonly Framing _framing = plan.Framing;
    private readonly int _headerSize = StreamFramer.HeaderSizeOf(plan);
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
    /// Whether more data waits than is good: 64 KiB, or two messages if those are larger. A message is still accepted, but a sender that can wait
    /// should wait (<see cref="IPeer.IsCongested"/>). An adapter reads no more from a peer that does not receive its answers.
    /// </summary>
    public bool IsFull => Length >= _bound;

    /// <summary>The waiting bytes, in the order in which they are to be sent; valid until the next call.</summary>
    public ReadOnlyMemory<byte> Waiting => _bytes.AsMemory(_start, Length);

    /// <summary>
    /// The first waiting message with its header, or the rest of it; valid until the next call. For a sender that hands over each message separately,
    /// and removes it by <see cref="SentOfFirst"/>.
    /// </summary>
    public ReadOnlyMemory<byte> First => _bytes.AsMemory(_start, FirstLength);

    private int FirstLength => Length == 0 ? 0
        : _cut > 0 ? _cut
        : _framing == Framing.Length ? StreamFramer.PrefixSize + BinaryPrimitives.ReadInt32BigEndian(_bytes.AsSpan(_start))
        : _framing == Framing.Checked ? CheckedFrame.LengthOf(_bytes.AsSpan(_start))
        : _isAnySize ? Length
        : _largest;

    /// <summary>Determines whether the framing can carry a message.</summary>
    /// <returns>True if the framing can carry the message; false if it is empty, longer than the plan's message size or, without a header, shorter.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool CanCarry(ReadOnlySpan<byte> message) =>
        !message.IsEmpty && message.Length <= _largest && (_isAnySize || message.Length == _largest);

    /// <summary>Appends a message to those that wait.</summary>
    /// <param name="message">The message; it is copied.</param>
    /// <returns>True if the message was added; false if the framing cannot carry it (<see cref="CanCarry"/>).</returns>
    public bool TryAdd(ReadOnlySpan<byte> message)
    {
        if (!CanCarry(message))
        {
            return false;
        }

        int size = _headerSize + message.Length;
        Span<byte> free = Free(size);
        Copy(message, free[_headerSize..]);
        WriteHeader(message, free);
        _end += size;
        return true;
    }

    /// <summary>Writes what is before a message on the stream.</summary>
    /// <param name="message">The message.</param>
    /// <param name="header">The memory for it, of <see cref="StreamFramer.HeaderSizeOf"/> bytes.</param>
    public void WriteHeader(ReadOnlySpan<byte> message, Span<byte> header)
    {
        if (_framing == Framing.Length)
        {
            BinaryPrimitives.WriteInt32BigEndian(header, message.Length);
        }
        else if (_framing == Framing.Checked)
        {
            CheckedFrame.WriteHeader(header, CheckedFrame.PackageType.Message, message);
        }
    }

    /// <summary>Appends a heartbeat to what waits. Only with <see cref="Framing.Checked"/>.</summary>
    public void AddHeartbeat()
    {
        CheckedFrame.WriteHeader(Free(_headerSize), CheckedFrame.PackageType.Heartbeat, []);
        _end += _headerSize;
    }

    /// <summary>Removes sent bytes from the front.</summary>
    /// <param name="count">The number of bytes, not more than <see cref="Length"/>.</param>
    public void Sent(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Length);
        _start += count;
        if (_start == _end)
        {
            _start = _end = _cut = 0;
        }
    }

    /// <summary>Removes sent bytes from <see cref="First"/>.</summary>
    /// <param name="count">The number of bytes, not more than <see cref="First"/> has.</param>
    public void SentOfFirst(int count)
    {
        int first = FirstLength;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, first);
        _cut = first - count;
        Sent(count);
    }

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

    private Span<byte> Free(int count)
    {
        if (_bytes.Length - _end < count)
        {
            int waiting = Length;
            byte[] larger = waiting + count <= _bytes.Length / 2 ? _bytes : new byte[Math.Max(2 * _bytes.Length, 2 * (waiting + count))];
            _bytes.AsSpan(_start, waiting).CopyTo(larger);
            (_bytes, _start, _end) = (larger, 0, waiting);
        }

        return _bytes.AsSpan(_end, count);
    }
}
