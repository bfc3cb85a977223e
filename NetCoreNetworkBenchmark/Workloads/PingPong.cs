using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads;

/// <summary>
/// The closed loop: every client keeps its messages in flight, the server sends every message back, the client checks it, records
/// the round trip and sends the next. It measures how fast round trips can be, not how a service behaves at a given rate.
/// </summary>
public sealed class PingPong : IWorkload
{
    /// <inheritdoc/>
    public string Name => "PingPong";

    /// <inheritdoc/>
    public string Summary => "every client keeps its messages in flight, the server sends each back (closed loop)";

    /// <inheritdoc/>
    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    /// <inheritdoc/>
    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new PingPongClients(plan, recorder);
}
