namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>The common members of the library's two kinds of stream server.</summary>
internal interface INetCoreServer
{
    /// <summary>Passes bytes to all sessions, each of which copies them.</summary>
    /// <returns>False if the server has not started.</returns>
    bool Multicast(ReadOnlySpan<byte> buffer);
}
