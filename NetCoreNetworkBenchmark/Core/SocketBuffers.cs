using System.Buffers.Binary;
using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Sizes a datagram socket's receive buffer for a load. A closed loop can have all its messages waiting at one socket; what does
/// not fit there is dropped by the kernel, and the figure would say more about the buffer than about the library.
/// </summary>
public static class SocketBuffers
{
    // What Linux charges a socket for one small datagram on the loopback (skb and its data: 768 bytes seen), rounded up.
    private const long BytesPerDatagram = 1024;
    private const long Smallest = 256 * 1024;
    private const long Largest = 256 * 1024 * 1024;

    // asm-generic/socket.h: sets the size above net.core.rmem_max, for a process that may administer the network.
    private const int SOL_SOCKET = 1;
    private const int SO_RCVBUFFORCE = 33;

    /// <summary>Bytes that hold a number of datagrams, whatever the kernel charges for each.</summary>
    /// <param name="datagrams">How many may wait.</param>
    /// <param name="messageSize">Bytes of a message.</param>
    /// <returns>From 256 KiB to 256 MiB.</returns>
    public static int Needed(long datagrams, int messageSize) =>
        (int)Math.Clamp(datagrams * (BytesPerDatagram + (2L * messageSize)), Smallest, Largest);

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
                Span<byte> value = stackalloc byte[sizeof(int)];
                BinaryPrimitives.WriteInt32LittleEndian(value, bytes);
                socket.SetRawSocketOption(SOL_SOCKET, SO_RCVBUFFORCE, value);
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AccessDenied)
            {
                // An ordinary user keeps net.core.rmem_max; the result says what the buffer really was.
                return;
            }
        }
    }
}
