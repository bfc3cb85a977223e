using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>UDP GSO and GRO: many datagrams are passed to the kernel and received from it as one.</summary>
internal static class Segmentation
{
    public static bool IsSupported { get; } = Probe();

    // Sending needs no option: each call specifies its own segment size.
    public static void Enable(Socket socket) => SetOption(socket, NetinetUdp.UDP_GRO, 1);

    private static bool Probe()
    {
        try
        {
            // The size of the segments that a socket sends by default. 0 means none, and a kernel without GSO does not know the option.
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            SetOption(socket, NetinetUdp.UDP_SEGMENT, 0);
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
        socket.SetRawSocketOption(NetinetUdp.SOL_UDP, option, BitConverter.GetBytes(value));
}
