namespace NetCoreNetworkBenchmark.Results;

/// <summary>The memory of the server's process without clients, and with all clients connected and idle; each after a full collection.</summary>
/// <param name="ResidentBytesBefore">Resident bytes before the first client connected.</param>
/// <param name="ResidentBytes">Resident bytes when all clients were connected and idle.</param>
/// <param name="ManagedBytesBefore">Bytes of the managed heap before the first client connected.</param>
/// <param name="ManagedBytes">Bytes of the managed heap when all clients were connected and idle.</param>
/// <param name="Clients">The number of clients.</param>
public sealed record ServerMemory(long ResidentBytesBefore, long ResidentBytes, long ManagedBytesBefore, long ManagedBytes, int Clients)
{
    /// <summary>Resident bytes for each client.</summary>
    public double ResidentBytesPerClient => (double)(ResidentBytes - ResidentBytesBefore) / Clients;

    /// <summary>Bytes of the managed heap for each client.</summary>
    public double ManagedBytesPerClient => (double)(ManagedBytes - ManagedBytesBefore) / Clients;
}
