namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>An authority, and the certificates that it signed.</summary>
/// <param name="Authority">The self-signed certificate of the authority.</param>
/// <param name="Server">The certificate for a server.</param>
/// <param name="Client">The certificate for clients.</param>
public sealed record CertificateSet(IssuedCertificate Authority, IssuedCertificate Server, IssuedCertificate Client);
