using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Sizes a datagram socket's receive buffer for a load. A closed loop can have all its messages waiting at one socket, an open loop
/// what comes while the receiver or the network pauses; what does not fit there is dropped by the kernel, and the figure would say
/// more about the buffer than about the library.
/// </summary>
public static partial class SocketBuffers
{
    // Linux charges a socket 768 bytes for a small datagram on the loopback (skb and its data). More than twice that, because
    // acknowledgements and pings of the library wait there too: with 4,095 ENet clients 1,024 bytes each were not enough.
    private const long BytesPerDatagram = 2048;
    private const long Smallest = 256 * 1024;
    private const long Largest = 256 * 1024 * 1024;

    // A receiver on busy cores, or in a collection of its garbage, pauses for less.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    // asm-generic/socket.h; the second sets the size above net.core.rmem_max, for a process that may administer the network.
    private const int SOL_SOCKET = 1;
    private const int SO_RCVBUF = 8;
    private const int SO_RCVBUFFORCE = 33;

    /// <summary>Bytes that hold all messages which the clients together can have in flight.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <returns>From 256 KiB to 256 MiB.</returns>
    public static int NeededByServer(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return Needed(Math.Max((long)plan.Clients * plan.ParallelMessages, PiledUp(plan)), plan.MessageSize);
    }

    /// <summary>Bytes that hold all messages which one client can have in flight.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <returns>From 256 KiB to 256 MiB.</returns>
    public static int NeededByClient(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return Needed(Math.Max(plan.ParallelMessages, PiledUp(plan) / plan.Clients), plan.MessageSize);
    }

    /// <summary>
    /// Asks for a receive buffer of a socket that a native library owns, in the same way. Where the system is not Linux the library's
    /// own size stays.
    /// </summary>
    /// <param name="descriptor">Its descriptor, which stays the library's.</param>
    /// <param name="bytes">The size.</param>
    public static void Reserve(nint descriptor, int bytes)
    {
        // By the system call: a Socket made around the descriptor would shut it down when it is disposed.
        if (OperatingSystem.IsLinux())
        {
            _ = setsockopt((int)descriptor, SOL_SOCKET, SO_RCVBUF, bytes, sizeof(int));
            _ = setsockopt((int)descriptor, SOL_SOCKET, SO_RCVBUFFORCE, bytes, sizeof(int));
        }
    }

    /// <summary>Asks for a receive buffer, above the system's limit where the process may.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="bytes">The size; what the system grants can be read from <see cref="Socket.ReceiveBufferSize"/>.</param>
    public static void Reserve(Socket socket, int bytes)
    {
        ArgumentNullException.ThrowIfNull(socket);
        socket.ReceiveBufferSize = bytes;
        if (OperatingSystem.IsLinux() && socket.ReceiveBufferSize < bytes)
        {
            try
            {
                RawSocketOption.Set(socket, SOL_SOCKET, SO_RCVBUFFORCE, bytes);
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AccessDenied)
            {
                // An ordinary user keeps net.core.rmem_max; the result says what the buffer really was.
                return;
            }
        }
    }

    // After a stall of the relay, all that was due meanwhile comes at once.
    private static long PiledUp(RunPlan plan) =>
        (long)((plan.Rate ?? 0) * (s_pause + (plan.Impairment.Stall?.Length ?? TimeSpan.Zero)).TotalSeconds);

    private static int Needed(long datagrams, int messageSize) =>
        (int)Math.Clamp(datagrams * (BytesPerDatagram + (2L * messageSize)), Smallest, Largest);

    // sys/socket.h. A refusal leaves the size as it was, which is what is wanted, so the result is not looked at.
    [LibraryImport("libc")]
    private static partial int setsockopt(int socket, int level, int option, in int value, uint length);
}
