using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// An assembly outside the program, whose libraries and workloads a run can use. The processes of a run load the same assembly, which a result names.
/// </summary>
/// <param name="Path">The absolute path of the file.</param>
/// <param name="Name">The assembly's name.</param>
/// <param name="Version">The assembly's informational version, or its version if it has none.</param>
/// <param name="Sha256">
/// The SHA-256 of the file, and of the files beside it that its .deps.json names, in hexadecimal digits: it changes with each file that the assembly loads.
/// </param>
public sealed record AdapterAssembly(string Path, string Name, string Version, string Sha256)
{
    /// <summary>Whether its libraries take the place of those of the program that have their names. Otherwise, such a name is refused.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Replaces { get; init; }
}
