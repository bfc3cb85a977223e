namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// The other end of one connection, as a workload sees it. It is used only inside a call of <see cref="IServerHandler"/> or
/// <see cref="IClientHandler"/> for this same peer: that is the rule which makes every library safe, also one that is not
/// thread-safe.
/// </summary>
public interface IPeer
{
    /// <summary>Where the workload keeps what it knows of this peer. The adapter does not look at it.</summary>
    object? State { get; set; }

    /// <summary>Hands one message to the library, which has copied it when this returns.</summary>
    /// <param name="message">The message, from 1 byte to the library's largest.</param>
    /// <returns>False where the library or the system did not take it; the adapter has counted the error by its name.</returns>
    bool Send(ReadOnlySpan<byte> message);

    /// <summary>Closes the connection; the other side sees the close.</summary>
    void Close();
}
