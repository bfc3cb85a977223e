using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.Capacity;

/// <summary>
/// One round trip of every client, all at once. The server sends every message back, and the client checks it. The workload shows whether all
/// connected clients are served within a deadline, and is repeated with increasing numbers of clients.
/// </summary>
public sealed class MaxClients : IWorkload
{
    /// <inheritdoc/>
    public string Name => RunPlan.MaxClients;

    /// <inheritdoc/>
    public string Summary => "finds how many clients can be connected so that each still completes a round trip within --deadline";

    /// <inheritdoc/>
    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    /// <inheritdoc/>
    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new SingleRoundTripClients(plan, recorder);
}
