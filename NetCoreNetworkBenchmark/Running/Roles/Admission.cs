using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>Which client processes a lone server serves: as many clients at a time as it was started for. From any thread.</summary>
internal sealed class Admission(int mostClients)
{
    private readonly Lock _lock = new();
    private int _clients;
    private int _processes;
    private ServerMark? _first;

    /// <summary>Client processes that were let in so far.</summary>
    public int Processes
    {
        get
        {
            lock (_lock)
            {
                return _processes;
            }
        }
    }

    /// <summary>What the server had counted when the first was let in; null where none was.</summary>
    public ServerMark? First
    {
        get
        {
            lock (_lock)
            {
                return _first;
            }
        }
    }

    /// <summary>Lets a process in, or says why not.</summary>
    /// <param name="clients">Its clients.</param>
    /// <param name="now">What the server has counted.</param>
    /// <returns>Null where it is let in; it has to <see cref="Leave"/> then.</returns>
    public string? TryEnter(int clients, ServerMark now)
    {
        lock (_lock)
        {
            if (clients > mostClients - _clients)
            {
                return $"The server holds {mostClients} clients and {_clients} are taken, so {clients} more are too many; start it with a larger --clients.";
            }

            _clients += clients;
            _processes++;
            _first ??= now;
            return null;
        }
    }

    /// <summary>Makes room for others.</summary>
    public void Leave(int clients)
    {
        lock (_lock)
        {
            _clients -= clients;
        }
    }
}
