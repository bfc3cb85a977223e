using static NetCoreNetworkBenchmark.Libraries.Epoll.Interop.SysSocket;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>UDP GSO and GRO: many datagrams are passed to the kernel and received from it as one.</summary>
internal static class Segmentation
{
    public static bool IsSupported { get; } = Probe();

    // Sending needs no option: each call specifies its own segment size.
    public static void Enable(Socket socket) => SetOption(socket, UDP_GRO, 1);

    private static bool Probe()
    {
        try
        {
            // The size of the segments that a socket sends by default. 0 means none, and a kernel without GSO does not know the option.
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            SetOption(socket, UDP_SEGMENT, 0);
            Enable(socket);
            return true;
        }
        catch (SocketException)
        {
            // The probe only checks whether the kernel supports it.
            return false;
        }
    }

    private static void SetOption(Socket socket, int option, int value) =>
        socket.SetRawSocketOption(SOL_UDP, option, BitConverter.GetBytes(value));
}

internal static unsafe class ControlMessage
{
    /// <summary>The size of a control message in bytes, rounded up to its alignment: <c>CMSG_SPACE</c> of an int, and of an unsigned short.</summary>
    public const int Space = 24;

    /// <summary>The length field of a control message with an unsigned short: <c>CMSG_LEN</c>.</summary>
    public const int LengthOfUShort = 18;

    public static void WriteSegmentSize(byte* control, int size)
    {
        var header = (CMsgHdr*)control;
        *header = new CMsgHdr { cmsg_len = LengthOfUShort, cmsg_level = SOL_UDP, cmsg_type = UDP_SEGMENT };
        Unsafe.WriteUnaligned(header + 1, (ushort)size);
    }

    public static int ReadSegmentSize(byte* control) => Unsafe.ReadUnaligned<ushort>((CMsgHdr*)control + 1);

    // The size of all datagrams but the last, which may be shorter; 0 if the kernel coalesced nothing.
    public static int ReadReceivedSize(byte* control, nuint length)
    {
        var header = (CMsgHdr*)control;
        return length >= (nuint)sizeof(CMsgHdr) && header->cmsg_level == SOL_UDP && header->cmsg_type == UDP_GRO
            ? Unsafe.ReadUnaligned<int>(header + 1)
            : 0;
    }
}
