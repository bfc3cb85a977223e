using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

/// <summary>Maps the system's errors to the names of .NET, so that they are counted under the same name as those of the other libraries.</summary>
internal static class Errno
{
    public static SocketError LastError() => NameOf(Marshal.GetLastPInvokeError());

    public static SocketError NameOf(int code) => code switch
    {
        0 => SocketError.Success,
        SysSocket.EAGAIN => SocketError.WouldBlock,
        SysSocket.EINTR => SocketError.Interrupted,
        SysSocket.ENOBUFS => SocketError.NoBufferSpaceAvailable,
        SysSocket.ECONNREFUSED => SocketError.ConnectionRefused,
        SysSocket.EINVAL => SocketError.InvalidArgument,
        SysSocket.EMSGSIZE => SocketError.MessageSize,
        SysSocket.ENETUNREACH => SocketError.NetworkUnreachable,
        SysSocket.EHOSTUNREACH => SocketError.HostUnreachable,
        SysSocket.ECONNRESET => SocketError.ConnectionReset,
        SysSocket.ECONNABORTED => SocketError.ConnectionAborted,
        SysSocket.ETIMEDOUT => SocketError.TimedOut,
        SysSocket.EPIPE => SocketError.Shutdown,
        SysSocket.EINPROGRESS => SocketError.InProgress,
        SysSocket.EADDRNOTAVAIL => SocketError.AddressNotAvailable,
        SysSocket.EMFILE or SysSocket.ENFILE => SocketError.TooManyOpenSockets,
        SysSocket.EPERM or SysSocket.EACCES => SocketError.AccessDenied,
        _ => SocketError.SocketError,
    };
}
