using System.ComponentModel;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>Opens stream sockets that do not block, as plain descriptors: one of .NET's sockets for each of ten thousand connections takes more memory than all else of it.</summary>
internal static unsafe class StreamSocket
{
    private const int Flags = SysSocket.SOCK_NONBLOCK | SysSocket.SOCK_CLOEXEC;

    /// <summary>Opens a socket that begins to connect.</summary>
    /// <param name="endPoint">Where to.</param>
    /// <param name="error">Why the connect could not even begin; Success where it has.</param>
    /// <returns>The descriptor, which the caller closes in either case.</returns>
    /// <exception cref="Win32Exception">There is no socket to be had.</exception>
    public static int Connect(IPEndPoint endPoint, out SocketError error)
    {
        int family = endPoint.AddressFamily == AddressFamily.InterNetwork ? SysSocket.AF_INET : SysSocket.AF_INET6;
        int descriptor = SysSocket.socket(family, SysSocket.SOCK_STREAM | Flags, 0);
        if (descriptor < 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }

        SendAtOnce(descriptor);
        SocketAddress address = endPoint.Serialize();
        fixed (byte* bytes = address.Buffer.Span)
        {
            error = SysSocket.connect(descriptor, bytes, (uint)address.Size) == 0 ? SocketError.Success : Errno.LastError();
        }

        error = error == SocketError.InProgress ? SocketError.Success : error;
        return descriptor;
    }

    /// <summary>Takes the next connection.</summary>
    /// <param name="listener">The listening socket's descriptor.</param>
    /// <param name="error">Why there is none.</param>
    /// <returns>The descriptor, which the caller closes; -1 where there is none.</returns>
    public static int Accept(int listener, out SocketError error)
    {
        int descriptor = SysSocket.accept4(listener, null, null, Flags);
        error = descriptor < 0 ? Errno.LastError() : SocketError.Success;
        if (descriptor >= 0)
        {
            SendAtOnce(descriptor);
        }

        return descriptor;
    }

    /// <summary>What became of a connect.</summary>
    public static SocketError ErrorOf(int descriptor)
    {
        uint length = sizeof(int);
        return SysSocket.getsockopt(descriptor, SysSocket.SOL_SOCKET, SysSocket.SO_ERROR, out int code, ref length) == 0 ? Errno.NameOf(code) : Errno.LastError();
    }

    /// <summary>Says why a connect failed, without a full stop.</summary>
    public static string Explain(IPEndPoint endPoint, SocketError error) =>
        error == SocketError.ConnectionRefused ? $"no server listens at {endPoint}" : $"the system says {error} for {endPoint}";

    // A failure would show as latency, and this is never refused for a stream.
    private static void SendAtOnce(int descriptor) => _ = SysSocket.setsockopt(descriptor, NetinetTcp.SOL_TCP, NetinetTcp.TCP_NODELAY, 1, sizeof(int));
}
