namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>The part of the predefined benchmark that runs (<c>-b=PART</c>).</summary>
internal enum SuitePart
{
    /// <summary>Everything.</summary>
    All,

    /// <summary>Benchmark 1 and 2, round trip and multicast over UDP.</summary>
    Udp,

    /// <summary>Round trip and multicast over TCP.</summary>
    Tcp,

    /// <summary>Round trip and multicast over TLS.</summary>
    Ssl,

    /// <summary>TLS handshakes with keys of two kinds, at the server of every library in every architecture. Not part of the whole.</summary>
    Tls,

    /// <summary>Benchmark 1 and 2, and the round trip of 100 clients over TCP and TLS: two brief sets, with the libraries' defaults.</summary>
    Quick,
}
