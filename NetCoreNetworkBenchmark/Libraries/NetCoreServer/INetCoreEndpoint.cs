namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>The common members of the library's four kinds of stream endpoint: sessions and clients, over TCP and over SSL.</summary>
internal interface INetCoreEndpoint
{
    /// <summary>The number of bytes that the library holds and the system has not accepted yet.</summary>
    long Unsent { get; }

    // The library copies the bytes. Returns false if it does not accept them.
    bool SendAsync(ReadOnlySpan<byte> buffer);

    /// <summary>Ends the connection. The end is reported by a callback.</summary>
    bool Disconnect();
}
