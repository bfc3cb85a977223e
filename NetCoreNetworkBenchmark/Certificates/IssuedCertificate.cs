namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>A certificate and its key (PKCS #8, not encrypted), in PEM (RFC 7468).</summary>
public sealed record IssuedCertificate(string Certificate, string Key)
{
    // Output and logs must not contain keys.
    public override string ToString() => "certificate with its key";
}
