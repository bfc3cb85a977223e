namespace NetCoreNetworkBenchmark.Libraries.Epoll;

// As the kernel writes it: a sockaddr_in (16 bytes) or sockaddr_in6 (28), the rest zero.
[StructLayout(LayoutKind.Explicit, Size = 32)]
internal readonly struct SocketName : IEquatable<SocketName>
{
    private const ushort AF_INET = 2;
    private const uint SizeOfIPv4 = 16;
    private const uint SizeOfIPv6 = 28;

    [FieldOffset(0)]
    private readonly ushort _family;

    // Family, port and, for IPv4, the address.
    [FieldOffset(0)]
    private readonly ulong _first;

    [FieldOffset(8)]
    private readonly ulong _second;

    [FieldOffset(16)]
    private readonly ulong _third;

    [FieldOffset(24)]
    private readonly ulong _last;

    public SocketName(ReadOnlySpan<byte> address)
    {
        Span<byte> whole = stackalloc byte[32];
        whole.Clear();
        address.CopyTo(whole);
        this = MemoryMarshal.Read<SocketName>(whole);
    }

    public uint Length => _family == AF_INET ? SizeOfIPv4 : SizeOfIPv6;

    public bool Equals(SocketName other) =>
        _first == other._first && _second == other._second && _third == other._third && _last == other._last;

    public override bool Equals(object? obj) => obj is SocketName other && Equals(other);

    public override int GetHashCode() =>

        // Fibonacci hashing: addresses and ports that follow each other are spread by the multiplication's upper half.
        (int)(((_first ^ _second ^ _third ^ _last) * 0x9E3779B97F4A7C15) >> 32);
}
