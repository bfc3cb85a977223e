using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// Decides which client processes a standalone server serves: as many clients at a time as it was started for. Can be used from any thread.
/// </summary>
internal sealed class Admission(int mostClients)
{
    /// <summary>The most client processes at a time. Each has a connection for greetings, with two threads.</summary>
    public const int MostProcesses = 64;

    private readonly Lock _lock = new();
    private int _clients;
    private int _present;
    private int _processes;
    private ServerMark? _first;

    /// <summary>The number of client processes that were admitted so far.</summary>
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

    /// <summary>The number of client processes that were admitted and have not left.</summary>
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

    /// <summary>The counts of the server when the first process was admitted; null if none was.</summary>
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

    /// <summary>Admits a process, or returns the reason for the refusal.</summary>
    /// <param name="clients">The number of its clients; 1 or more.</param>
    /// <param name="now">The current counts of the server.</param>
    /// <returns>Null if the process is admitted; it has to <see cref="Leave"/> then. Otherwise, the reason for the refusal.</returns>
    public string? TryEnter(int clients, ServerMark now)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(clients);
        lock (_lock)
        {
            if (_present == MostProcesses)
            {
                return $"The server serves {MostProcesses} processes of clients at a time, and so many are there; " +
                    "start fewer processes with more clients each.";
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
