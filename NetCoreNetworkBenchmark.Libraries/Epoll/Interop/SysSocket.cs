namespace NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

internal static unsafe partial class SysSocket
{
    public const int SOCK_STREAM = 1;
    public const int SOCK_NONBLOCK = 0x800;
    public const int SOCK_CLOEXEC = 0x80000;
    public const int AF_INET = 2;
    public const int AF_INET6 = 10;
    public const int IPPROTO_IP = 0;
    public const int IP_BIND_ADDRESS_NO_PORT = 24;
    public const int SOL_TCP = 6;
    public const int TCP_NODELAY = 1;
    public const int SOL_UDP = 17;

    /// <summary>A datagram is passed to the kernel as many datagrams of this size (GSO, Linux 4.18).</summary>
    public const int UDP_SEGMENT = 103;

    /// <summary>Datagrams of one sender and size may be received as one (GRO, Linux 5.0).</summary>
    public const int UDP_GRO = 104;

    public const int SOL_SOCKET = 1;
    public const int SO_ERROR = 4;
    public const int SO_LINGER = 13;
    public const int SO_RCVTIMEO = 20;
    public const int SO_SNDTIMEO = 21;
    public const int SHUT_RDWR = 2;
    public const int MSG_DONTWAIT = 0x40;
    public const int MSG_NOSIGNAL = 0x4000;
    public const int EPERM = 1;
    public const int EINTR = 4;
    public const int EAGAIN = 11;
    public const int EACCES = 13;
    public const int EINVAL = 22;
    public const int ENFILE = 23;
    public const int EMFILE = 24;
    public const int EPIPE = 32;
    public const int EMSGSIZE = 90;
    public const int EADDRNOTAVAIL = 99;
    public const int ENETUNREACH = 101;
    public const int ECONNABORTED = 103;
    public const int ECONNRESET = 104;
    public const int ENOBUFS = 105;
    public const int ETIMEDOUT = 110;
    public const int ECONNREFUSED = 111;
    public const int EHOSTUNREACH = 113;
    public const int EINPROGRESS = 115;

    [LibraryImport("libc", SetLastError = true)] public static partial int socket(int domain, int type, int protocol);
    [LibraryImport("libc", SetLastError = true)] public static partial int bind(int sockfd, byte* addr, uint addrlen);
    [LibraryImport("libc", SetLastError = true)] public static partial int connect(int sockfd, byte* addr, uint addrlen);
    [LibraryImport("libc", SetLastError = true)] public static partial int accept4(int sockfd, byte* addr, uint* addrlen, int flags);
    [LibraryImport("libc", SetLastError = true)] public static partial int getsockname(int sockfd, byte* addr, ref uint addrlen);
    [LibraryImport("libc", SetLastError = true)] public static partial int getsockopt(int sockfd, int level, int optname, out int optval, ref uint optlen);
    [LibraryImport("libc", SetLastError = true)] public static partial nint recv(int sockfd, byte* buf, nuint len, int flags);

    [LibraryImport("libc", SetLastError = true)]
    public static partial nint recvfrom(int sockfd, byte* buf, nuint len, int flags, byte* src_addr, uint* addrlen);

    [LibraryImport("libc", SetLastError = true)] public static partial nint send(int sockfd, byte* buf, nuint len, int flags);
    [LibraryImport("libc", SetLastError = true)] public static partial nint sendmsg(int sockfd, in MsgHdr msg, int flags);
    [LibraryImport("libc", SetLastError = true)] public static partial nint sendto(int sockfd, byte* buf, nuint len, int flags, byte* dest_addr, uint addrlen);
    [LibraryImport("libc", SetLastError = true)] public static partial int recvmmsg(int sockfd, MMsgHdr* msgvec, uint vlen, int flags, void* timeout);
    [LibraryImport("libc", SetLastError = true)] public static partial int sendmmsg(int sockfd, MMsgHdr* msgvec, uint vlen, int flags);
    [LibraryImport("libc", SetLastError = true)] public static partial int setsockopt(int sockfd, int level, int optname, in int optval, uint optlen);
    [LibraryImport("libc", SetLastError = true)] public static partial int setsockopt(int sockfd, int level, int optname, in TimeVal optval, uint optlen);
    [LibraryImport("libc", SetLastError = true)] public static partial int setsockopt(int sockfd, int level, int optname, in Linger optval, uint optlen);
    [LibraryImport("libc", SetLastError = true)] public static partial int shutdown(int sockfd, int how);

    /// <summary><c>struct linger</c> of <c>bits/socket.h</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Linger
    {
        public int l_onoff;
        public int l_linger;
    }

    /// <summary><c>struct timeval</c> of <c>bits/types/struct_timeval.h</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TimeVal
    {
        public nint tv_sec;
        public nint tv_usec;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct IoVec
    {
        public byte* iov_base;
        public nuint iov_len;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct MsgHdr
    {
        public byte* msg_name;
        public uint msg_namelen;
        public IoVec* msg_iov;
        public nuint msg_iovlen;
        public byte* msg_control;
        public nuint msg_controllen;
        public int msg_flags;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct MMsgHdr
    {
        public MsgHdr msg_hdr;
        public uint msg_len;
    }

    /// <summary>The data follows directly: the struct's size is a multiple of its alignment (<c>CMSG_DATA</c>).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct CMsgHdr
    {
        public nuint cmsg_len;
        public int cmsg_level;
        public int cmsg_type;
    }
}

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

/// <summary>Memory that may be passed to the kernel. It never moves, and is freed when the array is no longer referenced.</summary>
internal static class PinnedArray
{
    public static unsafe T[] Allocate<T>(int count, out T* pointer)
        where T : unmanaged
    {
        T[] array = GC.AllocateArray<T>(count, pinned: true);
        pointer = (T*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));
        return array;
    }
}
