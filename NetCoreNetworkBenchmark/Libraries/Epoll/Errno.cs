using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>The system's errors by .NET's names, so that they are counted under the same name as those of the other libraries.</summary>
internal static class Errno
{
    /// <summary>What kept the last call of this thread from succeeding.</summary>
    public static SocketError LastError() => Marshal.GetLastPInvokeError() switch
    {
        SysSocket.EAGAIN => SocketError.WouldBlock,
        SysSocket.EINTR => SocketError.Interrupted,
        SysSocket.ENOBUFS => SocketError.NoBufferSpaceAvailable,
        SysSocket.ECONNREFUSED => SocketError.ConnectionRefused,
        SysSocket.EMSGSIZE => SocketError.MessageSize,
        SysSocket.ENETUNREACH => SocketError.NetworkUnreachable,
        SysSocket.EHOSTUNREACH => SocketError.HostUnreachable,
        SysSocket.EPERM or SysSocket.EACCES => SocketError.AccessDenied,
        _ => SocketError.SocketError,
    };
}
