namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>An authority, and the certificates that it signed.</summary>
/// <param name="Authority">Signed by itself.</param>
/// <param name="Server">For a server.</param>
/// <param name="Client">For clients.</param>
public sealed record CertificateSet(IssuedCertificate Authority, IssuedCertificate Server, IssuedCertificate Client);
