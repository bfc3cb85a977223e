using System.Buffers.Binary;

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

    /// <summary>Bytes that wait.</summary>
    public int Length => _end - _start;

    /// <summary>
    /// Whether more waits than is good: 64 KiB, or two messages where those are more. A message is still taken; but whoever can wait should
    /// (<see cref="IPeer.IsCongested"/>), and an adapter reads no more from a peer that does not take its answers.
    /// </summary>
    public bool IsFull => Length >= _bound;

    /// <summary>What waits, in the order in which it is to be sent; valid until the next call.</summary>
    public ReadOnlyMemory<byte> Waiting => _bytes.AsMemory(_start, Length);

    /// <summary>Puts a message behind those that wait.</summary>
    /// <param name="message">The message; it is copied.</param>
    /// <returns>False where the framing cannot carry it: it is empty, longer than the plan says or, without a prefix, shorter.</returns>
    public bool TryAdd(ReadOnlySpan<byte> message)
    {
        if (message.IsEmpty || message.Length > _largest || (!_hasPrefix && message.Length != _largest))
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
            _start = _end = 0;
        }
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
