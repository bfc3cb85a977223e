using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>
/// <see cref="PingPong"/> under the name that NetCoreServer's own programs use. It is reported in the lines that they print, so that the two can
/// be compared side by side.
/// </summary>
public sealed class RoundTrip : IWorkload
{
    private readonly PingPong _same = new();

    /// <inheritdoc/>
    public string Name => "RoundTrip";

    /// <inheritdoc/>
    public string Summary => "PingPong, reported in the lines of NetCoreServer's benchmarks";

    /// <inheritdoc/>
    public FigureLayout Layout => FigureLayout.NetCoreServer;

    /// <inheritdoc/>
    public int? BenchmarkOrder => 1;

    /// <inheritdoc/>
    public bool MayBeSuspendedInFlight(RunPlan plan) => _same.MayBeSuspendedInFlight(plan);

    /// <inheritdoc/>
    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => _same.CreateServerHandler(plan, recorder);

    /// <inheritdoc/>
    public IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => _same.CreateClientHandler(plan, recorder);
}
