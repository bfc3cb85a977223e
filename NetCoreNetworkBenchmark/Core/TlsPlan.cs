namespace NetCoreNetworkBenchmark.Core;

/// <summary>What a plan says of TLS; without effect for other transports.</summary>
public sealed record TlsPlan
{
    /// <summary>The kind of key that certificates are made with, where the user brings none.</summary>
    public TlsKey Key { get; init; } = TlsKey.Rsa2048;

    /// <summary>The one version that both sides offer: 1.2 or 1.3; null where both are offered and the sides agree on one.</summary>
    public string? Version { get; init; }

    /// <summary>Whether clients show a certificate too, and the server verifies it.</summary>
    public bool Mutual { get; init; }

    /// <summary>The name that the server's certificate must be for; null for the plan's address.</summary>
    public string? ServerName { get; init; }

    /// <summary>The PEM file of one's own server certificate, as the user named it; null where certificates are made for the run.</summary>
    public string? CertificateFile { get; init; }

    /// <summary>The PEM file of its key, as the user named it.</summary>
    public string? CertificateKeyFile { get; init; }

    /// <summary>The PEM file of the certificate that clients trust, as the user named it; null for the one that belongs to the server's.</summary>
    public string? AuthorityFile { get; init; }
}
