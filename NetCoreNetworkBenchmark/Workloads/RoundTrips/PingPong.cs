namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>
/// The server sends every message back. The client checks it and records the round trip. Without a rate it is a closed loop, which shows how fast round trips
/// can be; with a rate it is an open loop, which shows how a service behaves at that rate.
/// </summary>
public sealed class PingPong : IMessageWorkload
{
    public string Name => "PingPong";

    public string Summary =>
        "every client keeps its messages in flight, the server sends each back (closed loop); with --rate messages are sent on schedule (open loop)";

    public BenchmarkRole Role => BenchmarkRole.Standard;

    public bool MayBeSuspendedInFlight(RunPlan plan) => plan.Rate is null;

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) =>
        plan.Rate is null ? new PingPongClients(plan, recorder) : new PacedClients(plan, recorder);
}
