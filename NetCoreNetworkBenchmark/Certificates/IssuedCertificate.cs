namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>A certificate and its key, in PEM (RFC 7468).</summary>
/// <param name="Certificate">The certificate.</param>
/// <param name="Key">The key (PKCS #8, not encrypted).</param>
public sealed record IssuedCertificate(string Certificate, string Key)
{
    /// <summary>Names no key: what is printed or logged must not have any.</summary>
    /// <returns>A few words.</returns>
    public override string ToString() => "certificate with its key";
}
