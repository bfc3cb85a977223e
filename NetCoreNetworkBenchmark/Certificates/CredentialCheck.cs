using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>Looks at certificates and keys that another host has handed over, before any TLS library gets them.</summary>
public static class CredentialCheck
{
    /// <summary>Finds what is wrong with the clients' part.</summary>
    /// <param name="credentials">What was handed over; null where nothing was.</param>
    /// <returns>Null where it can be read.</returns>
    public static string? FindFault(TlsCredentials? credentials)
    {
        if (credentials is null)
        {
            return null;
        }

        try
        {
            using var authority = X509Certificate2.CreateFromPem(credentials.Authority);
            using X509Certificate2? own = credentials is { ClientCertificate: { } certificate, ClientKey: { } key } ? X509Certificate2.CreateFromPem(certificate, key) : null;
            return (credentials.ClientCertificate is null) == (credentials.ClientKey is null) ? null : "a certificate of the clients without its key, or a key without its certificate";
        }
        catch (Exception exception) when (exception is CryptographicException or ArgumentException)
        {
            return "a certificate or key that cannot be read";
        }
    }
}
