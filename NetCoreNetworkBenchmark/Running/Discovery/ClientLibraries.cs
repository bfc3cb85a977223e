namespace NetCoreNetworkBenchmark.Running.Discovery;

/// <summary>
/// Libraries with the same wire format can drive each other's servers. These are the libraries over a stream, which carries nothing but messages.
/// </summary>
internal static class ClientLibraries
{
    /// <summary>The libraries whose clients can drive a server over a transport.</summary>
    /// <returns>The libraries that can run here, the fastest first; empty for datagrams, on which each library has a protocol of its own.</returns>
    public static IReadOnlyList<LibraryInfo> Over(Protocol protocol, IEnumerable<LibraryInfo> libraries) =>
        protocol.IsStream() ? [.. libraries.Where(library => CanDrive(library, protocol)).OrderByDescending(library => library.ClientRank)] : [];

    /// <summary>The library whose clients drive a server without clients of its own, or all servers alike.</summary>
    public static LibraryInfo? FastestOver(Protocol protocol, IEnumerable<LibraryInfo> libraries) =>
        Over(protocol, libraries).FirstOrDefault(library => library.ClientRank > 0);

    /// <summary>The library whose clients drive all servers alike in a test, which may need clients that open one connection after the other.</summary>
    public static LibraryInfo? FastestFor(IWorkload workload, Protocol protocol, IEnumerable<LibraryInfo> libraries) => workload is IConnectionWorkload
        ? Over(protocol, libraries).FirstOrDefault(library => library.ConnectionTransports.Contains(protocol))
        : FastestOver(protocol, libraries);

    /// <summary>Returns whether the clients of a library can drive any server over a transport.</summary>
    public static bool CanDrive(LibraryInfo library, Protocol protocol) =>
        protocol.IsStream() && library is { HasClients: true, Unavailable: null } && library.Protocols.Contains(protocol);
}
