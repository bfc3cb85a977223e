namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// The server side of a workload. A peer is one of its clients, or its multicast group (<see cref="IPeer.IsGroup"/>), which connects before any
/// client. A handler that is <see cref="IAsyncDisposable"/> is disposed before its server.
/// </summary>
public interface IServerHandler : IPeerHandler;
