namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// The datagrams by which adapters of libraries without connections register a client at the server before the load, and notify the other side of a close.
/// During the load nothing is added to a message.
/// </summary>
public static class DatagramHandshake
{
    /// <summary>Bytes of a datagram of the handshake.</summary>
    public const int Size = 17;

    private static readonly byte[] s_hello = Compose(DatagramHandshakeKind.Hello);
    private static readonly byte[] s_welcome = Compose(DatagramHandshakeKind.Welcome);
    private static readonly byte[] s_bye = Compose(DatagramHandshakeKind.Bye);

    /// <summary>The client requests its registration.</summary>
    public static ReadOnlySpan<byte> Hello => s_hello;

    /// <summary>The server's answer: the client is registered.</summary>
    public static ReadOnlySpan<byte> Welcome => s_welcome;

    /// <summary>Either side's last datagram: the connection is closed.</summary>
    public static ReadOnlySpan<byte> Bye => s_bye;

    // 128 random bits: it is not to be expected that a message begins with them by chance.
    private static ReadOnlySpan<byte> Magic => [0x8a, 0x1f, 0xc3, 0x5e, 0x72, 0x09, 0xd4, 0xb6, 0x3d, 0xe8, 0x55, 0xa1, 0x90, 0x2c, 0x67, 0xfb];

    /// <summary>Determines the kind of a datagram; <see cref="DatagramHandshakeKind.None"/> for a message.</summary>
    public static DatagramHandshakeKind Read(ReadOnlySpan<byte> datagram) =>
        datagram.Length == Size && datagram.StartsWith(Magic) ? (DatagramHandshakeKind)datagram[Size - 1] : DatagramHandshakeKind.None;

    private static byte[] Compose(DatagramHandshakeKind kind) => [.. Magic, (byte)kind];
}

/// <summary>The kinds of datagram of the handshake.</summary>
public enum DatagramHandshakeKind : byte
{
    /// <summary>A message, which is no part of the handshake.</summary>
    None,

    /// <summary>The client requests its registration.</summary>
    Hello,

    /// <summary>The client is registered.</summary>
    Welcome,

    /// <summary>The connection is closed.</summary>
    Bye,
}
