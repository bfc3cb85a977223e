namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// The adapter of one library. A public class with a parameterless constructor that implements this interface is found automatically: options, help,
/// the predefined benchmark and the contract tests follow from it. One instance serves one run.
/// </summary>
public interface INetworkBenchmark
{
    /// <summary>
    /// The <see cref="LibraryInfo.Name"/>. Every start of the program reads it, for any command. An adapter returns it without its <see cref="Info"/>
    /// if that loads the library: a process that measures one library must not contain the code of another.
    /// </summary>
    string Name => Info.Name;

    /// <summary>
    /// The properties and capabilities of the library. Never throws: a reason that keeps the library from running is reported by
    /// <see cref="LibraryInfo.Unavailable"/>.
    /// </summary>
    LibraryInfo Info { get; }

    /// <summary>Binds a server. The server answers when this method returns.</summary>
    /// <param name="setup">The address to bind to, and the handler that is called.</param>
    /// <returns>The running server.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    IBenchmarkServer StartServer(ServerSetup setup);

    /// <summary>Connects a group of clients to a server.</summary>
    /// <param name="setup">The address to connect to, the number of clients, and the handler that is called.</param>
    /// <param name="cancellationToken">Cancels the attempt.</param>
    /// <returns>The group, after all clients have connected.</returns>
    /// <exception cref="BenchmarkException">Not all clients connected before the deadline.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken);
}

/// <summary>A bound server. Disposing closes its connections and its socket and ends its threads; a second call does nothing.</summary>
public interface IBenchmarkServer : IAsyncDisposable
{
    /// <summary>The actual address on which the server listens, with the port that the system chose for port 0 of the setup.</summary>
    System.Net.IPEndPoint EndPoint { get; }

    /// <summary>The ids of other processes that serve, whose use of the machine counts as the server's; empty if this process alone serves (Linux).</summary>
    IReadOnlyList<int> Processes => [];
}

/// <summary>Connected clients. Disposing closes them, frees their sockets and ends their threads; a second call does nothing.</summary>
public interface IClientGroup : IAsyncDisposable
{
    /// <summary>
    /// Starts the load, or resumes it after a pause: <see cref="IClientHandler.OnStart"/> is called for every client, on the thread that owns it. In an
    /// open loop, the schedule begins.
    /// </summary>
    void Start();

    /// <summary>
    /// The ids, as the system counts them, of the threads that do nothing but serve these clients; empty if there are none (Linux).
    /// </summary>
    IReadOnlyList<int> Threads => [];

    /// <summary>Ends the schedule of an open loop, so that no thread wakes for it until the next <see cref="Start"/>. In a closed loop, does nothing.</summary>
    void Pause();
}
