namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// What a workload does at the server; a peer is one of its clients, or its multicast group (<see cref="IPeer.IsGroup"/>), which connects before any
/// client. A handler that is <see cref="IAsyncDisposable"/> is disposed before its server.
/// </summary>
public interface IServerHandler : IPeerHandler;
