namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

/// <summary>The connections that are served, to be closed when the server stops. From any thread.</summary>
internal sealed class OpenConnections
{
    private readonly Lock _lock = new();
    private readonly HashSet<KestrelConnection> _connections = [];
    private bool _isClosed;

    /// <summary>Adds a connection.</summary>
    /// <returns>False where the server has stopped and it is not to be served.</returns>
    public bool TryAdd(KestrelConnection connection)
    {
        lock (_lock)
        {
            return !_isClosed && _connections.Add(connection);
        }
    }

    public void Remove(KestrelConnection connection)
    {
        lock (_lock)
        {
            _connections.Remove(connection);
        }
    }

    /// <summary>Closes those that are there, and lets no more in.</summary>
    public void Close()
    {
        KestrelConnection[] connections;
        lock (_lock)
        {
            _isClosed = true;
            connections = [.. _connections];
        }

        Array.ForEach(connections, connection => connection.Close());
    }
}
