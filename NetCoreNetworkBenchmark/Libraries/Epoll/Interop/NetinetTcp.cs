namespace NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

/// <summary>The part of Linux's <c>netinet/tcp.h</c> that is used here.</summary>
internal static class NetinetTcp
{
    public const int SOL_TCP = 6;

    /// <summary>Data is sent at once, without waiting for the acknowledgement of earlier data.</summary>
    public const int TCP_NODELAY = 1;
}
