namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>The part of Linux's <c>netinet/tcp.h</c> that is used here.</summary>
internal static class NetinetTcp
{
    public const int SOL_TCP = 6;

    /// <summary>What is sent leaves at once, without waiting for an acknowledgement of what left before.</summary>
    public const int TCP_NODELAY = 1;
}
