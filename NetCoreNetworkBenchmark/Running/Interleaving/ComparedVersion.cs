using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Coordination;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <param name="Build">A build of this program, as the path of its assembly; null for this build.</param>
/// <param name="Adapter">The adapter with a version of its library; null for the one of the build.</param>
internal sealed record ComparedVersion(string Name, string? Build = null, AdapterAssembly? Adapter = null)
{
    public ParticipantGroup Start(RunPlan plan) => Placement.InFreshProcesses(AdapterBuilds.Use(plan, Adapter), Build);
}
