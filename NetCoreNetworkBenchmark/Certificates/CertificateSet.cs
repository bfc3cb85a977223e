namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>An authority, and the certificates that it signed.</summary>
public sealed record CertificateSet(IssuedCertificate Authority, IssuedCertificate Server, IssuedCertificate Client);
