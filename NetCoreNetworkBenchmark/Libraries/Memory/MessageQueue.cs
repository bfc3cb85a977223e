namespace NetCoreNetworkBenchmark.Libraries.Memory;

/// <summary>
/// Messages with their receivers, first in first out, for one thread. The ring grows until it holds what is in flight, and from
/// then on nothing is allocated.
/// </summary>
internal sealed class MessageQueue(int messageSize)
{
    private readonly int _slotSize = messageSize;
    private byte[] _bytes = new byte[messageSize * 16];
    private Entry[] _entries = new Entry[16];
    private int _head;

    public int Count { get; private set; }

    public void Enqueue(MemoryPeer receiver, ReadOnlySpan<byte> message)
    {
        if (Count == _entries.Length)
        {
            Grow();
        }

        int index = (_head + Count) & (_entries.Length - 1);
        _entries[index] = new Entry(receiver, message.Length);
        message.CopyTo(_bytes.AsSpan(index * _slotSize));
        Count++;
    }

    /// <summary>Takes the oldest message; its bytes are valid until the next call that enqueues.</summary>
    public MemoryPeer Dequeue(Span<byte> buffer, out int length)
    {
        Entry entry = _entries[_head];
        length = entry.Length;
        _bytes.AsSpan(_head * _slotSize, length).CopyTo(buffer);
        _head = (_head + 1) & (_entries.Length - 1);
        Count--;
        return entry.Receiver;
    }

    private void Grow()
    {
        var entries = new Entry[_entries.Length * 2];
        var bytes = new byte[checked(entries.Length * _slotSize)];
        for (int index = 0; index < Count; index++)
        {
            int from = (_head + index) & (_entries.Length - 1);
            entries[index] = _entries[from];
            _bytes.AsSpan(from * _slotSize, _slotSize).CopyTo(bytes.AsSpan(index * _slotSize));
        }

        (_entries, _bytes, _head) = (entries, bytes, 0);
    }

    private readonly record struct Entry(MemoryPeer Receiver, int Length);
}
