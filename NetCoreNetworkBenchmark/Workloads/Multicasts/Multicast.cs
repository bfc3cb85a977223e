using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>
/// The server sends to all clients, and the messages that they receive are counted. Each client requests its stream with one message. Without a
/// rate, each client receives as much as it accepts. With a rate, the server keeps a schedule. Over a multicast group, one message of the server
/// reaches all clients.
/// </summary>
public sealed class Multicast : IWorkload
{
    /// <inheritdoc/>
    public string Name => RunPlan.Multicast;

    /// <inheritdoc/>
    public string Summary =>
        "the server sends to all clients as fast as they take it, or on schedule with --rate; counted at the clients, with the latency of one way";

    /// <inheritdoc/>
    public LatencyKind LatencyKind => LatencyKind.OneWay;

    /// <inheritdoc/>
    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new MulticastServer(plan, recorder);

    /// <inheritdoc/>
    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new MulticastClients(plan, recorder);
}
