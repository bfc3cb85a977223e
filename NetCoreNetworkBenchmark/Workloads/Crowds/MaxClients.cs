using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads.Crowds;

/// <summary>
/// One round trip of every client, all at once: the server sends every message back, the client checks it. It tells whether all of so
/// many connected clients are served within a time, and is run for more and more clients.
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
