using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// The server sends to all clients, which asked for that with one message each, and what they receive is counted. Without a rate each client
/// gets as much as it takes; with a rate the server keeps a schedule. Over a multicast group one message of the server reaches all.
/// </summary>
public sealed class Multicast : IWorkload
{
    /// <inheritdoc/>
    public string Name => RunPlan.Multicast;

    /// <inheritdoc/>
    public string Summary => "the server sends to all clients as fast as they take it, or on schedule with --rate; counted at the clients, with the latency of one way";

    /// <inheritdoc/>
    public LatencyKind LatencyKind => LatencyKind.OneWay;

    /// <inheritdoc/>
    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new MulticastServer(plan, recorder);

    /// <inheritdoc/>
    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new MulticastClients(plan, recorder);
}
