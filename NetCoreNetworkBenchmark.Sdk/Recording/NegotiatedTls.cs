using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Recording;

/// <summary>The parameters that the two sides of TLS connections negotiated, as read from a connection.</summary>
/// <param name="Version">The protocol's version: <c>1.2</c> or <c>1.3</c>.</param>
/// <param name="Cipher">The cipher suite by its name in IANA's registry, such as <c>TLS_AES_256_GCM_SHA384</c>.</param>
/// <param name="Group">The group of the key exchange, such as <c>x25519</c>; null if the library does not report it.</param>
/// <param name="Resumed">Whether an earlier session was resumed; null if the library does not report it.</param>
public sealed record NegotiatedTls(string Version, string Cipher, string? Group, bool? Resumed)
{
    /// <summary>The number of handshakes that negotiated these parameters.</summary>
    public long Count { get; init; } = 1;

    /// <summary>The kind of key of the server's certificate, such as <c>Rsa2048</c> or <c>P256</c>; null if the library does not report it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Key { get; init; }

    /// <summary>
    /// How the session was resumed: <c>ticket</c>, which holds the state of the session, or <c>session</c>, whose state the server keeps. Null if none was
    /// resumed, or if the library does not report it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ResumedBy { get; init; }

    /// <summary>The number of session tickets that the server sent on each of these connections; null if they were not counted.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Tickets { get; init; }
}
