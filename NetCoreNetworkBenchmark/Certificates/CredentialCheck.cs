using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>Checks certificates and keys that another host has sent, before they are passed to a TLS library.</summary>
public static class CredentialCheck
{
    /// <summary>Finds a fault in the clients' part of the credentials.</summary>
    /// <param name="credentials">The received credentials; null if there are none.</param>
    /// <returns>A description of the fault; null if the credentials can be read.</returns>
    public static string? FindFault(TlsCredentials? credentials)
    {
        if (credentials is null)
        {
            return null;
        }

        try
        {
            using var authority = X509Certificate2.CreateFromPem(credentials.Authority);
            using X509Certificate2? own = credentials is { ClientCertificate: { } certificate, ClientKey: { } key }
                ? X509Certificate2.CreateFromPem(certificate, key)
                : null;
            return (credentials.ClientCertificate is null) == (credentials.ClientKey is null)
                ? null
                : "a certificate of the clients without its key, or a key without its certificate";
        }
        catch (Exception exception) when (exception is CryptographicException or ArgumentException)
        {
            return "a certificate or key that cannot be read";
        }
    }
}
