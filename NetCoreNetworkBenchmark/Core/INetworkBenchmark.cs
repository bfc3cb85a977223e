namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// The adapter of one library. A public class with a parameterless constructor that implements this is found by itself: options, help,
/// the predefined benchmark and the contract tests follow from it. One instance serves one run.
/// </summary>
public interface INetworkBenchmark
{
    /// <summary>
    /// <see cref="LibraryInfo.Name"/>, which every start of the program asks for, whatever it then does. An adapter says it without its
    /// <see cref="Info"/> where that loads the library: no library's code is to be in a process that has another one to measure.
    /// </summary>
    string Name => Info.Name;

    /// <summary>What the library is and can do. Never throws: what keeps it from running is <see cref="LibraryInfo.Unavailable"/>.</summary>
    LibraryInfo Info { get; }

    /// <summary>Binds a server; it answers when this returns.</summary>
    /// <param name="setup">Where to bind and whom to call.</param>
    /// <returns>The running server.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    IBenchmarkServer StartServer(ServerSetup setup);

    /// <summary>Connects a group of clients to a server.</summary>
    /// <param name="setup">Where to connect, how many and whom to call.</param>
    /// <param name="cancellationToken">Ends the attempt early.</param>
    /// <returns>The group, when all have connected.</returns>
    /// <exception cref="BenchmarkException">Not all connected before the deadline.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken);
}

/// <summary>A bound server. Disposing closes its connections and its socket and ends its threads; a second time does nothing.</summary>
public interface IBenchmarkServer : IAsyncDisposable
{
    /// <summary>Where it really listens, with the port that the system chose where the setup asked for port 0.</summary>
    System.Net.IPEndPoint EndPoint { get; }
}

/// <summary>Connected clients. Disposing closes them, frees their sockets and ends their threads; a second time does nothing.</summary>
public interface IClientGroup : IAsyncDisposable
{
    /// <summary>Lets the load begin: every client gets <see cref="IClientHandler.OnStart"/>, on the thread that owns it.</summary>
    void Start();
}
