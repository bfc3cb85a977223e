namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary><see cref="PingPong"/> under the name and in the lines of NetCoreServer's own programs, so that the two can be compared.</summary>
public sealed class RoundTrip : IMessageWorkload
{
    private readonly PingPong _same = new();

    public string Name => "RoundTrip";

    public string Summary => "PingPong, reported in the lines of NetCoreServer's benchmarks";

    public FigureLayout Layout => FigureLayout.NetCoreServer;

    public BenchmarkRole Role => BenchmarkRole.RoundTrips;

    public bool MayBeSuspendedInFlight(RunPlan plan) => _same.MayBeSuspendedInFlight(plan);

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => _same.CreateServerHandler(plan, recorder);

    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => _same.CreateClientHandler(plan, recorder);
}
