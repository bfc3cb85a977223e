namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Certificates and keys of a run, in PEM (RFC 7468), so that they can be handed to another process and to any TLS library. A side that has no
/// use for a part need not be given it.
/// </summary>
public sealed record TlsCredentials
{
    /// <summary>The certificate that the others are signed by, and against which both sides verify.</summary>
    public required string Authority { get; init; }

    /// <summary>The server's certificate, and those between it and the authority after it.</summary>
    public string? ServerCertificate { get; init; }

    /// <summary>The key of the server's certificate (PKCS #8, not encrypted).</summary>
    public string? ServerKey { get; init; }

    /// <summary>The clients' certificate; null where clients show none.</summary>
    public string? ClientCertificate { get; init; }

    /// <summary>The key of the clients' certificate (PKCS #8, not encrypted).</summary>
    public string? ClientKey { get; init; }

    /// <summary>What clients need of these.</summary>
    /// <returns>The same without the server's part.</returns>
    public TlsCredentials ForClients() => this with { ServerCertificate = null, ServerKey = null };

    /// <summary>Names no key: what is printed or logged must not have any.</summary>
    /// <returns>A few words.</returns>
    public override string ToString() => "TLS credentials";
}
