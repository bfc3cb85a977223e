namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>What the library's two kinds of stream server have in common.</summary>
internal interface INetCoreServer
{
    /// <summary>Hands bytes to all sessions, each of which copies them.</summary>
    /// <returns>False where the server has not started.</returns>
    bool Multicast(ReadOnlySpan<byte> buffer);
}
