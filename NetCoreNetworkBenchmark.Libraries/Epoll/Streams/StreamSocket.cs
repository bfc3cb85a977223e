using System.Buffers.Binary;
using System.ComponentModel;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

// Plain descriptors: a .NET socket for each of ten thousand connections takes more memory than the rest of the connection.
internal static unsafe class StreamSocket
{
    private const int Flags = SysSocket.SOCK_NONBLOCK | SysSocket.SOCK_CLOEXEC;

    // The caller closes the descriptor also if the connect could not begin.
    public static int Connect(IPEndPoint endPoint, out SocketError error, IPAddress? source = null)
    {
        int family = endPoint.AddressFamily == AddressFamily.InterNetwork ? SysSocket.AF_INET : SysSocket.AF_INET6;
        int descriptor = SysSocket.socket(family, SysSocket.SOCK_STREAM | Flags, 0);
        if (descriptor < 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }

        SendAtOnce(descriptor);
        if (source is not null)
        {
            // The port is chosen at the connect, so that one port of an address can serve connections to several servers.
            _ = SysSocket.setsockopt(descriptor, SysSocket.IPPROTO_IP, SysSocket.IP_BIND_ADDRESS_NO_PORT, 1, sizeof(int));
            SocketAddress own = new IPEndPoint(source, 0).Serialize();
            fixed (byte* bytes = own.Buffer.Span)
            {
                _ = SysSocket.bind(descriptor, bytes, (uint)own.Size);
            }
        }

        SocketAddress address = endPoint.Serialize();
        fixed (byte* bytes = address.Buffer.Span)
        {
            error = SysSocket.connect(descriptor, bytes, (uint)address.Size) == 0 ? SocketError.Success : Errno.LastError();
        }

        error = error == SocketError.InProgress ? SocketError.Success : error;
        return descriptor;
    }

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

    // The calls for the connection will wait too.
    public static int AcceptBlocking(int listener, TimeSpan max, out SocketError error)
    {
        int descriptor = SysSocket.accept4(listener, null, null, SysSocket.SOCK_CLOEXEC);
        error = descriptor < 0 ? Errno.LastError() : SocketError.Success;
        if (descriptor >= 0)
        {
            SendAtOnce(descriptor);
            (long seconds, long rest) = Math.DivRem(max.Ticks, TimeSpan.TicksPerSecond);
            var limit = new SysSocket.TimeVal { tv_sec = (nint)seconds, tv_usec = (nint)(rest / TimeSpan.TicksPerMicrosecond) };
            _ = SysSocket.setsockopt(descriptor, SysSocket.SOL_SOCKET, SysSocket.SO_RCVTIMEO, limit, (uint)sizeof(SysSocket.TimeVal));
            _ = SysSocket.setsockopt(descriptor, SysSocket.SOL_SOCKET, SysSocket.SO_SNDTIMEO, limit, (uint)sizeof(SysSocket.TimeVal));
        }

        return descriptor;
    }

    // The result of a connect. A connection with itself (SelfConnection) is a refusal, and is reset when it is closed, so that its port is free at once.
    public static SocketError ErrorOf(int descriptor, IPEndPoint endPoint)
    {
        uint length = sizeof(int);
        if (SysSocket.getsockopt(descriptor, SysSocket.SOL_SOCKET, SysSocket.SO_ERROR, out int code, ref length) != 0)
        {
            return Errno.LastError();
        }

        if (code != 0 || !IsOwnOf(descriptor, endPoint))
        {
            return Errno.NameOf(code);
        }

        _ = SysSocket.setsockopt(descriptor, SysSocket.SOL_SOCKET, SysSocket.SO_LINGER, new SysSocket.Linger { l_onoff = 1 }, (uint)sizeof(SysSocket.Linger));
        return SocketError.ConnectionRefused;
    }

    public static string Explain(IPEndPoint endPoint, SocketError error) => LocalPorts.Explain(endPoint, error) ??
        (error == SocketError.ConnectionRefused ? $"no server listens at {endPoint}" : $"the system reports {error} for {endPoint}");

    private static bool IsOwnOf(int descriptor, IPEndPoint endPoint)
    {
        Span<byte> address = stackalloc byte[SocketAddress.GetMaximumAddressSize(AddressFamily.InterNetworkV6)];
        uint length = (uint)address.Length;
        fixed (byte* bytes = address)
        {
            return SysSocket.getsockname(descriptor, bytes, ref length) == 0
                && BinaryPrimitives.ReadUInt16BigEndian(address[sizeof(ushort)..]) == endPoint.Port
                && address[..(int)length].SequenceEqual(endPoint.Serialize().Buffer.Span[..(int)length]);
        }
    }

    // A failure would be visible as latency, and the option is never refused for a stream.
    private static void SendAtOnce(int descriptor) => _ = SysSocket.setsockopt(descriptor, SysSocket.SOL_TCP, SysSocket.TCP_NODELAY, 1, sizeof(int));
}
