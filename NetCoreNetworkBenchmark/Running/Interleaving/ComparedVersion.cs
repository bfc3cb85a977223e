namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <param name="Build">A build of this program, as the path of its assembly; null for this build.</param>
/// <param name="Adapter">The adapter with a version of its library; null for the one of the build.</param>
internal sealed record ComparedVersion(string Name, string? Build = null, AdapterAssembly? Adapter = null);
