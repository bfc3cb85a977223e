namespace NetCoreNetworkBenchmark.Cli;

/// <summary>A library's setting as the user asked for it, not yet checked against the library.</summary>
/// <param name="Library">The library's name.</param>
/// <param name="Name">The setting's name.</param>
/// <param name="Value">The value.</param>
internal sealed record AskedSetting(string Library, string Name, string Value);
