namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>
/// Determines the size of a datagram socket's receive buffer for all messages in flight or, in an open loop, for those that arrive while the receiver or the
/// network pauses. The kernel drops messages that do not fit, and the result would then describe the buffer more than the library.
/// </summary>
public static class SocketBuffers
{
    // Linux charges a socket 768 bytes for a small datagram on the loopback (skb and its data). The value is more than twice that, because
    // acknowledgements and pings of the library wait there too: with 4,095 ENet clients 1,024 bytes each were not enough.
    private const long BytesPerDatagram = 2048;
    private const long Smallest = 256 * 1024;
    private const long Largest = 256 * 1024 * 1024;

    // A receiver on busy cores, or in a garbage collection, pauses for less.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    // asm-generic/socket.h. SO_RCVBUFFORCE sets the size above net.core.rmem_max, for a process that may administer the network.
    private const int SOL_SOCKET = 1;
    private const int SO_RCVBUFFORCE = 33;

    /// <summary>Gets the bytes for all messages that the clients together can have in flight, from 256 KiB to 256 MiB.</summary>
    public static int NeededByServer(RunPlan plan) =>
        Needed(Math.Max((long)plan.Clients * plan.ParallelMessages, PiledUp(plan)), plan.MessageSize);

    /// <summary>Gets the bytes for all messages that one client can have in flight, from 256 KiB to 256 MiB.</summary>
    public static int NeededByClient(RunPlan plan) =>
        Needed(Math.Max(plan.ParallelMessages, PiledUp(plan) / plan.Clients), plan.MessageSize);

    /// <summary>Requests a receive buffer for a socket that a native library owns.</summary>
    public static void Reserve(nint descriptor, int bytes)
    {
        var view = new Socket(new SafeSocketHandle(descriptor, ownsHandle: false));
        Reserve(view, bytes);

        // A disposal would shut the socket down.
        view.SafeHandle.SetHandleAsInvalid();
    }

    /// <summary>Requests a receive buffer, above the system's limit if the process may.</summary>
    public static void Reserve(Socket socket, int bytes)
    {
        socket.ReceiveBufferSize = bytes;
        if (OperatingSystem.IsLinux() && socket.ReceiveBufferSize < bytes)
        {
            try
            {
                socket.SetRawSocketOption(SOL_SOCKET, SO_RCVBUFFORCE, BitConverter.GetBytes(bytes));
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AccessDenied)
            {
                // An ordinary user keeps net.core.rmem_max; the result shows the actual size of the buffer.
                return;
            }
        }
    }

    // After a stall of the relay, all messages that were due in the meantime arrive at once.
    private static long PiledUp(RunPlan plan) =>
        (long)((plan.HighestRate ?? 0) * (s_pause + (plan.Impairment.Stall?.Length ?? TimeSpan.Zero)).TotalSeconds);

    private static int Needed(long datagrams, int messageSize) =>
        (int)Math.Clamp(datagrams * (BytesPerDatagram + (2L * messageSize)), Smallest, Largest);
}
