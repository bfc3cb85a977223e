using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.AdapterKit.Callbacks;

/// <summary>
/// A client of a library that calls back from its own threads. The members may be called by any thread and at the same time. The client makes the
/// calls of its workload serial.
/// </summary>
internal interface ICallbackClient : IPacedClient
{
    /// <summary>Starts to connect, and notifies the tracker when the client is connected or cannot connect. Does not wait.</summary>
    /// <exception cref="BenchmarkException">The connect cannot be started.</exception>
    void Connect();

    /// <summary>Forwards <see cref="IClientHandler.OnStart"/> to the workload, if the client is connected.</summary>
    void Start();

    /// <summary>
    /// Forwards <see cref="IClientHandler.OnTick"/> to the workload, if the client is connected. Called every <see cref="ClientSetup.TickInterval"/>
    /// from the start of the connect.
    /// </summary>
    void Tick();

    /// <summary>Closes the connection, or cancels the attempt; a second call does nothing.</summary>
    void Close();
}
