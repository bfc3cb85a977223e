using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// A client of a library that calls back from threads of its own. The members may be called by any thread and at the same time: the client
/// makes the calls of its workload serial.
/// </summary>
public interface ICallbackClient : IPacedClient
{
    /// <summary>Begins to connect, and tells the tracker when it has or cannot. Does not wait.</summary>
    /// <exception cref="BenchmarkException">It cannot even begin.</exception>
    void Connect();

    /// <summary>Passes <see cref="IClientHandler.OnStart"/> on, where it is connected.</summary>
    void Start();

    /// <summary>Passes <see cref="IClientHandler.OnTick"/> on, where it is connected. Comes every <see cref="ClientSetup.TickInterval"/> from the begin of the connect on.</summary>
    void Tick();

    /// <summary>Closes the connection, or gives the attempt up; a second time does nothing.</summary>
    void Close();
}
