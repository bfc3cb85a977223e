namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Bytes in flight, in a buffer that is reused.</summary>
internal abstract class PacketBuffer(int capacity)
{
    private readonly byte[] _buffer = new byte[capacity];
    private int _length;

    public int Capacity => _buffer.Length;

    public Span<byte> Bytes => _buffer.AsSpan(0, _length);

    protected void Fill(ReadOnlySpan<byte> bytes)
    {
        _length = bytes.Length;
        bytes.CopyTo(_buffer);
    }
}
