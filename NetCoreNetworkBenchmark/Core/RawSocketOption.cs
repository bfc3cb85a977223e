using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>Socket options that .NET has no name for.</summary>
internal static class RawSocketOption
{
    /// <summary>Sets an option whose value is a C int.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="level">The option's level in the system's header.</param>
    /// <param name="option">The option in the system's header.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="SocketException">The system refuses, or does not know the option.</exception>
    public static void Set(Socket socket, int level, int option, int value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        BitConverter.TryWriteBytes(bytes, value);
        socket.SetRawSocketOption(level, option, bytes);
    }
}
