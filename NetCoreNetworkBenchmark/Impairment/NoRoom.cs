using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The system has no descriptor (EMFILE, ENFILE) or memory (ENOBUFS) for one more connection.</summary>
internal static class NoRoom
{
    public static bool Is(SocketException exception) => exception.SocketErrorCode is SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable;

    /// <summary>What the result says of it.</summary>
    public static string Remark(SocketException exception) =>
        $"The relay had no room for a client for a time ({exception.Message.TrimEnd('.')}); 'ulimit -n' shows and raises the most open descriptors.";
}
