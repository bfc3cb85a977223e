namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// What a workload does at the server; a peer is one of its clients or, connected before any of them, a multicast group (<see cref="IPeer.IsGroup"/>).
/// A handler that is <see cref="IAsyncDisposable"/> is disposed before its server.
/// </summary>
public interface IServerHandler : IPeerHandler;
