namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>How many messages a system call takes.</summary>
internal enum BatchMode
{
    /// <summary>One: recvfrom and sendto.</summary>
    Call,

    /// <summary>A vector of datagrams: recvmmsg and sendmmsg.</summary>
    Mmsg,

    /// <summary>A vector of which each element holds many datagrams of one size: UDP GSO and GRO.</summary>
    Gso,
}
