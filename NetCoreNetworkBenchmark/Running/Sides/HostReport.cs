using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>A host of a run, with its properties.</summary>
/// <param name="Name">The name by which the launcher reached it.</param>
/// <param name="Facts">Its properties.</param>
/// <param name="ClockStep">The time by which its clock was set during the run.</param>
internal sealed record HostReport(string Name, HostFacts Facts, TimeSpan ClockStep);
