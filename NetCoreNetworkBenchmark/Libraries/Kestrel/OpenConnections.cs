namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

/// <summary>The connections that are served, which are closed when the server stops. Can be used from any thread.</summary>
internal sealed class OpenConnections
{
    private readonly Lock _lock = new();
    private readonly HashSet<KestrelConnection> _connections = [];
    private bool _isClosed;

    /// <summary>Adds a connection.</summary>
    /// <returns>False if the server has stopped and the connection is not to be served.</returns>
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

    /// <summary>Closes all connections, and refuses new ones.</summary>
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
