namespace NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

internal static class NetinetTcp
{
    public const int SOL_TCP = 6;

    /// <summary>Data is sent at once, without waiting for the acknowledgement of earlier data.</summary>
    public const int TCP_NODELAY = 1;
}
