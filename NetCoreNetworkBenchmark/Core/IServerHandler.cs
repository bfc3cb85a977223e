namespace NetCoreNetworkBenchmark.Core;

/// <summary>What a workload does at the server; a peer is one of its clients.</summary>
public interface IServerHandler : IPeerHandler;
