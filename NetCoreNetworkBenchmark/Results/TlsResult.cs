namespace NetCoreNetworkBenchmark.Results;

/// <summary>What there is to say of a run's TLS, read from its connections and not from what was asked for.</summary>
/// <param name="Key">The kind of key of the server's certificate, such as <c>Rsa2048</c> or <c>P256</c>; null where the server did not tell.</param>
/// <param name="Mutual">Whether clients had to show a certificate too.</param>
/// <param name="Clients">What the clients read from their connections; empty for a server by itself.</param>
/// <param name="Server">What the server read from its own, of its whole life so far; null where it did not tell.</param>
/// <param name="OpenSslVersion">The OpenSSL that .NET uses; null on systems where it uses another library.</param>
public sealed record TlsResult(string? Key, bool Mutual, IReadOnlyList<TlsHandshakes> Clients, IReadOnlyList<TlsHandshakes>? Server, string? OpenSslVersion);

/// <summary>Handshakes in which the same was agreed on.</summary>
/// <param name="Version">The protocol's version: <c>1.2</c> or <c>1.3</c>.</param>
/// <param name="Cipher">The cipher suite by its name in IANA's registry.</param>
/// <param name="Group">The group of the key exchange; null where the library does not tell.</param>
/// <param name="Resumed">Whether an earlier session was resumed; null where the library does not tell.</param>
/// <param name="Count">How many there were.</param>
public sealed record TlsHandshakes(string Version, string Cipher, string? Group, bool? Resumed, long Count)
{
    /// <summary>Lists what was counted.</summary>
    /// <param name="counted">Numbers by what was agreed on.</param>
    /// <returns>The most frequent first.</returns>
    public static IReadOnlyList<TlsHandshakes> Of(IReadOnlyDictionary<NegotiatedTls, long> counted)
    {
        ArgumentNullException.ThrowIfNull(counted);
        return
        [
            .. counted.OrderByDescending(pair => pair.Value)
                .ThenBy(pair => $"{pair.Key}", StringComparer.Ordinal)
                .Select(pair => new TlsHandshakes(pair.Key.Version, pair.Key.Cipher, pair.Key.Group, pair.Key.Resumed, pair.Value)),
        ];
    }
}
