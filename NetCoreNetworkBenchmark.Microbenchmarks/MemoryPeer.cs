namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>One end of a connection in memory. It keeps copies of what it has sent until the other end takes them, as many as are in flight.</summary>
internal sealed class MemoryPeer(int inFlight, int messageSize) : IPeer
{
    private readonly byte[] _bytes = new byte[inFlight * messageSize];
    private int _first;
    private int _count;

    public object? State { get; set; }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (_count == inFlight)
        {
            return false;
        }

        int slot = _first + _count++;
        message.CopyTo(SlotOf(slot < inFlight ? slot : slot - inFlight));
        return true;
    }

    /// <param name="message">Valid until this end sends again.</param>
    public bool TryTake(out ReadOnlySpan<byte> message)
    {
        if (_count == 0)
        {
            message = default;
            return false;
        }

        message = SlotOf(_first);
        _first = _first + 1 == inFlight ? 0 : _first + 1;
        _count--;
        return true;
    }

    public void Close() => throw new NotSupportedException("A connection in memory stays open.");

    private Span<byte> SlotOf(int slot) => _bytes.AsSpan(slot * messageSize, messageSize);
}
