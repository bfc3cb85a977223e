using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Recording;

/// <summary>Handshakes that negotiated the same parameters.</summary>
/// <param name="Version">The protocol's version: <c>1.2</c> or <c>1.3</c>.</param>
/// <param name="Cipher">The cipher suite by its name in IANA's registry.</param>
/// <param name="Group">The group of the key exchange; null if the library does not report it.</param>
/// <param name="Resumed">Whether an earlier session was resumed; null if the library does not report it.</param>
/// <param name="Count">The number of handshakes.</param>
public sealed record TlsHandshakes(string Version, string Cipher, string? Group, bool? Resumed, long Count)
{
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

    /// <summary>Lists the counted handshakes.</summary>
    /// <param name="counted">The number of handshakes for each set of negotiated parameters.</param>
    /// <returns>The handshakes, the most frequent first.</returns>
    public static IReadOnlyList<TlsHandshakes> Of(IReadOnlyDictionary<NegotiatedTls, long> counted) =>
    [
        .. counted.OrderByDescending(pair => pair.Value)
            .ThenBy(pair => $"{pair.Key}", StringComparer.Ordinal)
            .Select(pair => new TlsHandshakes(pair.Key.Version, pair.Key.Cipher, pair.Key.Group, pair.Key.Resumed, pair.Value)
            {
                Key = pair.Key.Key,
                ResumedBy = pair.Key.ResumedBy,
                Tickets = pair.Key.Tickets,
            }),
    ];
}
