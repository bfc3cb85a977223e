using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>Sets socket options for which .NET has no name.</summary>
internal static class RawSocketOption
{
    /// <summary>Sets an option whose value is a C int.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="level">The option's level in the system's header.</param>
    /// <param name="option">The option in the system's header.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="SocketException">The system refuses the option or does not know it.</exception>
    public static void Set(Socket socket, int level, int option, int value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        BitConverter.TryWriteBytes(bytes, value);
        socket.SetRawSocketOption(level, option, bytes);
    }
}
