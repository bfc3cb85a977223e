using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>The TLS facts of a run, read from its connections and not from the request.</summary>
/// <param name="Key">The kind of key of the server's certificate, such as <c>Rsa2048</c> or <c>P256</c>; null if neither side reported it.</param>
/// <param name="Mutual">Whether clients had to show a certificate too.</param>
/// <param name="Clients">The handshakes that the clients read from their connections; empty for a server by itself.</param>
/// <param name="Server">The handshakes that the server read from its own connections, of its whole life so far; null if it did not report them.</param>
/// <param name="OpenSslVersion">The version of the OpenSSL that .NET uses; null on systems on which it uses another library.</param>
public sealed record TlsResult(string? Key, bool Mutual, IReadOnlyList<TlsHandshakes> Clients, IReadOnlyList<TlsHandshakes>? Server, string? OpenSslVersion);

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
