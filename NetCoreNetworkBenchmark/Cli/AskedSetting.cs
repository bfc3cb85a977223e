namespace NetCoreNetworkBenchmark.Cli;

/// <summary>A setting of a library as requested by the user, not yet checked against the library.</summary>
/// <param name="Library">The library's name.</param>
/// <param name="Name">The setting's name.</param>
/// <param name="Value">The value.</param>
internal sealed record AskedSetting(string Library, string Name, string Value);
