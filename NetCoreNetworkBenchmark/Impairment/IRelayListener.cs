namespace NetCoreNetworkBenchmark.Impairment;

internal interface IRelayListener : IDisposable
{
    IPEndPoint EndPoint { get; }

    /// <summary>Addresses that datagrams came from, or connections that were accepted.</summary>
    int Clients { get; }

    /// <summary>The number of datagrams from clients that arrived too fast; null if the system does not report it, and for streams.</summary>
    long? MissedFromClients => null;

    /// <summary>The number of datagrams from the server that arrived too fast; null if the system does not report it, and for streams.</summary>
    long? MissedFromServer => null;

    // On the loop's thread, which closes all sockets when it ends.
    void Begin();
}
