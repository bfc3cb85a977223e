using System.Security.Cryptography;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The TLS settings of a plan; no effect on other transports.</summary>
public sealed record TlsPlan
{
    /// <summary>The value of <see cref="Version"/> for TLS 1.2 (RFC 5246).</summary>
    public const string Version12 = "1.2";

    /// <summary>The value of <see cref="Version"/> for TLS 1.3 (RFC 8446).</summary>
    public const string Version13 = "1.3";

    /// <summary>The value of <see cref="Resumption"/> for full handshakes only.</summary>
    public const string NoResumption = "none";

    /// <summary>The value of <see cref="Resumption"/> for tickets: the server keeps nothing (RFC 8446, section 2.2, and RFC 5077).</summary>
    public const string ByTicket = "ticket";

    /// <summary>The value of <see cref="Resumption"/> for sessions that the server keeps.</summary>
    public const string BySession = "session";

    /// <summary>The kind of key of the generated certificates, if none is requested.</summary>
    public const TlsKey DefaultKey = TlsKey.Rsa2048;

    /// <summary>The requested kind of key of the generated certificates; null if none is requested.</summary>
    public TlsKey? Key { get; init; }

    /// <summary>
    /// The only version that both sides offer: <see cref="Version12"/> or <see cref="Version13"/>; null if both are offered and the sides negotiate one.
    /// </summary>
    public string? Version { get; init; }

    /// <summary>
    /// The only group of the key exchange that clients offer, by its name in IANA's registry, such as <c>x25519</c>; null for those of their library.
    /// </summary>
    public string? Group { get; init; }

    /// <summary>
    /// Whether and how a connection resumes the session of the client's last one: <see cref="NoResumption"/>, <see cref="ByTicket"/> or
    /// <see cref="BySession"/>. Null for the default of each library.
    /// </summary>
    public string? Resumption { get; init; }

    /// <summary>Whether clients also present a certificate, and the server verifies it.</summary>
    public bool Mutual { get; init; }

    /// <summary>The name that the server's certificate must be for; null for the plan's address.</summary>
    public string? ServerName { get; init; }

    /// <summary>The PEM file of a server certificate, as the user named it, to use instead of the generated one; null for the generated one.</summary>
    public string? CertificateFile { get; init; }

    /// <summary>The PEM file of the key of that certificate, as the user named it.</summary>
    public string? CertificateKeyFile { get; init; }

    /// <summary>The PEM file of the certificate that clients trust, as the user named it; null for the one that belongs to the server's certificate.</summary>
    public string? AuthorityFile { get; init; }
}

/// <summary>The kind of key of a generated certificate.</summary>
public enum TlsKey
{
    /// <summary>RSA with 2,048 bits.</summary>
    Rsa2048,

    /// <summary>RSA with 4,096 bits.</summary>
    Rsa4096,

    /// <summary>ECDSA on the curve P-256 (FIPS 186-5).</summary>
    P256,

    /// <summary>ECDSA on the curve P-384 (FIPS 186-5).</summary>
    P384,
}

/// <summary>The private keys of generated certificates.</summary>
public static class TlsKeys
{
    /// <summary>Creates a private key of a kind.</summary>
    public static AsymmetricAlgorithm Create(this TlsKey key) => key switch
    {
        TlsKey.Rsa2048 => RSA.Create(2048),
        TlsKey.Rsa4096 => RSA.Create(4096),
        TlsKey.P256 => ECDsa.Create(ECCurve.NamedCurves.nistP256),
        TlsKey.P384 => ECDsa.Create(ECCurve.NamedCurves.nistP384),
        _ => throw new ArgumentOutOfRangeException(nameof(key), key, "Not a kind of key."),
    };
}
