using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>UDP GSO and GRO: many datagrams as one, handed to the kernel and taken from it.</summary>
internal static class Segmentation
{
    /// <summary>Whether the kernel has both.</summary>
    public static bool IsSupported { get; } = Probe();

    /// <summary>Lets a socket receive datagrams that were put together. Sending needs no option: each call says the size of its own.</summary>
    /// <exception cref="SocketException">The kernel cannot.</exception>
    public static void Enable(Socket socket) => SetOption(socket, NetinetUdp.UDP_GRO, 1);

    private static bool Probe()
    {
        try
        {
            // The size of the segments that a socket sends by default: 0 is none, and a kernel without GSO does not know the option.
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            SetOption(socket, NetinetUdp.UDP_SEGMENT, 0);
            Enable(socket);
            return true;
        }
        catch (SocketException)
        {
            // What is asked is just whether it can.
            return false;
        }
    }

    private static void SetOption(Socket socket, int option, int value) => RawSocketOption.Set(socket, NetinetUdp.SOL_UDP, option, value);
}
