namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// Certificates and keys of a run, in PEM (RFC 7468), so that they can be handed to another process and to any TLS library. A side is not required to
/// have the parts that it does not use.
/// </summary>
public sealed record TlsCredentials
{
    /// <summary>The certificate of the authority that signs the other certificates. Both sides verify against it.</summary>
    public required string Authority { get; init; }

    /// <summary>The server's certificate, followed by the certificates between it and the authority.</summary>
    public string? ServerCertificate { get; init; }

    /// <summary>The key of the server's certificate (PKCS #8, not encrypted).</summary>
    public string? ServerKey { get; init; }

    /// <summary>The clients' certificate; null if clients present none.</summary>
    public string? ClientCertificate { get; init; }

    /// <summary>The key of the clients' certificate (PKCS #8, not encrypted).</summary>
    public string? ClientKey { get; init; }

    /// <summary>Gets the part that clients need.</summary>
    /// <returns>A copy without the server's certificate and key.</returns>
    public TlsCredentials ForClients() => this with { ServerCertificate = null, ServerKey = null };

    /// <summary>Returns a text that contains no key, because keys must not be printed or logged.</summary>
    /// <returns>A short description.</returns>
    public override string ToString() => "TLS credentials";
}
