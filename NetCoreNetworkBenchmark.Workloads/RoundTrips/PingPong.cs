using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>Without a rate it is a closed loop, which shows how fast round trips can be; with a rate, an open loop: how a service behaves at it.</summary>
public sealed class PingPong : IMessageWorkload
{
    public string Name => "PingPong";

    public bool IsDefault => true;

    // Think times would end during a suspension, and all messages begin at once after it.
    public bool MayBeSuspendedInFlight(RunPlan plan) => plan.Rate is null && plan.Think == TimeSpan.Zero;

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => new PingPongServer(recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder)
    {
        WindowClients clients = plan.Rate is null ? new PingPongClients(plan, recorder) : new PacedClients(plan, recorder);
        return plan.Impairment.HasInterruptions ? new InterruptedClients(plan, clients) : clients;
    }
}

internal sealed class PingPongClients(RunPlan plan, RunRecorder recorder) : WindowClients(plan, recorder)
{
    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        Unsafe.As<ClosedWindow>(peer.State!).OnAnswer(message, worker);

    protected override InFlightWindow CreateWindow(in WindowSetup setup) => new ClosedWindow(in setup, Plan.ParallelMessages);
}

/// <summary><see cref="PingPong"/> under the name and in the lines of NetCoreServer's own programs, so that the two can be compared.</summary>
public sealed class RoundTrip : IMessageWorkload
{
    private readonly PingPong _same = new();

    public string Name => "RoundTrip";

    // As NetCoreServer's performance programs print them.
    public IReadOnlyList<string> FirstFigures { get; } =
        ["Errors", "Total time", "Total data", "Total messages", "Data throughput", "Message latency", "Message throughput"];

    public bool MayBeSuspendedInFlight(RunPlan plan) => _same.MayBeSuspendedInFlight(plan);

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => _same.CreateServerHandler(plan, recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => _same.CreateClientHandler(plan, recorder);
}
