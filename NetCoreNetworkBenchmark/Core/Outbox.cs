using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Framed messages of one connection that wait to be sent, one after the other in memory, so that one call can send them all. Not for several
/// threads at once.
/// </summary>
/// <param name="plan">The plan of the run.</param>
public sealed class Outbox(RunPlan plan)
{
    private const int SmallestBound = 64 * 1024;

    private readonly bool _hasPrefix = plan.Framing == Framing.Length;
    private readonly int _largest = plan.MessageSize;
    private readonly int _bound = Math.Max(SmallestBound, 2 * (plan.MessageSize + StreamFramer.PrefixSize));
    private byte[] _bytes = [];
    private int _start;
    private int _end;

    // Bytes left of the first message, where some of it was sent; 0 where none was.
    private int _cut;

    /// <summary>Bytes that wait.</summary>
    public int Length => _end - _start;

    /// <summary>
    /// Whether more waits than is good: 64 KiB, or two messages where those are more. A message is still taken; but whoever can wait should
    /// (<see cref="IPeer.IsCongested"/>), and an adapter reads no more from a peer that does not take its answers.
    /// </summary>
    public bool IsFull => Length >= _bound;

    /// <summary>What waits, in the order in which it is to be sent; valid until the next call.</summary>
    public ReadOnlyMemory<byte> Waiting => _bytes.AsMemory(_start, Length);

    /// <summary>
    /// The first message that waits, with its prefix, or the rest of it; valid until the next call. For a sender that hands over each message by itself,
    /// and takes it off by <see cref="SentOfFirst"/>.
    /// </summary>
    public ReadOnlyMemory<byte> First => _bytes.AsMemory(_start, FirstLength);

    private int FirstLength => Length == 0 ? 0
        : _cut > 0 ? _cut
        : _hasPrefix ? StreamFramer.PrefixSize + BinaryPrimitives.ReadInt32BigEndian(_bytes.AsSpan(_start))
        : _largest;

    /// <summary>Determines whether the framing can carry a message.</summary>
    /// <param name="message">The message.</param>
    /// <returns>False where it is empty, longer than the plan says or, without a prefix, shorter.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool CanCarry(ReadOnlySpan<byte> message) =>
        !message.IsEmpty && message.Length <= _largest && (_hasPrefix || message.Length == _largest);

    /// <summary>Puts a message behind those that wait.</summary>
    /// <param name="message">The message; it is copied.</param>
    /// <returns>False where the framing cannot carry it (<see cref="CanCarry"/>).</returns>
    public bool TryAdd(ReadOnlySpan<byte> message)
    {
        if (!CanCarry(message))
        {
            return false;
        }

        int prefix = _hasPrefix ? StreamFramer.PrefixSize : 0;
        Span<byte> free = Free(prefix + message.Length);
        if (_hasPrefix)
        {
            BinaryPrimitives.WriteInt32BigEndian(free, message.Length);
        }

        message.CopyTo(free[prefix..]);
        _end += prefix + message.Length;
        return true;
    }

    /// <summary>Takes bytes that were sent off the front.</summary>
    /// <param name="count">How many, not more than wait.</param>
    public void Sent(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Length);
        _start += count;
        if (_start == _end)
        {
            _start = _end = _cut = 0;
        }
    }

    /// <summary>Takes bytes that were sent off <see cref="First"/>.</summary>
    /// <param name="count">How many, not more than it has.</param>
    public void SentOfFirst(int count)
    {
        int first = FirstLength;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, first);
        _cut = first - count;
        Sent(count);
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
