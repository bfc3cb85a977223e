namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// UDP knows no connection. Adapters of libraries that add none of their own greet with these datagrams, so that a client is known
/// to the server before the load begins and each side sees the other close. During the load nothing is added to a message.
/// </summary>
public static class DatagramGreeting
{
    /// <summary>Bytes of a greeting.</summary>
    public const int Size = 17;

    private static readonly byte[] s_hello = Compose(Greeting.Hello);
    private static readonly byte[] s_welcome = Compose(Greeting.Welcome);
    private static readonly byte[] s_bye = Compose(Greeting.Bye);

    /// <summary>A greeting of the client: it wants to be known.</summary>
    public static ReadOnlySpan<byte> Hello => s_hello;

    /// <summary>The server's answer: the client is known.</summary>
    public static ReadOnlySpan<byte> Welcome => s_welcome;

    /// <summary>Either side's last datagram: the connection is closed.</summary>
    public static ReadOnlySpan<byte> Bye => s_bye;

    // 128 random bits: a message that begins with them by chance is not to be expected.
    private static ReadOnlySpan<byte> Magic => [0x8a, 0x1f, 0xc3, 0x5e, 0x72, 0x09, 0xd4, 0xb6, 0x3d, 0xe8, 0x55, 0xa1, 0x90, 0x2c, 0x67, 0xfb];

    /// <summary>Tells a greeting from a message.</summary>
    /// <param name="datagram">What was received.</param>
    /// <returns>The kind of greeting; <see cref="Greeting.None"/> for a message.</returns>
    public static Greeting Read(ReadOnlySpan<byte> datagram) =>
        datagram.Length == Size && datagram.StartsWith(Magic) ? (Greeting)datagram[Size - 1] : Greeting.None;

    private static byte[] Compose(Greeting greeting) => [.. Magic, (byte)greeting];
}

/// <summary>The kinds of greeting.</summary>
public enum Greeting : byte
{
    /// <summary>Not a greeting but a message.</summary>
    None,

    /// <summary>The client wants to be known.</summary>
    Hello,

    /// <summary>The client is known.</summary>
    Welcome,

    /// <summary>The connection is closed.</summary>
    Bye,
}
