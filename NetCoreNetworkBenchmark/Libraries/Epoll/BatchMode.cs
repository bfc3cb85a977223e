namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>The number of messages per system call.</summary>
internal enum BatchMode
{
    /// <summary>One: recvfrom and sendto.</summary>
    Call,

    /// <summary>A vector of datagrams: recvmmsg and sendmmsg.</summary>
    Mmsg,

    /// <summary>A vector in which each element holds many datagrams of one size: UDP GSO and GRO.</summary>
    Gso,
}
