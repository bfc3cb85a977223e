using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>Which client processes a lone server serves: as many clients at a time as it was started for. From any thread.</summary>
internal sealed class Admission(int mostClients)
{
    /// <summary>The most client processes at a time. Each has a connection for greetings, with two threads.</summary>
    public const int MostProcesses = 64;

    private readonly Lock _lock = new();
    private int _clients;
    private int _present;
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

    /// <summary>Client processes that were let in and have not left.</summary>
    public int Present
    {
        get
        {
            lock (_lock)
            {
                return _present;
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
    /// <param name="clients">Its clients; 1 or more.</param>
    /// <param name="now">What the server has counted.</param>
    /// <returns>Null where it is let in; it has to <see cref="Leave"/> then.</returns>
    public string? TryEnter(int clients, ServerMark now)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(clients);
        lock (_lock)
        {
            if (_present == MostProcesses)
            {
                return $"The server serves {MostProcesses} processes of clients at a time, and so many are there; start fewer processes with more clients each.";
            }

            if (clients > mostClients - _clients)
            {
                return $"The server holds {mostClients} clients and {_clients} are taken, so {clients} more are too many; start it with a larger --clients.";
            }

            _clients += clients;
            _present++;
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
            _present--;
        }
    }
}
