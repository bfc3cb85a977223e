namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>What the library's four kinds of stream endpoint have in common: sessions and clients, over TCP and over SSL.</summary>
internal interface INetCoreEndpoint
{
    /// <summary>Bytes that the library holds and the system has not taken yet.</summary>
    long Unsent { get; }

    /// <summary>Hands bytes to the library, which copies them.</summary>
    /// <returns>False where it does not take them.</returns>
    bool SendAsync(ReadOnlySpan<byte> buffer);

    /// <summary>Ends the connection, and calls back that it has.</summary>
    bool Disconnect();
}
