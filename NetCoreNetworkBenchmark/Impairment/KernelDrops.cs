using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Impairment;

internal static class KernelDrops
{
    // asm-generic/socket.h and linux/sock_diag.h: SO_MEMINFO returns an array; SK_MEMINFO_DROPS is the index of the drops.
    private const int SOL_SOCKET = 1;
    private const int SO_MEMINFO = 55;
    private const int SK_MEMINFO_DROPS = 8;

    // Null if the system does not report it: any other than Linux, a kernel before 4.12, and sandboxes.
    public static long? Of(Socket socket, int option = SO_MEMINFO)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        Span<uint> values = stackalloc uint[SK_MEMINFO_DROPS + 1];
        try
        {
            int bytes = socket.GetRawSocketOption(SOL_SOCKET, option, MemoryMarshal.AsBytes(values));
            return bytes == values.Length * sizeof(uint) ? values[SK_MEMINFO_DROPS] : null;
        }
        catch (SocketException exception)
            when (exception.SocketErrorCode is SocketError.ProtocolOption or SocketError.OperationNotSupported or SocketError.InvalidArgument)
        {
            return null;
        }
    }
}
