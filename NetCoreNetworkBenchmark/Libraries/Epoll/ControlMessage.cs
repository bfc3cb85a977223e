using System.Runtime.CompilerServices;
using static NetCoreNetworkBenchmark.Libraries.Epoll.SysSocket;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>The control message that says of a datagram the size of the datagrams it is made of.</summary>
internal static unsafe class ControlMessage
{
    /// <summary>Bytes of one, rounded up to its alignment: <c>CMSG_SPACE</c> of an int, and of an unsigned short.</summary>
    public const int Space = 24;

    /// <summary>What a control message with an unsigned short says of its length: <c>CMSG_LEN</c>.</summary>
    public const int LengthOfUShort = 18;

    /// <summary>Asks the kernel to take a datagram apart.</summary>
    public static void WriteSegmentSize(byte* control, int size)
    {
        var header = (CMsgHdr*)control;
        *header = new CMsgHdr { cmsg_len = LengthOfUShort, cmsg_level = NetinetUdp.SOL_UDP, cmsg_type = NetinetUdp.UDP_SEGMENT };
        Unsafe.WriteUnaligned(header + 1, (ushort)size);
    }

    /// <summary>What the kernel was asked by <see cref="WriteSegmentSize"/>.</summary>
    public static int ReadSegmentSize(byte* control) => Unsafe.ReadUnaligned<ushort>((CMsgHdr*)control + 1);

    /// <summary>What the kernel put together.</summary>
    /// <param name="control">Where it wrote the control message.</param>
    /// <param name="length">Bytes that it wrote.</param>
    /// <returns>The size of all datagrams but the last, which may be shorter; 0 where nothing was put together.</returns>
    public static int ReadReceivedSize(byte* control, nuint length)
    {
        var header = (CMsgHdr*)control;
        return length >= (nuint)sizeof(CMsgHdr) && header->cmsg_level == NetinetUdp.SOL_UDP && header->cmsg_type == NetinetUdp.UDP_GRO
            ? Unsafe.ReadUnaligned<int>(header + 1)
            : 0;
    }
}
