namespace NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

internal static class NetinetUdp
{
    public const int SOL_UDP = 17;

    /// <summary>A datagram is passed to the kernel as many datagrams of this size (GSO, Linux 4.18).</summary>
    public const int UDP_SEGMENT = 103;

    /// <summary>Datagrams of one sender and size may be received as one (GRO, Linux 5.0).</summary>
    public const int UDP_GRO = 104;
}
