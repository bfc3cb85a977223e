namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The kind of key for which certificates are made.</summary>
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
