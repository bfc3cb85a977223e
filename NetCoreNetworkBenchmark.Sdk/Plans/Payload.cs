using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// Recorded messages, which each client sends in their order, again and again. Clients begin at different messages, by <see cref="RunPlan.Seed"/>.
/// </summary>
/// <param name="File">The path of the file with the messages, as the user gave it.</param>
/// <param name="Messages">The number of messages.</param>
/// <param name="MeanSize">The mean size of a message in bytes.</param>
/// <param name="Sha256">The SHA-256 of the file in hexadecimal digits.</param>
public sealed record Payload(string File, int Messages, double MeanSize, string Sha256)
{
    /// <summary>The messages. They are no part of a result, and reach other processes beside the plan.</summary>
    [JsonIgnore]
    public IReadOnlyList<byte[]> Content { get; init; } = [];

    /// <summary>Whether the other has the same file with the same messages.</summary>
    public bool Equals(Payload? other) => other is not null && (File, Sha256) == (other.File, other.Sha256);

    /// <inheritdoc/>
    public override int GetHashCode() => Sha256.GetHashCode(StringComparison.Ordinal);
}
