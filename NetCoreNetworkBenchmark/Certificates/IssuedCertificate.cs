namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>A certificate and its key, in PEM (RFC 7468).</summary>
/// <param name="Certificate">The certificate.</param>
/// <param name="Key">The key (PKCS #8, not encrypted).</param>
public sealed record IssuedCertificate(string Certificate, string Key)
{
    /// <summary>Returns a text without the key: output and logs must not contain keys.</summary>
    /// <returns>A short description.</returns>
    public override string ToString() => "certificate with its key";
}
