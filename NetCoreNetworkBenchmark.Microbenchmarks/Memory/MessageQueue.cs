namespace NetCoreNetworkBenchmark.Microbenchmarks.Memory;

/// <summary>For one thread. The ring grows until it holds the messages in flight. From then on, nothing is allocated.</summary>
internal sealed class MessageQueue(int messageSize)
{
    private byte[] _bytes = new byte[messageSize * 16];
    private Entry[] _entries = new Entry[16];
    private int _head;

    public int Count { get; private set; }

    public void Enqueue(int client, ReadOnlySpan<byte> message)
    {
        if (Count == _entries.Length)
        {
            Grow();
        }

        int index = (_head + Count) & (_entries.Length - 1);
        _entries[index] = new Entry(client, message.Length);
        message.CopyTo(_bytes.AsSpan(index * messageSize, messageSize));
        Count++;
    }

    /// <returns>A message that is valid until the next call of this queue.</returns>
    public ReadOnlySpan<byte> Dequeue(out int client)
    {
        Entry entry = _entries[_head];
        client = entry.Client;
        ReadOnlySpan<byte> message = _bytes.AsSpan(_head * messageSize, entry.Length);
        _head = (_head + 1) & (_entries.Length - 1);
        Count--;
        return message;
    }

    private void Grow()
    {
        var entries = new Entry[_entries.Length * 2];
        var bytes = new byte[checked(entries.Length * messageSize)];
        for (int index = 0; index < Count; index++)
        {
            int from = (_head + index) & (_entries.Length - 1);
            entries[index] = _entries[from];
            _bytes.AsSpan(from * messageSize, messageSize).CopyTo(bytes.AsSpan(index * messageSize));
        }

        (_entries, _bytes, _head) = (entries, bytes, 0);
    }

    private readonly record struct Entry(int Client, int Length);
}
